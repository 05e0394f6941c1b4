// What the driver has to say about our calls, kept for the caller to read.
#pragma once

#include <string>
#include <vector>

namespace ringlet {

// Registers itself with the current context; must not move while it listens.
class MessageLog {
public:
    MessageLog();
    ~MessageLog();
    MessageLog(const MessageLog&) = delete;
    MessageLog& operator=(const MessageLog&) = delete;

    void add(std::string message, bool is_remark = false);
    // Takes in errors that a context without debug output keeps to itself.
    void collect_errors();
    const std::vector<std::string>& messages() const { return messages_; }
    // What the driver would have liked to be otherwise, for speed alone.
    const std::vector<std::string>& remarks() const { return remarks_; }

private:
    std::vector<std::string> messages_, remarks_;
};

}  // namespace ringlet
