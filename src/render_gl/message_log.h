// Collects the driver's debug messages for the caller to read.
#pragma once

#include <string>
#include <vector>

namespace ringlet {

// Registers itself with the current context by address, so it cannot be moved or copied.
class MessageLog {
public:
    MessageLog();
    ~MessageLog();
    MessageLog(const MessageLog&) = delete;
    MessageLog& operator=(const MessageLog&) = delete;

    void add(std::string message, bool is_performance = false);
    // Adds pending errors of glGetError(), which are the only ones without a debug context.
    void collect_errors();
    const std::vector<std::string>& messages() const { return messages_; }
    // Messages that concern speed only.
    const std::vector<std::string>& performance() const { return performance_; }

private:
    std::vector<std::string> messages_, performance_;
};

}  // namespace ringlet
