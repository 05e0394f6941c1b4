// Files as other programs write them: names that are not UTF-8, strands without thickness, doubled
// faces, huge coordinates, and meshes where strands are expected.
#include <cstring>
#include <nlohmann/json.hpp>

#include "program.h"

namespace ringlet {
namespace {

using Json = nlohmann::json;

class ForeignFiles : public Cli {
protected:
    Json info(const std::string& name) const {
        return Json::parse(run_well({"info", name, "--json"}).out, nullptr, false);
    }
};

constexpr const char* kSquare = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\n";

TEST_F(ForeignFiles, json_replaces_bytes_that_are_not_utf_8) {
    put("latin.obj", std::string(kSquare) + "usemtl K\xf6rper\nf 1 3 4\ng Gr\xfc\xdf\nf 1 4 2\n");
    const Json mesh = info("latin.obj");
    ASSERT_FALSE(mesh.is_discarded());
    EXPECT_EQ(mesh["materials"][0], "K\xef\xbf\xbdrper");
    const std::string scene = "Fris\xeb.toml";
    put(scene, kTinyScene);
    run_well({"simulate", scene, "--frames", "1", "--report", "r.json"});
    const Json report = Json::parse(read_text(file("r.json")), nullptr, false);
    ASSERT_FALSE(report.is_discarded());
    EXPECT_NE(report["scene"].get<std::string>().find("Fris\xef\xbf\xbd"), std::string::npos);
}

TEST_F(ForeignFiles, doubled_faces_are_not_open_edges) {
    // A closed tetrahedron, then each face again with the other winding.
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    const std::string faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const std::string again = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
    put("doubled.obj", corners + faces + again);
    const Json doubled = info("doubled.obj");
    EXPECT_EQ(doubled.value("open_edges", -1), 0);
    EXPECT_EQ(doubled.value("branching_edges", -1), 0);
    EXPECT_EQ(doubled.value("doubled_triangles", -1), 4);
    // One face is missing; a fin stands on another edge.
    put("fin.obj", corners + "v 1 1 1\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 4 5\n");
    const Json fin = info("fin.obj");
    EXPECT_EQ(fin.value("open_edges", -1), 5);
    EXPECT_EQ(fin.value("branching_edges", -1), 1);
    EXPECT_EQ(fin.value("doubled_triangles", -1), 0);
}

TEST_F(ForeignFiles, huge_coordinates_have_finite_lengths) {
    put("huge.obj", "v 0 0 0\nv 1e38 0 0\nv 1e38 1e38 0\nl 1 2 3\n");
    const Json strands = info("huge.obj");
    EXPECT_NEAR(strands["length"]["mean"].get<double>() / 2e38, 1, 1e-6);
    EXPECT_NEAR(strands["turns_per_metre"]["mean"].get<double>() * 2e38, 0.25, 1e-6);
    EXPECT_EQ(run_well({"info", "huge.obj"}).out.find("inf"), std::string::npos);
    put("wide.obj", "v 0 0 0\nv 3e38 0 0\nv 0 0 3e38\nf 1 3 2\n");
    EXPECT_NEAR(info("wide.obj")["area"].get<double>() / 4.5e76, 1, 1e-6);
}

TEST_F(ForeignFiles, strands_without_thickness_are_converted_to_visible_hair) {
    put("bare.obj", "v 0 0 0\nv 0 -0.1 0\nv 0 -0.2 0\nl 1 2 3\n");
    const Outcome outcome = run_well({"convert", "bare.obj", "bare.hair"});
    EXPECT_NE(outcome.err.find("no colour or thickness"), std::string::npos) << outcome.err;
    const std::string bytes = read_text(file("bare.hair"));
    ASSERT_EQ(bytes.size(), 128u + 2 + 3 * 12) << "segments and points alone";
    float thickness = 0, red = 0;
    std::memcpy(&thickness, &bytes[20], 4);
    std::memcpy(&red, &bytes[28], 4);
    EXPECT_NEAR(thickness, 80e-6f, 1e-9f);
    EXPECT_GT(red, 0.01f);
    EXPECT_NEAR(info("bare.hair")["diameter"]["least"].get<double>(), 80e-6, 1e-9);
    EXPECT_EQ(run_well({"convert", "bare.hair", "full.ply"}).err.find("no colour"),
              std::string::npos);
}

TEST_F(ForeignFiles, a_mesh_given_as_a_groom_is_told_where_meshes_are_read) {
    put("head.obj", std::string(kSquare) + "f 1 3 4 2\n");
    put("head.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    for (const std::string name : {"head.obj", "head.ply"}) {
        put("scene.toml", "[groom]\nfile = '" + name + "'\n");
        expect_refused({"simulate", "scene.toml", "--frames", "1"},
                       {name, "meshes are read by groom.mesh"});
        expect_refused({"convert", name, "out.hair"}, {name, "meshes are read by groom.mesh"});
    }
}

}  // namespace
}  // namespace ringlet
