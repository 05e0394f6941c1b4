#include "session/checkpoint_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

#include "base/files.h"
#include "base/hash.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> kMagic{'R', 'N', 'G', 'L', 'C', 'H', 'K', 'P'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPiece = 1 << 20;  // bytes read at once

struct Header {
    std::array<char, 8> magic = kMagic;
    std::uint32_t version = kVersion;
    std::uint32_t header_bytes = sizeof(Header);
    std::uint64_t length = 0;    // of the whole file
    std::uint64_t checksum = 0;  // of everything after the header
};

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

// Appends to a file and hashes what it appends. Keeps the first failure.
class HashedOut {
public:
    explicit HashedOut(int descriptor) : descriptor_(descriptor) {}

    void bytes(std::span<const std::byte> bytes) {
        hash_.add(bytes);
        total_ += bytes.size();
        write(bytes);
    }
    template <class Number>
    void number(Number value) {
        bytes(std::as_bytes(std::span(&value, 1)));
    }
    void text(std::string_view text) {
        number(std::uint64_t{text.size()});
        bytes(std::as_bytes(std::span(text)));
    }
    // Writes without hashing.
    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty() && failure_ == 0) {
            const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) failure_ = put < 0 ? errno : EIO;
            if (put > 0) bytes = bytes.subspan(static_cast<std::size_t>(put));
        }
    }
    std::uint64_t hash() const { return hash_.value(); }
    std::uint64_t total() const { return total_; }
    int failure() const { return failure_; }

private:
    int descriptor_;
    ByteHash hash_;
    std::uint64_t total_ = 0;
    int failure_ = 0;
};

// Reads numbers and texts from a file whose checksum is right. A size beyond the file's end is
// found before anything is allocated.
class CheckedIn {
public:
    CheckedIn(int descriptor, std::uint64_t at, std::uint64_t end)
        : descriptor_(descriptor), at_(at), end_(end) {}

    bool is_good() const { return good_; }
    std::uint64_t at() const { return at_; }
    std::uint64_t left() const { return end_ - at_; }
    void fail() { good_ = false; }

    template <class Number>
    Number number() {
        Number value{};
        bytes(std::as_writable_bytes(std::span(&value, 1)));
        return good_ ? value : Number{};
    }
    std::string text() {
        const auto size = number<std::uint64_t>();
        if (size > left()) good_ = false;
        std::string out(good_ ? static_cast<std::size_t>(size) : 0, '\0');
        bytes(std::as_writable_bytes(std::span(out)));
        return out;
    }

private:
    void bytes(std::span<std::byte> out) {
        good_ = good_ && out.size() <= left() && read_bytes(descriptor_, at_, out);
        if (good_) at_ += out.size();
    }

    int descriptor_;
    std::uint64_t at_, end_;
    bool good_ = true;
};

Error not_usable(const fs::path& path, const std::string& why) { return {why, path.string()}; }

Result<void> check_content(const fs::path& path, int descriptor, const Header& header) {
    ByteHash hash;
    std::vector<std::byte> piece(kPiece);
    for (std::uint64_t at = sizeof header; at < header.length;) {
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, header.length - at));
        if (!read_bytes(descriptor, at, std::span(piece).first(size)))
            return not_usable(path, "could not be read to its end");
        hash.add(std::span(piece).first(size));
        at += size;
    }
    if (hash.value() != header.checksum) return not_usable(path, "is damaged");
    return {};
}

Result<Header> read_header(const fs::path& path, int descriptor, std::uint64_t size) {
    Header header;
    const bool is_read = size >= sizeof header &&
                         read_bytes(descriptor, 0, std::as_writable_bytes(std::span(&header, 1)));
    if (!is_read || header.magic != kMagic) return not_usable(path, "is not a checkpoint");
    if (header.version != kVersion || header.header_bytes != sizeof header)
        return not_usable(path, "was written by another version of Ringlet");
    if (header.length != size) return not_usable(path, "is cut short");
    return header;
}

}  // namespace

Result<void> write_checkpoint(const fs::path& path, const CheckpointContent& content,
                              const MemorySpans& state) {
    const auto failed = [&](int failure) {
        std::error_code ignored;
        fs::remove(path, ignored);
        return Error{std::string("cannot be written: ") + std::strerror(failure), path.string()};
    };
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.number() < 0) return failed(errno);
    Header header;
    HashedOut out(file.number());
    out.write(std::as_bytes(std::span(&header, 1)));
    out.number(std::uint64_t{content.facts.size()});
    for (const auto& [name, value] : content.facts) {
        out.text(name);
        out.text(value);
    }
    out.number(std::int64_t{content.next_frame});
    out.text(content.progress);
    out.number(std::uint64_t{state.size()});
    for (const std::span<std::byte> piece : state) out.number(std::uint64_t{piece.size()});
    for (const std::span<std::byte> piece : state) out.bytes(piece);
    header.length = sizeof header + out.total();
    header.checksum = out.hash();
    if (out.failure() != 0) return failed(out.failure());
    if (::lseek(file.number(), 0, SEEK_SET) != 0) return failed(errno);
    out.write(std::as_bytes(std::span(&header, 1)));
    if (out.failure() != 0) return failed(out.failure());
    if (::fdatasync(file.number()) != 0 && errno != EINVAL) return failed(errno);
    return {};
}

Result<CheckpointFile> CheckpointFile::open(const fs::path& path) {
    const Result<std::uint64_t> size = regular_file_size(path);
    if (!size) return size.error();
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0)
        return not_usable(path, std::string("cannot be read: ") + std::strerror(errno));
    const Result<Header> header = read_header(path, file.number(), *size);
    if (!header) return header.error();
    if (Result<void> good = check_content(path, file.number(), *header); !good) return good.error();
    CheckpointFile out;
    out.path_ = path;
    CheckedIn in(file.number(), sizeof(Header), header->length);
    const auto facts = in.number<std::uint64_t>();
    for (std::uint64_t k = 0; k < facts && in.is_good(); ++k) {
        std::string name = in.text();
        out.content_.facts.emplace_back(std::move(name), in.text());
    }
    const auto next = in.number<std::int64_t>();
    if (next < 0 || next > std::numeric_limits<int>::max()) in.fail();
    out.content_.next_frame = static_cast<int>(in.is_good() ? next : 0);
    out.content_.progress = in.text();
    const auto pieces = in.number<std::uint64_t>();
    if (pieces > in.left() / sizeof(std::uint64_t)) in.fail();
    std::uint64_t total = 0;
    for (std::uint64_t k = 0; k < pieces && in.is_good(); ++k) {
        out.piece_sizes_.push_back(in.number<std::uint64_t>());
        if (out.piece_sizes_.back() > header->length - total) in.fail();
        total += in.is_good() ? out.piece_sizes_.back() : 0;
    }
    out.state_at_ = in.at();
    if (!in.is_good() || total != in.left()) return not_usable(path, "is damaged");
    return out;
}

bool CheckpointFile::fits(const MemorySpans& state) const {
    return std::ranges::equal(state, piece_sizes_, {},
                              [](std::span<std::byte> piece) { return piece.size(); });
}

Result<void> CheckpointFile::read_state(const MemorySpans& state) const {
    const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    std::uint64_t at = state_at_;
    for (const std::span<std::byte> piece : state) {
        if (file.number() < 0 || !read_bytes(file.number(), at, piece))
            return not_usable(path_, "could not be read to its end");
        at += piece.size();
    }
    return {};
}

}  // namespace ringlet
