#include "io/alembic/ogawa_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/assert.h"
#include "io/bytes.h"

namespace ringlet {

namespace {

constexpr std::string_view kOgawaMagic = "Ogawa";
constexpr std::size_t kOgawaStartBytes = 16;
constexpr std::size_t kOgawaBuffer = 1 << 20;

}  // namespace

// A file or bytes in memory.
class OgawaReader::Source {
public:
    Source(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
    explicit Source(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}
    ~Source() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::uint64_t size() const { return size_; }

    // Precondition: the range is inside the file. False if it cannot be read.
    bool read(std::uint64_t at, std::span<char> out) const {
        if (descriptor_ < 0) {
            std::memcpy(out.data(), bytes_.data() + at, out.size());
            return true;
        }
        std::size_t done = 0;
        while (done < out.size()) {
            const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done,
                                        static_cast<off_t>(at + done));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            done += static_cast<std::size_t>(got);
        }
        return true;
    }

private:
    std::string_view bytes_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

OgawaReader::OgawaReader(std::shared_ptr<const Source> source, std::string name)
    : source_(std::move(source)),
      name_(std::move(name)),
      size_(source_->size()),
      budget_(32 * size_ + 65536) {}

Result<OgawaReader> OgawaReader::open(const std::filesystem::path& path) {
    const Result<std::uint64_t> size = regular_file_size(path);
    if (!size) return size.error();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return Error{std::string("cannot be read: ") + std::strerror(errno), path.string()};
    OgawaReader out(std::make_shared<const Source>(descriptor, *size), path.string());
    if (Result<void> ready = out.read_start(); !ready) return ready.error();
    return out;
}

Result<OgawaReader> OgawaReader::over(std::string_view bytes, const std::string& name) {
    OgawaReader out(std::make_shared<const Source>(bytes), name);
    if (Result<void> ready = out.read_start(); !ready) return ready.error();
    return out;
}

Result<void> OgawaReader::read_start() {
    const auto start = read(0, std::min<std::uint64_t>(size_, kOgawaStartBytes));
    if (!start) return start.error();
    if (start->starts_with("\x89HDF"))
        return Error{"is an Alembic file of the older HDF5 kind; convert it to Ogawa", name_};
    if (start->size() < kOgawaStartBytes || !start->starts_with(kOgawaMagic))
        return Error{"is not an Alembic file: it does not start with an Ogawa header", name_};
    if (static_cast<std::uint8_t>((*start)[5]) != 0xff)
        return Error{"is incomplete: the program that wrote it did not finish; export it again",
                     name_};
    if ((*start)[6] != 0 || (*start)[7] != 1)
        return Error{"has an unknown version of the Ogawa container", name_};
    root_ = u64_at(*start, 8);
    if (is_ogawa_data(root_) || root_ == 0) return damaged("its first group is missing");
    return {};
}

Error OgawaReader::damaged(const std::string& what) const {
    return {"is damaged or cut short: " + what + "; export it again", name_};
}

Result<std::string> OgawaReader::read(std::uint64_t at, std::uint64_t size) const {
    if (at > size_ || size > size_ - at) return damaged("it refers to bytes beyond its end");
    std::string out(static_cast<std::size_t>(size), '\0');
    if (!source_->read(at, out)) return Error{"could not be read to its end", name_};
    return out;
}

Result<void> OgawaReader::spend(std::uint64_t bytes) {
    if (bytes > budget_) return damaged("its groups refer to each other too often");
    budget_ -= bytes;
    return {};
}

Result<std::vector<OgawaRef>> OgawaReader::group(OgawaRef ref) {
    if (is_ogawa_data(ref)) return damaged("data is where a group is expected");
    std::vector<OgawaRef> out;
    if (ref == 0) return out;
    const Result<std::string> count = read(ref, 8);
    if (!count) return count.error();
    const std::uint64_t children = u64_at(*count, 0);
    if (children > (size_ - ref - 8) / 8) return damaged("a group is larger than the file");
    if (Result<void> paid = spend(8 + 8 * children); !paid) return paid.error();
    const Result<std::string> bytes = read(ref + 8, 8 * children);
    if (!bytes) return bytes.error();
    out.reserve(static_cast<std::size_t>(children));
    for (std::size_t k = 0; k < children; ++k) out.push_back(u64_at(*bytes, 8 * k));
    return out;
}

Result<std::uint64_t> OgawaReader::data_size(OgawaRef ref) const {
    if (!is_ogawa_data(ref)) return damaged("a group is where data is expected");
    const std::uint64_t at = ref & ~kOgawaData;
    if (at == 0) return std::uint64_t{0};
    const Result<std::string> stated = read(at, 8);
    if (!stated) return stated.error();
    const std::uint64_t size = u64_at(*stated, 0);
    if (size > size_ - at - 8) return damaged("data is larger than the file");
    return size;
}

Result<std::string> OgawaReader::header_data(OgawaRef ref) {
    const Result<std::uint64_t> size = data_size(ref);
    if (!size) return size.error();
    if (Result<void> paid = spend(8 + *size); !paid) return paid.error();
    return sample_data(ref, 0);
}

Result<std::string> OgawaReader::sample_data(OgawaRef ref, std::uint64_t skipped) const {
    const Result<std::uint64_t> size = data_size(ref);
    if (!size) return size.error();
    if (*size == 0) return std::string();
    if (*size < skipped) return damaged("data is shorter than its key");
    return read((ref & ~kOgawaData) + 8 + skipped, *size - skipped);
}

OgawaWriter::OgawaWriter(const std::filesystem::path& path, const OutputStart& start)
    : file_(path, start.is_resumable ? Temporary::resumable : Temporary::unique),
      name_(path.string()) {
    if (Result<void> ready = file_.check_folder(); !ready) {
        failure_ = ready.error().message;
        return;
    }
    file_.keep(start.progress != nullptr);
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (start.progress ? 0 : O_TRUNC);
    descriptor_ = ::open(file_.temporary().c_str(), flags, 0666);
    if (descriptor_ < 0) failure_ = std::string("cannot be written: ") + std::strerror(errno);
    // The byte after the magic stays 0 until the file is complete.
    write(std::string(kOgawaMagic) + std::string("\0\0\x01\0\0\0\0\0\0\0\0", 11));
}

OgawaWriter::~OgawaWriter() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> OgawaWriter::state() const {
    if (failure_.empty()) return {};
    return Error{failure_, name_};
}

void OgawaWriter::store(std::uint64_t at, std::string_view bytes) {
    while (!bytes.empty() && failure_.empty()) {
        const ssize_t put =
            ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) {
            failure_ = std::string("cannot be written: ") + std::strerror(errno);
            return;
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
        at += static_cast<std::uint64_t>(put);
    }
}

void OgawaWriter::flush() {
    store(flushed_, buffer_);
    flushed_ += buffer_.size();
    buffer_.clear();
}

void OgawaWriter::write(std::string_view bytes) {
    if (!failure_.empty()) return;
    if (buffer_.size() + bytes.size() > kOgawaBuffer) flush();
    if (bytes.size() < kOgawaBuffer) {
        buffer_ += bytes;
    } else {
        store(flushed_, bytes);
        flushed_ += bytes.size();
    }
}

// Replaces bytes that were written, of which some may still be in the buffer.
void OgawaWriter::patch(std::uint64_t at, std::string_view bytes) {
    if (!failure_.empty()) return;
    if (at < flushed_) flush();
    if (at < flushed_)
        store(at, bytes);
    else
        buffer_.replace(static_cast<std::size_t>(at - flushed_), bytes.size(), bytes);
}

OgawaRef OgawaWriter::add_data(std::string_view bytes) {
    if (bytes.empty()) return kOgawaData;
    const OgawaRef at = end();
    std::string size;
    append_u64(size, bytes.size());
    write(size);
    write(bytes);
    return at | kOgawaData;
}

OgawaRef OgawaWriter::add_group(std::span<const OgawaRef> children) {
    if (children.empty()) return 0;
    const OgawaRef at = end();
    std::string bytes;
    append_u64(bytes, children.size());
    for (const OgawaRef child : children) append_u64(bytes, child);
    write(bytes);
    return at;
}

void OgawaWriter::begin_data() {
    data_at_ = end();
    write(std::string_view("\0\0\0\0\0\0\0\0", 8));
}

void OgawaWriter::append(std::string_view bytes) { write(bytes); }

OgawaRef OgawaWriter::end_data(std::string_view prefix) {
    std::string start;
    append_u64(start, end() - data_at_ - 8);
    patch(data_at_, start + std::string(prefix));
    return data_at_ | kOgawaData;
}

void OgawaWriter::drop_data() {
    if (data_at_ >= flushed_) {
        buffer_.resize(static_cast<std::size_t>(data_at_ - flushed_));
    } else {
        buffer_.clear();
        flushed_ = data_at_;
    }
}

Result<std::uint64_t> OgawaWriter::save() {
    flush();
    if (failure_.empty() && ::fdatasync(descriptor_) != 0 && errno != EINVAL)
        return Error{std::string("cannot be written: ") + std::strerror(errno), name_};
    if (Result<void> fine = state(); !fine) return fine.error();
    return flushed_;
}

Result<void> OgawaWriter::continue_at(std::uint64_t position) {
    if (Result<void> fine = state(); !fine) return fine;
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (size < 0 || static_cast<std::uint64_t>(size) < position || position < end())
        return Error{"its unfinished file is missing or cut short", name_};
    buffer_.clear();
    flushed_ = position;
    return {};
}

Result<void> OgawaWriter::finish(OgawaRef root) {
    std::string position;
    append_u64(position, root);
    patch(8, position);
    flush();
    if (failure_.empty() && ::ftruncate(descriptor_, static_cast<off_t>(flushed_)) != 0 &&
        errno != EINVAL)  // a device has no length
        failure_ = std::string("cannot be written: ") + std::strerror(errno);
    store(kOgawaMagic.size(), "\xff");
    if (descriptor_ >= 0 && ::close(descriptor_) != 0 && failure_.empty())
        failure_ = std::string("cannot be written: ") + std::strerror(errno);
    descriptor_ = -1;
    if (!failure_.empty()) return Error{failure_, name_};
    return file_.commit();
}

}  // namespace ringlet
