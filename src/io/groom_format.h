// A groom file format. Each format defines one GroomFormat in its own .cpp; groom_formats.def lists
// them. Readers, writers, help texts and error messages use the list, so a new format needs one
// file and one line.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// Data that some formats store in addition to the strands. Not owned.
struct GroomExtras {
    std::span<const Vec2f> root_uv = {};  // one per strand, or empty
    std::string_view information = {};    // a remark of at most a line
};

// Bits of GroomFormat::stores. Every format stores positions.
enum GroomContent : unsigned { kStoresColour = 1, kStoresRadius = 2, kStoresRootUv = 4 };

struct GroomFormat {
    std::string_view name;         // of the format, for lists: "TressFX 4"
    std::string_view extension;    // in lower case: ".tfx"
    std::string_view description;  // one line about the content
    unsigned stores = 0;           // what a file keeps besides positions; the rest is left out
    // True: write() needs strands with the same number of vertices.
    bool needs_equal_counts = false;
    // Fails with the remedy where this machine lacks a program that the format needs. Null: nothing
    // is needed.
    Result<void> (*check)() = nullptr;
    // Positions and radii as stored; missing colours and radii are 0.
    Result<StrandSet> (*read)(const std::filesystem::path& path);
    // The same at a time in seconds; read() returns the first frame. Null: files of the format have
    // no time.
    Result<StrandSet> (*read_at)(const std::filesystem::path& path, double seconds) = nullptr;
    // Positions and radii in metres, +Y up.
    Result<void> (*write)(const std::filesystem::path& path, const StrandView& strands,
                          const GroomExtras& extras);
};

// All formats, in the order of groom_formats.def.
std::span<const GroomFormat* const> all_groom_formats();

}  // namespace ringlet
