// Reads and writes whole files. A written file appears under its name complete or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

// The size of a regular file in bytes. Anything else at the path is an error: opening a named pipe
// would block.
Result<std::uint64_t> regular_file_size(const std::filesystem::path& path);

// Reads a regular file. Folders, named pipes, sockets and devices are errors, and so are files
// above `max_bytes`: no input blocks the caller or exhausts its memory.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t max_bytes = std::uint64_t{4} << 30);

// Creates the missing folders of the path. On an error, the file that was there stays as it was.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// Checks that a file can be created or replaced at `path`, or inside it where `path` ends in '/'.
// Creates nothing. Call it before long work, whose result would otherwise be lost at the end.
Result<void> check_writable(const std::filesystem::path& path);

// A file under construction: write to temporary(), then call commit(), which renames the temporary
// to the target. Destroyed without commit(), it removes the temporary and the folders it created.
// A target that is a device or a pipe is written to directly: temporary() is the target.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path target);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    // Returns an Error where the target's folder is missing and cannot be created.
    Result<void> check_folder() const;
    Result<void> commit();

private:
    std::string name_;  // of the target, as the caller gave it
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::vector<std::filesystem::path> made_folders_;  // innermost first
    std::error_code folder_failure_;
    bool is_special_ = false;
    bool committed_ = false;
};

}  // namespace ringlet
