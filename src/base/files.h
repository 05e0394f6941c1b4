// Reads and writes whole files. A written file appears under its name complete or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
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

// While it exists, it records which files this thread passes to regular_file_size() and
// read_file(): the files that a scene consists of.
class ReadFileLog {
public:
    ReadFileLog();
    ~ReadFileLog();
    ReadFileLog(const ReadFileLog&) = delete;
    ReadFileLog& operator=(const ReadFileLog&) = delete;

    // Sorted; each once.
    std::vector<std::string> paths() const { return {paths_.begin(), paths_.end()}; }

private:
    friend Result<std::uint64_t> regular_file_size(const std::filesystem::path& path);
    std::set<std::string> paths_;
    ReadFileLog* outer_;  // that of a caller; receives the same paths
};

// Fills `out` from a position of an open file. Returns false, with errno, if it cannot, or at the
// end of the file.
bool read_bytes(int descriptor, std::uint64_t at, std::span<std::byte> out);

// The hash of a file's content (base/hash.h), read in pieces.
Result<std::uint64_t> hash_of_file(const std::filesystem::path& path);

// Creates the missing folders of the path. On an error, the file that was there stays as it was.
Result<void> write_file(const std::filesystem::path& path, std::string_view bytes);

// Checks that a file can be created or replaced at `path`, or inside it where `path` ends in '/'.
// Creates nothing. Call it before long work, whose result would otherwise be lost at the end.
Result<void> check_writable(const std::filesystem::path& path);

// How the temporary of a PendingFile is named. unique: no two writers have the same name.
// resumable: the name depends on the target alone, so that a later run finds it; the file is locked
// while the PendingFile exists, and not truncated.
enum class Temporary { unique, resumable };

// A file under construction: write to temporary(), then call commit(), which renames the temporary
// to the target. Destroyed without commit(), it removes the temporary and the folders it created.
// A target that is a device or a pipe is written to directly: temporary() is the target.
class PendingFile {
public:
    explicit PendingFile(std::filesystem::path target, Temporary kind = Temporary::unique);
    ~PendingFile();
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    // Returns an Error where the target's folder is missing and cannot be created, or where another
    // process has locked a resumable temporary.
    Result<void> check_folder() const;
    Result<void> commit();
    // Whether the temporary stays if this object is destroyed without commit().
    void keep(bool kept) { kept_ = kept; }

private:
    void lock();

    std::string name_;  // of the target, as the caller gave it
    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::vector<std::filesystem::path> made_folders_;  // innermost first
    std::error_code folder_failure_;
    std::string lock_failure_;  // empty: none
    int lock_ = -1;             // descriptor of a locked temporary
    bool is_special_ = false;
    bool committed_ = false;
    bool kept_ = false;
};

// The hidden name of a file that belongs to an output: ".NAME" and the ending, in the folder of the
// output. An output that ends in / is a folder; its hidden files are beside it.
std::filesystem::path hidden_beside(const std::filesystem::path& output, const std::string& ending);

// Removes the temporaries that PendingFiles of ended processes left for this target, or, where it
// ends in /, inside that folder. Temporaries of running processes stay, and so does the resumable
// one if `keeps_resumable`.
void remove_leftovers(const std::filesystem::path& target, bool keeps_resumable);

}  // namespace ringlet
