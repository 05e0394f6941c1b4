#include "io/numpy/zip_file.h"

#include <zlib.h>

#include <algorithm>

#include "base/assert.h"
#include "io/bytes.h"
#include "io/text.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50,
                        kDirectoryEnd = 0x06054b50, kDirectoryEnd64 = 0x06064b50,
                        kDirectoryLocator64 = 0x07064b50;
constexpr std::size_t kLocalHeaderBytes = 30, kEntryBytes = 46, kEndBytes = 22, kEnd64Bytes = 56,
                      kLocator64Bytes = 20;
constexpr std::uint32_t kIn64 = 0xffffffffu;  // the number is in the 64-bit record
// Deflate packs at most 258 bytes into 2 bits, and a few bytes of overhead.
constexpr std::uint64_t kMostPacking = 1032;
constexpr std::uint64_t kMostContent = std::uint64_t{4} << 30;

Error damaged_zip() {
    return {"is cut short or is not a zip archive: its directory cannot be read"};
}

struct Directory {
    std::uint64_t count, size, at;
};

Result<Directory> find_directory(std::string_view bytes) {
    if (bytes.size() < kEndBytes) return damaged_zip();
    // The end record is followed by a comment of at most 65,535 bytes.
    const std::size_t last = bytes.size() - kEndBytes;
    const std::size_t first = last > 65535 ? last - 65535 : 0;
    for (std::size_t at = last + 1; at-- > first;) {
        if (u32_at(bytes, at) != kDirectoryEnd) continue;
        Directory out{u16_at(bytes, at + 10), u32_at(bytes, at + 12), u32_at(bytes, at + 16)};
        if (at >= kLocator64Bytes && u32_at(bytes, at - kLocator64Bytes) == kDirectoryLocator64) {
            const std::uint64_t end64 = u64_at(bytes, at - kLocator64Bytes + 8);
            if (end64 > bytes.size() || bytes.size() - end64 < kEnd64Bytes ||
                u32_at(bytes, static_cast<std::size_t>(end64)) != kDirectoryEnd64)
                return damaged_zip();
            const auto e = static_cast<std::size_t>(end64);
            out = {u64_at(bytes, e + 32), u64_at(bytes, e + 40), u64_at(bytes, e + 48)};
        }
        if (out.at > bytes.size() || out.size > bytes.size() - out.at) return damaged_zip();
        return out;
    }
    return damaged_zip();
}

// Replaces the numbers of an entry that are in its 64-bit extra field.
bool read_extra_field(std::string_view extra, ZipEntry& entry) {
    for (std::size_t at = 0; extra.size() - at >= 4;) {
        const std::size_t id = u16_at(extra, at), size = u16_at(extra, at + 2);
        at += 4;
        if (size > extra.size() - at) return false;
        std::size_t next = at;
        for (std::uint64_t* value : {&entry.size, &entry.packed_size, &entry.header_at}) {
            if (id != 1 || *value != kIn64) continue;
            if (at + size - next < 8) return false;
            *value = u64_at(extra, next);
            next += 8;
        }
        at += size;
    }
    return true;
}

// The packed bytes of an entry. The local header repeats name and extra field with other lengths.
Result<std::string_view> packed_bytes(std::string_view bytes, const ZipEntry& entry) {
    if (entry.header_at > bytes.size() || bytes.size() - entry.header_at < kLocalHeaderBytes)
        return damaged_zip();
    const auto at = static_cast<std::size_t>(entry.header_at);
    if (u32_at(bytes, at) != kLocalHeader) return damaged_zip();
    const std::size_t start =
        at + kLocalHeaderBytes + u16_at(bytes, at + 26) + u16_at(bytes, at + 28);
    if (start > bytes.size() || entry.packed_size > bytes.size() - start) return damaged_zip();
    return bytes.substr(start, static_cast<std::size_t>(entry.packed_size));
}

// Returns fewer bytes than `size` where the data is damaged.
std::string inflated(std::string_view packed, std::size_t size) {
    std::string out;
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return out;
    std::size_t taken = 0, made = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        constexpr std::size_t kMost = 1 << 30;  // zlib counts in 32 bits
        // Grows with the data, so that a wrong size allocates little.
        if (made == out.size()) out.resize(std::min(size, 4 * packed.size() + 2 * made));
        stream.next_in =
            reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));  // is only read
        stream.avail_in = static_cast<uInt>(std::min(packed.size() - taken, kMost));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
        stream.avail_out = static_cast<uInt>(std::min(out.size() - made, kMost));
        const uInt in_before = stream.avail_in, out_before = stream.avail_out;
        state = inflate(&stream, Z_NO_FLUSH);
        taken += in_before - stream.avail_in;
        made += out_before - stream.avail_out;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END) made = std::min(made, size - std::min<std::size_t>(size, 1));
    out.resize(made);
    return out;
}

std::uint32_t checksum_of(std::string_view content) {
    uLong out = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < content.size(); at += 1 << 30)
        out = crc32(out, reinterpret_cast<const Bytef*>(content.data() + at),
                    static_cast<uInt>(std::min<std::size_t>(content.size() - at, 1 << 30)));
    return static_cast<std::uint32_t>(out);
}

}  // namespace

Result<std::vector<ZipEntry>> list_zip(std::string_view bytes) {
    const Result<Directory> directory = find_directory(bytes);
    if (!directory) return directory.error();
    const std::string_view list = bytes.substr(static_cast<std::size_t>(directory->at),
                                               static_cast<std::size_t>(directory->size));
    std::vector<ZipEntry> out;
    std::size_t at = 0;
    for (std::uint64_t k = 0; k < directory->count; ++k) {
        if (list.size() - at < kEntryBytes || u32_at(list, at) != kDirectoryEntry)
            return damaged_zip();
        const std::size_t name = u16_at(list, at + 28), extra = u16_at(list, at + 30),
                          comment = u16_at(list, at + 32);
        if (name + extra + comment > list.size() - at - kEntryBytes) return damaged_zip();
        if (u16_at(list, at + 8) & 1) return Error{"has an encrypted entry; save it without"};
        ZipEntry entry{std::string(list.substr(at + kEntryBytes, name)),
                       u16_at(list, at + 10),
                       u32_at(list, at + 16),
                       u32_at(list, at + 20),
                       u32_at(list, at + 24),
                       u32_at(list, at + 42)};
        if (!read_extra_field(list.substr(at + kEntryBytes + name, extra), entry))
            return damaged_zip();
        out.push_back(std::move(entry));
        at += kEntryBytes + name + extra + comment;
    }
    return out;
}

Result<std::string> unzip(std::string_view bytes, const ZipEntry& entry) {
    const Result<std::string_view> packed = packed_bytes(bytes, entry);
    if (!packed) return packed.error();
    const Error damaged{"its entry " + in_quotes(entry.name) +
                        " is damaged: size or checksum differ; save it again"};
    if (entry.method != 0 && entry.method != 8)
        return Error{"its entry " + in_quotes(entry.name) +
                     " is compressed with an unknown method; use numpy.savez_compressed"};
    if (entry.method == 0 ? entry.size != packed->size()
                          : entry.size / kMostPacking > packed->size())
        return damaged;
    if (entry.size > kMostContent)
        return Error{"its entry " + in_quotes(entry.name) + " is larger than 4096 MiB"};
    std::string content = entry.method == 0
                              ? std::string(*packed)
                              : inflated(*packed, static_cast<std::size_t>(entry.size));
    if (content.size() != entry.size || checksum_of(content) != entry.checksum) return damaged;
    return content;
}

void ZipWriter::add(std::string_view name, std::string_view content) {
    RINGLET_ASSERT(out_.size() + content.size() < kIn64, "the archive has less than 4 GiB");
    const auto at = static_cast<std::uint32_t>(out_.size());
    std::string common;
    append_u16(common, 20);  // version 2.0
    append_u16(common, 0);   // no flags
    append_u16(common, 0);   // stored
    append_u16(common, 0);   // time and date: 1980-01-01, so that equal content gives equal bytes
    append_u16(common, 0x0021);
    append_u32(common, checksum_of(content));
    append_u32(common, static_cast<std::uint32_t>(content.size()));
    append_u32(common, static_cast<std::uint32_t>(content.size()));
    append_u16(common, static_cast<std::uint16_t>(name.size()));
    append_u16(common, 0);  // no extra field
    append_u32(out_, kLocalHeader);
    out_ += common;
    out_ += name;
    out_ += content;
    append_u32(directory_, kDirectoryEntry);
    append_u16(directory_, 20);
    directory_ += common;
    append_u16(directory_, 0);  // no comment
    append_u16(directory_, 0);  // part 0
    append_u16(directory_, 0);  // binary
    append_u32(directory_, 0);  // attributes
    append_u32(directory_, at);
    directory_ += name;
    ++count_;
}

std::string ZipWriter::finish() {
    const auto at = static_cast<std::uint32_t>(out_.size());
    out_ += directory_;
    append_u32(out_, kDirectoryEnd);
    append_u32(out_, 0);  // part 0 of 0
    append_u16(out_, count_);
    append_u16(out_, count_);
    append_u32(out_, static_cast<std::uint32_t>(directory_.size()));
    append_u32(out_, at);
    append_u16(out_, 0);  // no comment
    return std::move(out_);
}

}  // namespace ringlet
