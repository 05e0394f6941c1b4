// Reads and writes zip archives, as far as .npz files need it: entries that are stored or deflated,
// with 64-bit sizes, without encryption and in one part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

struct ZipEntry {
    std::string name;
    std::uint16_t method = 0;       // 0: stored, 8: deflated
    std::uint32_t checksum = 0;     // CRC-32 of the content
    std::uint64_t packed_size = 0;  // in the file
    std::uint64_t size = 0;         // of the content
    std::uint64_t header_at = 0;    // offset of its local header
};

// The entries that the directory at the end of the archive lists. An Error states only the cause.
Result<std::vector<ZipEntry>> list_zip(std::string_view bytes);

// The content of an entry, after a check of its size and checksum. Allocates at most the size that
// the entry states, which is refused if no deflated data can have it. An Error states only the
// cause.
Result<std::string> unzip(std::string_view bytes, const ZipEntry& entry);

// Appends stored entries to an archive in memory. Archives of 4 GiB and more are not supported.
class ZipWriter {
public:
    void add(std::string_view name, std::string_view content);
    // The complete archive. Call it once, last.
    std::string finish();

private:
    std::string out_;
    std::string directory_;
    std::uint16_t count_ = 0;
};

}  // namespace ringlet
