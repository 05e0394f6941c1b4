#include "base/files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Null for a regular file.
const char* kind_if_not_regular(fs::file_type type) {
    switch (type) {
        case fs::file_type::regular:
            return nullptr;
        case fs::file_type::directory:
            return "a folder";
        case fs::file_type::fifo:
            return "a named pipe";
        case fs::file_type::socket:
            return "a socket";
        case fs::file_type::character:
        case fs::file_type::block:
            return "a device";
        default:
            return "a special file";
    }
}

// Whether a path names a device, a pipe, or an open stream of the process, such as /dev/stdout:
// things that must be written to, not replaced by a file.
bool is_special(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (fs::exists(status) && fs::is_other(status)) return true;
    const fs::path folder = fs::canonical(path.parent_path(), ignored);
    return folder.string().starts_with("/proc/") && folder.filename() == "fd";
}

}  // namespace

Result<std::uint64_t> regular_file_size(const fs::path& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found)
        return Error{"no such file; check the name", path.string()};
    if (status.type() == fs::file_type::none)
        return Error{"cannot be read: " + failure.message(), path.string()};
    if (const char* kind = kind_if_not_regular(status.type()))
        return Error{std::string("is ") + kind +
                         ", not a regular file; save its contents to a file and name that",
                     path.string()};
    const std::uintmax_t size = fs::file_size(path, failure);
    if (failure) return Error{"cannot be read: " + failure.message(), path.string()};
    return std::uint64_t{size};
}

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
    // Checked before the file is opened: opening a named pipe blocks until someone writes to it.
    if (const Result<std::uint64_t> size = regular_file_size(path); !size) return size.error();
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{std::string("cannot be read: ") + std::strerror(errno), path.string()};
    // Read in pieces: files in /proc report a size of 0, and a file may grow while it is read.
    std::string bytes;
    std::string piece(1 << 16, '\0');
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        bytes.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > max_bytes)
            return Error{"is larger than " + std::to_string(max_bytes >> 20) + " MiB",
                         path.string()};
    }
    if (in.bad()) return Error{"could not be read to its end", path.string()};
    return bytes;
}

Result<void> write_file(const fs::path& path, std::string_view bytes) {
    PendingFile pending(path);
    if (Result<void> ready = pending.check_folder(); !ready) return ready;
    std::ofstream out(pending.temporary(), std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out)
        return Error{std::string("cannot be written: ") + std::strerror(errno), path.string()};
    return pending.commit();
}

Result<void> check_writable(const fs::path& path) {
    std::error_code ignored;
    const auto refused = [&](const std::string& why) {
        return Error{"cannot be written: " + why, path.string()};
    };
    if (path.has_filename() && fs::is_directory(path, ignored))
        return refused("it is a folder; name a file");
    fs::path folder = path.has_filename() && fs::exists(path, ignored)
                          ? fs::canonical(path, ignored).parent_path()
                          : path.parent_path();
    while (!folder.empty() && !fs::exists(folder, ignored)) folder = folder.parent_path();
    if (folder.empty()) folder = ".";
    if (!fs::is_directory(folder, ignored)) return refused(folder.string() + " is not a folder");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return refused("the folder " + folder.string() + ": " + std::strerror(errno));
    return {};
}

// The temporary keeps the target's extension, from which video encoders choose the container. A
// symbolic link is followed, so that it stays a link.
PendingFile::PendingFile(fs::path target) : name_(target.string()), target_(std::move(target)) {
    static std::atomic<unsigned> count{0};  // makes the names of two writers of one target differ
    std::error_code ignored;
    is_special_ = is_special(target_);
    for (int links = 0; links < 40 && !is_special_ && fs::is_symlink(target_, ignored); ++links) {
        target_ = target_.parent_path() / fs::read_symlink(target_, ignored);
        is_special_ = is_special(target_);
    }
    temporary_ = target_;
    if (is_special_) return;
    const fs::path folder = target_.parent_path();
    temporary_ = folder / ("." + target_.stem().string() + ".part" + std::to_string(::getpid()) +
                           "-" + std::to_string(count++) + target_.extension().string());
    for (fs::path at = folder; !at.empty() && !fs::exists(at, ignored); at = at.parent_path())
        made_folders_.push_back(at);
    if (!folder.empty()) fs::create_directories(folder, folder_failure_);
}

PendingFile::~PendingFile() {
    if (committed_ || is_special_) return;
    std::error_code ignored;
    fs::remove(temporary_, ignored);
    for (const fs::path& folder : made_folders_) fs::remove(folder, ignored);  // if still empty
}

Result<void> PendingFile::check_folder() const {
    if (!folder_failure_) return {};
    return Error{"cannot be written: the folder " + target_.parent_path().string() +
                     " cannot be created: " + folder_failure_.message(),
                 name_};
}

Result<void> PendingFile::commit() {
    std::error_code failure;
    if (!is_special_) fs::rename(temporary_, target_, failure);
    if (failure) return Error{"cannot be written: " + failure.message(), name_};
    committed_ = true;
    return {};
}

}  // namespace ringlet
