// Ogawa, the container of Alembic files: a tree of groups and data.
//
// A file starts with "Ogawa", a byte that is 0xff once the file is complete, a version and the
// position of the root group. A group is a count and as many references; data is a size and as many
// bytes. A reference is a position in the file; its highest bit is set for data. A reference to
// position 0 is an empty group or empty data. All numbers have 64 bits, little endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "io/output_start.h"
#include "ringlet/result.h"

namespace ringlet {

using OgawaRef = std::uint64_t;
inline constexpr OgawaRef kOgawaData = std::uint64_t{1} << 63;  // also the empty data

inline bool is_ogawa_data(OgawaRef ref) { return (ref & kOgawaData) != 0; }

// Reads parts of a file, so that the memory in use depends on the parts, not on the file. Every
// position, count and size is checked against the file before anything is allocated.
class OgawaReader {
public:
    static Result<OgawaReader> open(const std::filesystem::path& path);
    // For tests and files in memory. `bytes` must outlive the reader.
    static Result<OgawaReader> over(std::string_view bytes, const std::string& name);

    OgawaRef root() const { return root_; }
    const std::string& name() const { return name_; }
    std::uint64_t file_bytes() const { return size_; }

    // The references of a group. Groups count against a budget in proportion to the file, because
    // a damaged file may refer to the same group again and again.
    Result<std::vector<OgawaRef>> group(OgawaRef ref);
    Result<std::uint64_t> data_size(OgawaRef ref) const;
    // All bytes of a data block except the first `skipped`. Blocks of headers count against the
    // budget, samples do not.
    Result<std::string> header_data(OgawaRef ref);
    Result<std::string> sample_data(OgawaRef ref, std::uint64_t skipped) const;

    Error damaged(const std::string& what) const;

private:
    class Source;

    OgawaReader(std::shared_ptr<const Source> source, std::string name);
    Result<void> read_start();
    Result<std::string> read(std::uint64_t at, std::uint64_t size) const;
    Result<void> spend(std::uint64_t bytes);

    std::shared_ptr<const Source> source_;
    std::string name_;
    std::uint64_t size_ = 0, budget_ = 0;
    OgawaRef root_ = 0;
};

// Writes a file from its start to its end under a temporary name. Keeps at most a few MiB. The
// first failure is kept and returned by finish(); later calls do nothing.
class OgawaWriter {
public:
    // With OutputStart::progress, the bytes of the earlier run stay until they are overwritten;
    // call continue_at() after the same data as then was added.
    OgawaWriter(const std::filesystem::path& path, const OutputStart& start);
    ~OgawaWriter();
    OgawaWriter(const OgawaWriter&) = delete;
    OgawaWriter& operator=(const OgawaWriter&) = delete;

    Result<void> state() const;

    OgawaRef add_data(std::string_view bytes);
    OgawaRef add_group(std::span<const OgawaRef> children);

    // Data that arrives in pieces: begin, append any number of times, then end or drop it. Returns
    // the reference. `prefix` replaces the first bytes of what was appended.
    void begin_data();
    void append(std::string_view bytes);
    OgawaRef end_data(std::string_view prefix);
    void drop_data();

    // Blocks until all data is on the disk, and returns the position after it.
    Result<std::uint64_t> save();
    // Continues at a position that save() returned in another process. Fails if the file is
    // shorter.
    Result<void> continue_at(std::uint64_t position);
    // Leaves the unfinished file for another run if finish() is not called.
    void keep_unfinished() { file_.keep(true); }

    // Completes the file and gives it its name.
    Result<void> finish(OgawaRef root);

private:
    void write(std::string_view bytes);
    void patch(std::uint64_t at, std::string_view bytes);
    void flush();
    void store(std::uint64_t at, std::string_view bytes);
    std::uint64_t end() const { return flushed_ + buffer_.size(); }

    PendingFile file_;
    std::string name_;
    int descriptor_ = -1;
    std::string buffer_;         // not yet in the file
    std::uint64_t flushed_ = 0;  // bytes in the file before the buffer
    std::uint64_t data_at_ = 0;  // position of the data that begin_data() began
    std::string failure_;        // empty: none
};

}  // namespace ringlet
