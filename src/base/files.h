// Whole files in, whole files out. What is written appears under its name complete or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

// Reads a regular file. Folders, named pipes, sockets and devices are errors, and so are files
// above `max_bytes`: no input blocks the caller or exhausts its memory.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t max_bytes = std::uint64_t{4} << 30);

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// A file under construction: write to temporary(), then commit() renames it onto the target.
// Destroyed without commit(), it removes what was written, and the folders made for it.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path target);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    Result<void> commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::vector<std::filesystem::path> made_folders_;  // innermost first
    bool committed_ = false;
};

}  // namespace ringlet
