// The readers of groom files.
#include "fuzz/fuzz_target.h"
#include "io/alembic/abc_groom.h"
#include "io/data/data_file.h"
#include "io/groom_file.h"
#include "io/hair/hair_file.h"
#include "io/numpy/numpy_groom.h"
#include "io/numpy/zip_file.h"
#include "io/polyline/obj_strands.h"
#include "io/polyline/ply_file.h"
#include "io/strand_checks.h"
#include "io/tfx/tfx_file.h"
#include "io/usd/usd_groom.h"
#include "math/finite.h"
#include "unit/some_strands.h"

namespace ringlet {
namespace {

using Parse = Result<StrandSet> (*)(std::string_view bytes, const std::string& name);
using Seeds = std::vector<std::string>;

std::string fault_of(const StrandSet& strands) {
    if (const auto wrong = non_finite_strand(strands)) return *wrong;
    const auto count = static_cast<std::size_t>(strands.strand_count());
    if (!strands.root_uv.empty() && strands.root_uv.size() != count)
        return "root_uv has a wrong size";
    return {};
}

// Strands with the same and with different numbers of vertices, with and without colours.
Seeds written_seeds(const std::string& extension) {
    StrandSet equal = some_strands({3, 3}), other = some_strands({2, 4, 1});
    other.root_uv = {{0.25f, 0.5f}, {0.75f, 1}, {0.5f, 0.125f}};
    StrandSet plain{StrandLayout(std::vector<int>{2, 2})};
    for (int s = 0; s < 2; ++s) plain.position.set_vec3(s, 1, {0.5f, 1, 2});
    Seeds out;
    for (const StrandSet* const strands : {&equal, &other, &plain}) {
        if (strands == &other && groom_format_of("a" + extension)->needs_equal_counts) continue;
        out.push_back(written_bytes(extension, [&](const std::filesystem::path& path) {
            return write_groom(path, *strands, "a remark");
        }));
    }
    return out;
}

// `more` are seeds of kinds that Ringlet does not write.
FuzzTarget groom(const std::string& extension, Parse parse, const Seeds& more = {}) {
    const auto seeds = [=] {
        Seeds out = written_seeds(extension);
        out.insert(out.end(), more.begin(), more.end());
        return out;
    };
    const auto run = [=](std::string_view input) {
        return outcome_of(parse(input, "input"), fault_of);
    };
    return {"groom_" + extension.substr(1), run, seeds};
}

Result<StrandSet> parse_hair_salon(std::string_view bytes, const std::string& name) {
    return parse_data(bytes, DataKind::kHairSalon, name);
}

Result<StrandSet> parse_ct2hair(std::string_view bytes, const std::string& name) {
    return parse_data(bytes, DataKind::kCt2Hair, name);
}

Result<StrandSet> parse_usda_groom(std::string_view bytes, const std::string& name) {
    const Result<UsdaLayer> layer = parse_usda(bytes, name);
    if (!layer) return layer.error();
    return usd_strands(*layer, name);
}

const Seeds kPlySeeds{
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty float y\nproperty int z\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\nelement edge 2\n"
    "property int vertex1\nproperty int vertex2\nend_header\n0 1 2 3 4 5\n1 1 2 3 4 5\n"
    "2 1 2 3 4 5\n0 1\n2 1\n",
    "ply\nformat ascii 1.0\ncomment c\nelement vertex 2\nproperty float x\nproperty float y\n"
    "property float z\nelement strand 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n0 1 0\n2 0 1\n"};

const Seeds kObjSeeds{
    "v 0 0 0\nv 0 1 0\nv 0 2 0\no a\nl 1 2\nl 2 3\ng b\nl -1 -2 -3\nv 1 0 0\np -1\n"};

const Seeds kUsdaSeeds{
    "#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = \"Z\"\n)\ndef Xform \"a\" (active = "
    "true)\n"
    "{\n    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 2: (1, 2, 3) }\n"
    "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n    def BasisCurves \"b\"\n    {\n"
    "        uniform token type = \"linear\"\n        int[] curveVertexCounts = [2, 2]\n        "
    "point3f[] points = [(0, 0, 0), (0, 1, 0), "
    "(1, 0, 0), (1, 1, 0)]\n        float[] widths = [0.1] (interpolation = \"constant\")\n"
    "        color3f[] primvars:displayColor = [(1, 0, 0), (0, 1, 0)] (\n"
    "            interpolation = \"uniform\"\n        )\n    }\n}\n"};

// The arrays of an archive without the archive, whose checksums hardly any mutation satisfies:
// a name, 0, the size of the array in two bytes, and the array, repeatedly.
std::string archive_of(std::string_view input) {
    ZipWriter zip;
    for (int k = 0; k < 20 && !input.empty(); ++k) {
        const std::vector<std::string_view> parts = zero_separated(input, 2);
        if (parts.size() < 2 || parts[1].size() < 2) break;
        const auto byte = [&](std::size_t at) {
            return static_cast<std::size_t>(static_cast<unsigned char>(parts[1][at]));
        };
        const std::string_view content = parts[1].substr(2).substr(0, byte(0) + 256 * byte(1));
        zip.add(parts[0], content);
        input = parts[1].substr(2 + content.size());
    }
    return zip.finish();
}

Seeds array_seeds() {
    Seeds out;
    for (const std::string& archive : written_seeds(".npz")) {
        std::string& seed = out.emplace_back();
        const std::vector<ZipEntry> entries = *list_zip(archive);
        for (const ZipEntry& entry : entries) {
            const std::string content = *unzip(archive, entry);
            seed += entry.name + '\0' + static_cast<char>(content.size() % 256) +
                    static_cast<char>(content.size() / 256) + content;
        }
    }
    return out;
}

FuzzOutcome run_arrays(std::string_view input) {
    return outcome_of(parse_npz_groom(archive_of(input), "input"), fault_of);
}

}  // namespace

std::vector<FuzzTarget> groom_targets() {
    return {groom(".hair", parse_hair),
            groom(".tfx", parse_tfx),
            groom(".data", parse_hair_salon),
            groom(".bin", parse_ct2hair),
            groom(".ply", parse_ply, kPlySeeds),
            groom(".obj", parse_obj_strands, kObjSeeds),
            groom(".usda", parse_usda_groom, kUsdaSeeds),
            groom(".npy", parse_npy_groom),
            groom(".npz", parse_npz_groom),
            {"groom_npz_arrays", run_arrays, array_seeds},
            groom(".abc", parse_abc_groom)};
}

}  // namespace ringlet
