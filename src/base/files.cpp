#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>

#include "base/hash.h"

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

constexpr const char* kResumable = ".partial";

// The unique temporaries of this process.
class OwnTemporaries {
public:
    void add(const fs::path& path) {
        const std::scoped_lock lock(mutex_);
        paths_.insert(path.filename().string());
    }
    // Allocates nothing, because destructors call it.
    void remove(const fs::path& path) {
        const std::string_view whole = path.native();
        const std::scoped_lock lock(mutex_);
        const auto found = paths_.find(whole.substr(whole.rfind('/') + 1));
        if (found != paths_.end()) paths_.erase(found);
    }
    bool has(const std::string& name) {
        const std::scoped_lock lock(mutex_);
        return paths_.contains(name);
    }

private:
    std::mutex mutex_;
    std::set<std::string, std::less<>> paths_;  // their names, which no two of one process share
};

OwnTemporaries& own_temporaries() {
    static OwnTemporaries all;
    return all;
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

// Whether a name is that of a unique temporary for a target with this stem (empty: any), whose
// process has ended. An earlier process may have had the number of this one.
bool is_abandoned(const std::string& name, const std::string& stem) {
    const std::size_t mark = stem.empty() ? name.rfind(".part") : stem.size() + 1;
    if (!name.starts_with("." + stem) || mark == std::string::npos ||
        name.compare(mark, 5, ".part") != 0)
        return false;
    int process = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + mark + 5, end, process);
    if (read.ec != std::errc() || read.ptr == end || *read.ptr != '-' || process <= 0) return false;
    if (process == ::getpid()) return !own_temporaries().has(name);
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

thread_local ReadFileLog* current_log = nullptr;

}  // namespace

ReadFileLog::ReadFileLog() : outer_(current_log) { current_log = this; }

ReadFileLog::~ReadFileLog() {
    current_log = outer_;
    if (outer_) outer_->paths_.insert(paths_.begin(), paths_.end());
}

Result<std::uint64_t> regular_file_size(const fs::path& path) {
    if (current_log) current_log->paths_.insert(path.string());
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

bool read_bytes(int descriptor, std::uint64_t at, std::span<std::byte> out) {
    while (!out.empty()) {
        const ssize_t got = ::pread(descriptor, out.data(), out.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        out = out.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
    return true;
}

Result<std::uint64_t> hash_of_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{std::string("cannot be read: ") + std::strerror(errno), path.string()};
    ByteHash hash;
    std::vector<char> piece(1 << 20);
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        hash.add(std::as_bytes(std::span(piece).first(static_cast<std::size_t>(in.gcount()))));
    }
    if (in.bad()) return Error{"could not be read to its end", path.string()};
    return hash.value();
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
PendingFile::PendingFile(fs::path target, Temporary kind)
    : name_(target.string()), target_(std::move(target)) {
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
    const bool is_unique = kind == Temporary::unique;
    temporary_ =
        folder / ("." + target_.stem().string() +
                  (is_unique ? ".part" + std::to_string(::getpid()) + "-" + std::to_string(count++)
                             : kResumable) +
                  target_.extension().string());
    if (is_unique) own_temporaries().add(temporary_);
    for (fs::path at = folder; !at.empty() && !fs::exists(at, ignored); at = at.parent_path())
        made_folders_.push_back(at);
    if (!folder.empty()) fs::create_directories(folder, folder_failure_);
    if (!is_unique && !folder_failure_) lock();
}

// The lock ends with the process, however that ends.
void PendingFile::lock() {
    lock_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock_ < 0)
        lock_failure_ = std::strerror(errno);
    else if (::flock(lock_, LOCK_EX | LOCK_NB) != 0)
        lock_failure_ = "another run is writing it; wait for that one, or name another output";
}

PendingFile::~PendingFile() {
    std::error_code ignored;
    own_temporaries().remove(temporary_);
    if (!committed_ && !is_special_ && !kept_ && lock_failure_.empty()) {
        fs::remove(temporary_, ignored);
        for (const fs::path& folder : made_folders_) fs::remove(folder, ignored);  // if empty
    }
    if (lock_ >= 0) ::close(lock_);
}

Result<void> PendingFile::check_folder() const {
    if (!lock_failure_.empty()) return Error{"cannot be written: " + lock_failure_, name_};
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

fs::path hidden_beside(const fs::path& output, const std::string& ending) {
    const fs::path file = output.has_filename() ? output : output.parent_path();
    const fs::path whole = fs::absolute(file).lexically_normal();
    const std::string name =
        whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
    const fs::path folder = name.empty()           ? whole
                            : whole.has_filename() ? whole.parent_path()
                                                   : whole.parent_path().parent_path();
    return folder / ("." + name + ending);
}

void remove_leftovers(const fs::path& target, bool keeps_resumable) {
    std::error_code ignored;
    const fs::path folder = target.parent_path().empty() ? "." : target.parent_path();
    const std::string stem = target.stem().string();  // empty for a folder
    std::vector<fs::path> abandoned;
    // std::filesystem::directory_iterator ends the program if memory is short.
    const std::unique_ptr<DIR, CloseFolder> listing(::opendir(folder.c_str()));
    while (const dirent* const entry = listing ? ::readdir(listing.get()) : nullptr)
        if (is_abandoned(entry->d_name, stem)) abandoned.push_back(folder / entry->d_name);
    for (const fs::path& path : abandoned) fs::remove(path, ignored);
    if (keeps_resumable || stem.empty()) return;
    const fs::path partial = folder / ("." + stem + kResumable + target.extension().string());
    if (fs::exists(partial, ignored)) const PendingFile removes(target, Temporary::resumable);
}

}  // namespace ringlet
