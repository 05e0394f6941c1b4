#include "io/video/packet_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace ringlet {

PacketLog::PacketLog(const std::filesystem::path& target, bool is_resumable)
    : name_(target.string()),
      pending_(std::in_place, target, is_resumable ? Temporary::resumable : Temporary::unique) {}

PacketLog::~PacketLog() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Error PacketLog::failed(const std::string& what) const {
    return {what + ": " + std::strerror(errno), name_};
}

Result<void> PacketLog::open(bool continues) {
    if (Result<void> ready = pending_->check_folder(); !ready) return ready;
    if (continues) pending_->keep(true);
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (continues ? 0 : O_TRUNC);
    descriptor_ = ::open(pending_->temporary().c_str(), flags, 0666);
    if (descriptor_ < 0) return failed("cannot be written");
    return {};
}

Result<void> PacketLog::truncate(std::uint64_t bytes, std::uint64_t hash) {
    const Error unusable{"its unfinished file is missing or damaged", name_};
    ByteHash found;
    std::vector<std::byte> piece(1 << 20);
    for (std::uint64_t at = 0; at < bytes;) {
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes - at));
        if (!read_bytes(descriptor_, at, std::span(piece).first(size))) return unusable;
        found.add(std::span(piece).first(size));
        at += size;
    }
    if (found.value() != hash) return unusable;
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
        return failed("cannot be written");
    bytes_ = complete_bytes_ = bytes;
    hash_ = complete_hash_ = found;
    return {};
}

Result<void> PacketLog::add(const LoggedPacket& header, const std::uint8_t* data) {
    const auto store = [&](std::span<const std::byte> part) {
        hash_.add(part);
        while (!part.empty()) {
            const ssize_t put =
                ::pwrite(descriptor_, part.data(), part.size(), static_cast<off_t>(bytes_));
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) return false;
            part = part.subspan(static_cast<std::size_t>(put));
            bytes_ += static_cast<std::uint64_t>(put);
        }
        return true;
    };
    if (store(std::as_bytes(std::span(&header, 1))) &&
        store(std::as_bytes(std::span(data, header.size))))
        return {};
    return failed("cannot be written");
}

void PacketLog::complete_segment() {
    complete_bytes_ = bytes_;
    complete_hash_ = hash_;
}

void PacketLog::remove() {
    pending_->keep(false);
    pending_.reset();
}

Result<void> PacketLog::flush() const {
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL) return failed("cannot be written");
    return {};
}

Result<void> PacketLog::each(
    const std::function<Result<void>(const LoggedPacket& header, const char* data)>& visit) {
    std::vector<char> data;
    for (std::uint64_t at = 0; at < bytes_;) {
        LoggedPacket header{};
        if (bytes_ - at < sizeof header ||
            !read_bytes(descriptor_, at, std::as_writable_bytes(std::span(&header, 1))) ||
            header.size > bytes_ - at - sizeof header)
            return Error{"its unfinished file cannot be read", name_};
        data.resize(header.size);
        if (!read_bytes(descriptor_, at + sizeof header, std::as_writable_bytes(std::span(data))))
            return Error{"its unfinished file cannot be read", name_};
        if (Result<void> done = visit(header, data.data()); !done) return done;
        at += sizeof header + header.size;
    }
    return {};
}

}  // namespace ringlet
