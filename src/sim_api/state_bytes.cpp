#include "sim_api/state_bytes.h"

#include <cstring>

#include "base/hash.h"
#include "ringlet/version.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kMagic = 0x54534c52;  // "RLST" in little-endian memory
constexpr std::uint32_t kVersion = RINGLET_VERSION_MAJOR << 16 | RINGLET_VERSION_MINOR;

struct Header {
    std::uint32_t magic = kMagic, version = kVersion;
    std::uint64_t fingerprint = 0;
    std::uint64_t size = 0;  // of everything after the header, in bytes
    std::uint64_t hash = 0;  // of everything after the header
};

std::uint64_t hash_of(std::span<const std::byte> bytes) {
    ByteHash out;
    out.add(bytes);
    return out.value();
}

std::size_t size_of(const MemorySpans& state) {
    std::size_t out = 0;
    for (const std::span<std::byte> piece : state) out += piece.size();
    return out;
}

}  // namespace

std::vector<std::byte> to_bytes(const MemorySpans& state, std::uint64_t fingerprint) {
    std::vector<std::byte> out(sizeof(Header));
    out.reserve(sizeof(Header) + size_of(state));
    for (const std::span<std::byte> piece : state)
        out.insert(out.end(), piece.begin(), piece.end());
    Header header;
    header.fingerprint = fingerprint;
    header.size = out.size() - sizeof(Header);
    header.hash = hash_of(std::span(out).subspan(sizeof(Header)));
    std::memcpy(out.data(), &header, sizeof header);
    return out;
}

Result<void> from_bytes(std::span<const std::byte> bytes, const MemorySpans& state,
                        std::uint64_t fingerprint) {
    Header header;
    if (bytes.size() < sizeof header) return Error{"these bytes are no saved state"};
    std::memcpy(&header, bytes.data(), sizeof header);
    bytes = bytes.subspan(sizeof header);
    if (header.magic != kMagic) return Error{"these bytes are no saved state"};
    if (header.version != kVersion)
        return Error{"the state was saved by another version of Ringlet; simulate again"};
    if (header.size != bytes.size() || header.hash != hash_of(bytes))
        return Error{"the saved state is damaged or cut short"};
    if (header.fingerprint != fingerprint || header.size != size_of(state))
        return Error{"the state belongs to other strands, settings or colliders"};
    for (const std::span<std::byte> piece : state) {
        if (!piece.empty()) std::memcpy(piece.data(), bytes.data(), piece.size());
        bytes = bytes.subspan(piece.size());
    }
    return {};
}

}  // namespace ringlet
