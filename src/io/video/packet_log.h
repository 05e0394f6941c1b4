// The encoded packets of a video on their way to its file: a hidden file beside it, to which
// packets are appended. Another process can continue it after the last complete segment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/hash.h"

namespace ringlet {

// Precedes the bytes of a packet. Times in frames since the start of the video.
struct LoggedPacket {
    std::uint32_t size, flags;
    std::int64_t pts, dts, duration;
};

class PacketLog {
public:
    // `target` is the video.
    PacketLog(const std::filesystem::path& target, bool is_resumable);
    ~PacketLog();
    PacketLog(const PacketLog&) = delete;
    PacketLog& operator=(const PacketLog&) = delete;

    // `continues`: keeps what an earlier run has written; call truncate() next.
    Result<void> open(bool continues);
    // Fails without effect unless the file begins with that many bytes of that hash; otherwise
    // removes the bytes after them.
    Result<void> truncate(std::uint64_t bytes, std::uint64_t hash);

    Result<void> add(const LoggedPacket& header, const std::uint8_t* data);
    // All packets added so far belong to complete segments.
    void complete_segment();
    std::uint64_t complete_bytes() const { return complete_bytes_; }
    std::uint64_t complete_hash() const { return complete_hash_.value(); }
    // Blocks until all packets are on the disk.
    Result<void> flush() const;

    // Calls `visit` for all packets in order, until it fails.
    Result<void> each(
        const std::function<Result<void>(const LoggedPacket& header, const char* data)>& visit);

    // Keeps the file when this object is destroyed.
    void keep() { pending_->keep(true); }
    // Deletes the file. Nothing may be called afterwards.
    void remove();

private:
    Error failed(const std::string& what) const;

    std::string name_;
    std::optional<PendingFile> pending_;
    int descriptor_ = -1;
    std::uint64_t bytes_ = 0, complete_bytes_ = 0;
    ByteHash hash_, complete_hash_;
};

}  // namespace ringlet
