// The types of Alembic's properties and samples, shared by reader and writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringlet {

// In the order of the numbers in a file.
enum class AbcPod : std::uint8_t {
    boolean,
    uint8,
    int8,
    uint16,
    int16,
    uint32,
    int32,
    uint64,
    int64,
    float16,
    float32,
    float64,
    string,
    wide_string,
};
inline constexpr unsigned kAbcPodCount = 14;

// Bytes of one number; 0 for strings.
constexpr std::size_t bytes_of(AbcPod pod) {
    constexpr std::size_t kBytes[kAbcPodCount] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 0, 0};
    return kBytes[static_cast<std::size_t>(pod)];
}

// The type of one item of a sample: `extent` numbers.
struct AbcType {
    AbcPod pod = AbcPod::float32;
    std::uint8_t extent = 1;

    std::size_t bytes() const { return bytes_of(pod) * extent; }
    bool operator==(const AbcType&) const = default;
};

enum class AbcKind : std::uint8_t { compound, scalar, array };

// The bits of the 32-bit word that starts the header of a property.
inline constexpr std::uint32_t kAbcKindBits = 0x3;       // 0: compound, 1: scalar, 2 and 3: array
inline constexpr int kAbcSizeShift = 2;                  // 0, 1, 2: numbers of 1, 2, 4 bytes follow
inline constexpr int kAbcPodShift = 4;                   // 4 bits
inline constexpr std::uint32_t kAbcHasSampling = 0x100;  // a time sampling other than 0
inline constexpr std::uint32_t kAbcHasChanges = 0x200;   // first and last changed sample follow
inline constexpr std::uint32_t kAbcSameSize = 0x400;     // all samples have the same size
inline constexpr std::uint32_t kAbcIsConstant = 0x800;   // all samples are equal
inline constexpr int kAbcExtentShift = 12;               // 8 bits
inline constexpr int kAbcMetadataShift = 20;             // 8 bits
inline constexpr std::uint32_t kAbcOwnMetadata = 0xff;   // the metadata follows in the header

// Schemas, as the metadata of objects and compounds names them.
inline constexpr std::string_view kAbcXform = "AbcGeom_Xform_v3";
inline constexpr std::string_view kAbcCurves = "AbcGeom_Curve_v2";
inline constexpr std::string_view kAbcPolyMesh = "AbcGeom_PolyMesh_v1";
inline constexpr std::string_view kAbcSubdivision = "AbcGeom_SubD_v1";
inline constexpr std::string_view kAbcCamera = "AbcGeom_Camera_v1";

}  // namespace ringlet
