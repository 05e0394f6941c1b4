#include <gtest/gtest.h>

#include "base/files.h"
#include "groom_checks.h"
#include "io/alembic/abc_groom.h"
#include "io/alembic/abc_mesh.h"
#include "io/alembic/abc_scene.h"
#include "io/alembic/abc_shapes_out.h"
#include "io/alembic/abc_writer.h"
#include "io/bytes.h"
#include "io/groom_file.h"
#include "io/mesh_format.h"
#include "io/shot_format.h"
#include "sphere_mesh.h"
#include "temp_folder.h"
#include "test_level.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

const ShotFormat& alembic() { return *shot_format_of("a.abc"); }

// A shot with two groups of strands, a mesh that turns and deforms, and a hidden collider.
struct SampleShot {
    StrandSet strands = some_strands({3, 2, 4});
    std::vector<Vec2f> root_uv{{0.25f, 0.5f}, {0.75f, 1}, {0.5f, 0.125f}};
    Mesh head = sphere_mesh({0, 0, 0}, 1, 6), collider = sphere_mesh({2, 0, 0}, 1, 4);
    ShotDescription shot;

    explicit SampleShot(int frames) {
        shot.title = "a title; with separators=1";
        shot.fps = 25;
        shot.first_frame = 10;
        shot.frame_count = frames;
        shot.has_velocities = true;
        shot.strands = view_of(strands);
        shot.root_uv = root_uv;
        shot.groups = {{"hair", 0, 2, 1}, {"a/b", 2, 1, 0}};
        shot.meshes = {{"head", &head, true, true, true}, {"groom", &collider, false, true, false}};
        shot.camera = ShotCamera{};
    }
    // Sample values of a frame.
    Channel<3> positions(int frame) const {
        Channel<3> out = strands.position;
        for (int s = 0; s < strands.strand_count(); ++s)
            for (int i = 0; i < strands.layout->vertex_count(s); ++i)
                out.set_vec3(s, i,
                             strands.position.vec3(s, i) + Vec3f{0.1f * static_cast<float>(frame),
                                                                 0, 0.01f * static_cast<float>(i)});
        return out;
    }
    std::vector<Vec3f> head_positions(int frame) const {
        std::vector<Vec3f> out = head.positions;
        for (Vec3f& p : out) p = p * (1 + 0.25f * static_cast<float>(frame));
        return out;
    }
    static Rigidf pose(int frame) {
        return {quat_from_axis_angle(Vec3f{0, 1, 0}, 0.3f * static_cast<float>(frame)),
                {0, 0.5f * static_cast<float>(frame), 0}};
    }
    Result<void> add_frame(ShotWriter& writer, int frame) const {
        const Channel<3> now = positions(frame), velocity = positions(frame + 100);
        const std::vector<Vec3f> shape = head_positions(frame);
        ShotFrame out;
        out.number = shot.first_frame + frame;
        out.positions = &now;
        out.velocities = &velocity;
        out.meshes = {{pose(frame), shape}, {pose(2 * frame), {}}};
        return writer.add_frame(out);
    }
    void write(const fs::path& path) const {
        Result<std::unique_ptr<ShotWriter>> writer = alembic().open(path, shot, {});
        ASSERT_TRUE(writer) << writer.error().text();
        for (int frame = 0; frame < shot.frame_count; ++frame)
            ASSERT_TRUE(add_frame(**writer, frame));
        ASSERT_TRUE((*writer)->finish());
    }
};

TEST(alembic, hashes_samples_like_other_programs) {
    // Known values of MurmurHash3_x64_128 with seed 0.
    SampleHash hash;
    EXPECT_EQ(hash.key(), SampleKey{});
    hash.add("hello");
    EXPECT_EQ(hash.key(), (SampleKey{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19}));
    const std::string_view text = "The quick brown fox jumps over the lazy dog";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        SampleHash pieces;
        pieces.add(text.substr(0, cut));
        pieces.add(text.substr(cut));
        EXPECT_EQ(pieces.key(), (SampleKey{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347})) << cut;
    }
}

TEST(alembic, keeps_every_bit_of_every_frame) {
    const TempFolder folder;
    const SampleShot sample(3);
    sample.write(folder / "shot.abc");
    for (int frame = 0; frame < 3; ++frame) {
        const double time = (10 + frame) / 25.0;
        const Result<StrandSet> back = read_abc_groom(folder / "shot.abc", time);
        ASSERT_TRUE(back) << back.error().text();
        StrandSet expected = sample.strands;
        expected.position = sample.positions(frame);
        expect_same_positions(expected, *back);
        expect_same_appearance(expected, *back);
        ASSERT_EQ(back->root_uv.size(), 3u);
        EXPECT_EQ(back->root_uv[2].y, 0.125f);
    }
    // Between the samples it interpolates, and before the first the first holds.
    const Result<StrandSet> between = read_abc_groom(folder / "shot.abc", 10.5 / 25);
    ASSERT_TRUE(between);
    EXPECT_NEAR(between->position.at(0, 0, 0),
                0.5f * (sample.positions(0).at(0, 0, 0) + sample.positions(1).at(0, 0, 0)), 1e-6f);
    const Result<StrandSet> first = read_groom(folder / "shot.abc");
    ASSERT_TRUE(first);
    EXPECT_TRUE(same_bits(first->position.vec3(0, 0), sample.positions(0).vec3(0, 0)));
}

TEST(alembic, is_read_at_a_time) {
    const TempFolder folder;
    const SampleShot sample(3);
    sample.write(folder / "shot.abc");
    const Result<StrandSet> later = read_groom(folder / "shot.abc", {.time = 12 / 25.0});
    ASSERT_TRUE(later) << later.error().text();
    EXPECT_TRUE(same_bits(later->position.vec3(1, 1), sample.positions(2).vec3(1, 1)));
    ASSERT_TRUE(write_groom(folder / "a.hair", sample.strands));
    const Result<StrandSet> refused = read_groom(folder / "a.hair", {.time = 0.5});
    ASSERT_FALSE(refused);
    EXPECT_SAYS(refused.error().message, "has no time");
}

TEST(alembic, reads_the_moving_mesh_back) {
    const TempFolder folder;
    const SampleShot sample(3);
    sample.write(folder / "shot.abc");
    const Result<Mesh> mesh = read_mesh(folder / "shot.abc");
    ASSERT_TRUE(mesh) << mesh.error().text();
    // The collider is hidden, so the head is the whole mesh.
    ASSERT_EQ(mesh->triangle_count(), sample.head.triangle_count());
    ASSERT_EQ(mesh->animations.size(), 1u);
    EXPECT_NEAR(mesh->animations[0].seconds, 2 / 25.0f, 1e-6f);
    double volume = 0;
    for (int t = 0; t < mesh->triangle_count(); ++t)
        volume += static_cast<double>(
            dot(mesh->corner(t, 0), cross(mesh->corner(t, 1), mesh->corner(t, 2))));
    EXPECT_GT(volume, 0) << "triangles are counter-clockwise seen from outside";
    const Result<MeshFrames> frames = read_animation(folder / "shot.abc", *mesh, 0);
    ASSERT_TRUE(frames) << frames.error().text();
    EXPECT_NEAR(frames->fps, 25, 1e-4f);
    ASSERT_EQ(frames->frames.size(), 3u);
    for (int frame = 0; frame < 3; ++frame) {
        const std::vector<Vec3f> expected = sample.head_positions(frame);
        // Every vertex of the mesh is one of the head's, in the order of its triangles.
        for (int t = 0; t < mesh->triangle_count(); ++t)
            for (int k = 0; k < 3; ++k) {
                const auto from = sample.head.indices[static_cast<std::size_t>(3 * t + k)];
                const Vec3f placed = apply(SampleShot::pose(frame), expected[from]);
                float nearest = 1e9f;
                for (int c = 0; c < 3; ++c) {
                    const auto to = mesh->indices[static_cast<std::size_t>(3 * t + c)];
                    nearest = std::min(
                        nearest,
                        norm(frames->frames[static_cast<std::size_t>(frame)][to] - placed));
                }
                ASSERT_LT(nearest, 1e-6f) << "frame " << frame << ", triangle " << t;
            }
    }
}

TEST(alembic, writes_centimetres_and_z_up_where_asked) {
    const TempFolder folder;
    SampleShot sample(1);
    sample.shot.axes = {0.01, true};
    sample.write(folder / "shot.abc");
    const Result<StrandSet> back = read_groom(folder / "shot.abc");
    ASSERT_TRUE(back) << back.error().text();
    const Vec3f p = sample.positions(0).vec3(2, 3), q = back->position.vec3(2, 3);
    EXPECT_NEAR(q.x, 100 * p.x, 1e-5f);
    EXPECT_NEAR(q.y, -100 * p.z, 1e-5f);
    EXPECT_NEAR(q.z, 100 * p.y, 1e-5f);
    EXPECT_NEAR(back->radius.at(2, 3), 100 * sample.strands.radius.at(2, 3), 1e-5f);
    // The pose of the mesh, too: the first vertex of frame 0 is at its own position.
    const Result<Mesh> mesh = read_mesh(folder / "shot.abc");
    ASSERT_TRUE(mesh);
    EXPECT_NEAR(bounds_of(*mesh).high.z, 100, 1e-3f);
}

// The names, types and scopes that Unreal expects.
TEST(alembic, names_the_attributes_of_grooms) {
    const TempFolder folder;
    const SampleShot sample(2);
    sample.write(folder / "shot.abc");
    Result<AbcReader> reader = AbcReader::open(folder / "shot.abc");
    ASSERT_TRUE(reader) << reader.error().text();
    const auto objects = reader->children(reader->top());
    ASSERT_TRUE(objects);
    ASSERT_EQ(objects->size(), 4u);
    EXPECT_EQ((*objects)[0].name, "groom");
    EXPECT_EQ((*objects)[1].name, "head");
    EXPECT_EQ((*objects)[2].name, "groom_2") << "names are unique";
    EXPECT_EQ((*objects)[3].name, "camera");
    const auto node = reader->properties((*objects)[0]);
    const auto parts = reader->properties(node->at(0));
    const auto user = reader->properties(*find_property(*parts, ".userProperties"));
    const AbcProperty* const version = find_property(*user, "groom_version_minor");
    ASSERT_NE(version, nullptr);
    EXPECT_EQ(version->kind, AbcKind::scalar);
    EXPECT_EQ(version->type, (AbcType{AbcPod::int16, 1}));
    EXPECT_EQ(*reader->sample(*version, 0), std::string("\x05\0", 2));
    const auto groups = reader->children((*objects)[0]);
    ASSERT_EQ(groups->size(), 2u);
    EXPECT_EQ((*groups)[1].name, "a_b") << "a name contains no separator of paths";
    const auto curves = reader->properties((*groups)[0]);
    const auto geometry = reader->properties(curves->at(0));
    const auto others = reader->properties(*find_property(*geometry, ".arbGeomParams"));
    const auto check = [&](const char* name, AbcType type, const char* scope, std::size_t bytes) {
        const AbcProperty* const found = find_property(*others, name);
        ASSERT_NE(found, nullptr) << name;
        EXPECT_EQ(found->kind, AbcKind::array) << name;
        EXPECT_EQ(found->type, type) << name;
        EXPECT_EQ(found->scope, scope) << name;
        EXPECT_EQ(reader->sample(*found, 0)->size(), bytes) << name;
    };
    check("groom_id", {AbcPod::int32, 1}, "uni", 8);
    check("groom_guide", {AbcPod::int32, 1}, "uni", 8);
    check("groom_group_id", {AbcPod::int32, 1}, "con", 4);
    check("groom_group_name", {AbcPod::string, 1}, "con", 5);
    check("groom_root_uv", {AbcPod::float32, 2}, "uni", 16);
    check("groom_width", {AbcPod::float32, 1}, "vtx", 20);
    check("groom_color", {AbcPod::float32, 3}, "vtx", 60);
    EXPECT_EQ(*reader->sample(*find_property(*others, "groom_guide"), 0),
              std::string("\1\0\0\0\0\0\0\0", 8));
    const AbcProperty* const velocity = find_property(*geometry, ".velocities");
    ASSERT_NE(velocity, nullptr);
    EXPECT_TRUE(
        same_bits(vec3_at(*reader->sample(*velocity, 1), 12), sample.positions(101).vec3(0, 1)));
}

TEST(alembic, stores_constant_and_repeated_samples_once) {
    const TempFolder folder;
    AbcWriter file(folder / "a.abc", "");
    const std::uint32_t sampling = file.add_sampling(0, 0.5);
    const auto top = file.properties_of(file.top());
    const auto same = file.add_array(top, "same", "", {AbcPod::float32, 1}, sampling);
    const auto some = file.add_array(top, "some", "", {AbcPod::float32, 1}, sampling);
    const auto longer = file.add_scalar(top, "longer", "", {AbcPod::uint8, 1}, sampling);
    const std::string block(1 << 16, 'x');
    for (const char c : {'a', 'a', 'b', 'b', 'c', 'c'}) {
        file.add_sample(same, block);
        file.add_sample(some, block + std::string(4, c));
        file.add_sample(longer, std::string(1, c));
    }
    file.extend(longer, 400);
    ASSERT_TRUE(file.finish());
    EXPECT_LT(fs::file_size(folder / "a.abc"), 5u << 16);
    Result<AbcReader> reader = AbcReader::open(folder / "a.abc");
    ASSERT_TRUE(reader) << reader.error().text();
    const auto back = reader->properties(reader->top());
    ASSERT_EQ(back->size(), 3u);
    EXPECT_TRUE(back->at(0).is_constant());
    EXPECT_EQ(back->at(0).count, 6u);
    EXPECT_EQ(back->at(2).count, 400u);
    const std::string expected = "aabbcc";
    for (std::uint32_t k = 0; k < 6; ++k) {
        EXPECT_EQ(*reader->sample(back->at(0), k), block) << k;
        EXPECT_EQ(reader->sample(back->at(1), k)->back(), expected[k]) << k;
        EXPECT_EQ(reader->sample(back->at(2), k)->back(), expected[k]) << k;
    }
    EXPECT_EQ(*reader->sample(back->at(2), 399), "c");
    EXPECT_EQ(reader->sampling(back->at(1)).time_of(3), 1.5);
}

std::string doubles(std::initializer_list<double> values) {
    std::string out;
    for (const double value : values) append_f64(out, value);
    return out;
}

std::string integers(std::initializer_list<int> values) {
    std::string out;
    for (const int value : values) append_u32(out, static_cast<std::uint32_t>(value));
    return out;
}

std::string vectors(std::initializer_list<Vec3f> values) {
    std::string out;
    for (const Vec3f value : values) append_vec3(out, value);
    return out;
}

// A transform of another program, of several operations.
AbcWriter::Object add_operations(AbcWriter& file, AbcWriter::Object parent, const char* name,
                                 const std::string& codes, const std::string& first,
                                 const std::string& second, std::uint32_t sampling,
                                 bool inherits = true) {
    const AbcSchemaOut out = add_schema(file, parent, name, kAbcXform);
    const auto extent = [](std::size_t size) { return static_cast<std::uint8_t>(size); };
    file.add_sample(file.add_scalar(out.schema, ".inherits", "", {AbcPod::boolean, 1}, 0),
                    std::string(1, inherits ? '\1' : '\0'));
    file.add_sample(
        file.add_scalar(out.schema, ".ops", "", {AbcPod::uint8, extent(codes.size())}, 0), codes);
    const auto values = file.add_scalar(out.schema, ".vals", "",
                                        {AbcPod::float64, extent(first.size() / 8)}, sampling);
    file.add_sample(values, first);
    file.add_sample(values, second);
    return out.object;
}

void add_triangle(AbcWriter& file, AbcWriter::Object parent, const char* name) {
    const AbcSchemaOut out = add_schema(file, parent, name, kAbcPolyMesh);
    file.add_sample(file.add_array(out.schema, "P", "", {AbcPod::float32, 3}, 0),
                    vectors({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    file.add_sample(file.add_array(out.schema, ".faceIndices", "", {AbcPod::int32, 1}, 0),
                    integers({2, 1, 0}));
    file.add_sample(file.add_array(out.schema, ".faceCounts", "", {AbcPod::int32, 1}, 0),
                    integers({3}));
}

TEST(alembic, applies_the_transforms_above_a_mesh) {
    const TempFolder folder;
    AbcWriter file(folder / "a.abc", "");
    const std::uint32_t sampling = file.add_sampling(0, 1);
    // Translates by (10, 0, 0), later (20, 0, 0), after a rotation by 90 degrees about z, after a
    // scale of 2.
    const auto outer = add_operations(file, file.top(), "outer", std::string("\x10\x60\x00", 3),
                                      doubles({10, 0, 0, 90, 2, 2, 2}),
                                      doubles({20, 0, 0, 90, 2, 2, 2}), sampling);
    const auto inner = add_operations(file, outer, "inner", "\x20", doubles({0, 0, 1, -90}),
                                      doubles({0, 0, 1, -90}), sampling);
    add_triangle(file, inner, "one");
    const auto apart = add_operations(file, outer, "apart", "\x10", doubles({0, 0, 5}),
                                      doubles({0, 0, 5}), sampling, false);
    add_triangle(file, apart, "two");
    ASSERT_TRUE(file.finish());
    const Result<Mesh> mesh = read_mesh(folder / "a.abc");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->parts, (std::vector<std::string>{"inner", "apart"}));
    ASSERT_EQ(mesh->positions.size(), 6u);
    const auto has = [](const std::vector<Vec3f>& positions, Vec3f p) {
        return std::ranges::any_of(positions, [&](Vec3f q) { return norm(q - p) < 1e-5f; });
    };
    EXPECT_TRUE(has(mesh->positions, {12, 0, 0})) << "outer and inner turn back to x";
    EXPECT_TRUE(has(mesh->positions, {10, 2, 0}));
    EXPECT_TRUE(has(mesh->positions, {1, 0, 5})) << "apart does not inherit";
    const Result<MeshFrames> frames = read_animation(folder / "a.abc", *mesh, 0);
    ASSERT_TRUE(frames) << frames.error().text();
    ASSERT_EQ(frames->frames.size(), 2u);
    EXPECT_TRUE(has(frames->frames[1], {22, 0, 0}));
    EXPECT_TRUE(has(frames->frames[1], {1, 0, 5}));
}

TEST(alembic, splits_vertices_at_indexed_uvs) {
    const TempFolder folder;
    AbcWriter file(folder / "a.abc", "");
    const AbcSchemaOut out = add_schema(file, file.top(), "quad", kAbcPolyMesh);
    file.add_sample(file.add_array(out.schema, "P", "", {AbcPod::float32, 3}, 0),
                    vectors({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
    file.add_sample(file.add_array(out.schema, ".faceIndices", "", {AbcPod::int32, 1}, 0),
                    integers({3, 2, 0, 0, 2, 1}));
    file.add_sample(file.add_array(out.schema, ".faceCounts", "", {AbcPod::int32, 1}, 0),
                    integers({3, 3}));
    const auto uv = file.add_compound(out.schema, "uv", "geoScope=fvr");
    std::string values;
    for (const float value : {0.0f, 0.0f, 0.5f, 0.25f}) append_f32(values, value);
    file.add_sample(file.add_array(uv, ".vals", "geoScope=fvr", {AbcPod::float32, 2}, 0), values);
    file.add_sample(file.add_array(uv, ".indices", "", {AbcPod::uint32, 1}, 0),
                    integers({0, 0, 0, 1, 0, 0}));
    ASSERT_TRUE(file.finish());
    const Result<Mesh> mesh = read_mesh(folder / "a.abc");
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->triangle_count(), 2);
    EXPECT_EQ(mesh->positions.size(), 5u) << "one corner has a UV of its own";
    EXPECT_EQ(std::ranges::count(mesh->uvs, 0.25f, &Vec2f::y), 1);
    EXPECT_GT(mesh->normals[0].z, 0.9f);
}

TEST(alembic, says_what_is_missing) {
    const TempFolder folder;
    ASSERT_TRUE(AbcWriter(folder / "none.abc", "").finish());
    EXPECT_TRUE(fs::exists(folder / "none.abc"));
    const Result<Mesh> no_mesh = read_mesh(folder / "none.abc");
    ASSERT_FALSE(no_mesh);
    EXPECT_SAYS(no_mesh.error().message, "neither meshes nor curves");
    AbcWriter file(folder / "mesh.abc", "");
    add_triangle(file, file.top(), "one");
    ASSERT_TRUE(file.finish());
    EXPECT_SAYS(read_groom(folder / "mesh.abc").error().message, "groom.mesh");
    ASSERT_TRUE(write_groom(folder / "hair.abc", some_strands({3})));
    EXPECT_SAYS(read_mesh(folder / "hair.abc").error().message, "groom.file");
    EXPECT_SAYS(error_of("\x89HDF\r\n\x1a\n        ", parse_abc_groom), "HDF5");
    std::string incomplete = *read_file(folder / "hair.abc");
    incomplete[5] = 0;
    EXPECT_SAYS(error_of(incomplete, parse_abc_groom), "incomplete");
}

TEST(alembic, leaves_nothing_of_an_unfinished_shot) {
    const TempFolder folder;
    const SampleShot sample(3);
    {
        Result<std::unique_ptr<ShotWriter>> writer =
            alembic().open(folder / "shot.abc", sample.shot, {});
        ASSERT_TRUE(writer);
        ASSERT_TRUE(sample.add_frame(**writer, 0));
        EXPECT_FALSE(fs::exists(folder / "shot.abc"));
    }
    EXPECT_TRUE(folder.is_empty());
    ASSERT_TRUE(write_file(folder / "file", ""));
    const auto refused = alembic().open(folder / "file" / "shot.abc", sample.shot, {});
    ASSERT_FALSE(refused);
    EXPECT_SAYS(refused.error().message, "cannot be");
}

std::string small_shot() {
    const TempFolder folder;
    SampleShot(2).write(folder / "shot.abc");
    return *read_file(folder / "shot.abc");
}

// The same bytes, read as a mesh. Returns no strands, which are not what is checked.
Result<StrandSet> parse_as_mesh(std::string_view bytes, const std::string& name) {
    const Result<Mesh> mesh = parse_abc_mesh(bytes, name);
    if (!mesh) return mesh.error();
    return StrandSet{};
}

TEST(alembic, survives_every_truncation) {
    const std::string whole = small_shot();
    EXPECT_EQ(survive_truncations(whole, parse_abc_groom).good, 0);
    EXPECT_EQ(survive_truncations(whole, parse_as_mesh).good, 0);
}

TEST(alembic, survives_flipped_bits) {
    const std::string whole = small_shot();
    for (const auto parse : {parse_abc_groom, parse_as_mesh}) {
        const Survived out = survive_flipped_bits(whole, whole.size(), parse);
        EXPECT_GT(out.good, 100);
        EXPECT_GT(out.bad, 100);
    }
}

// Replaces each 64-bit word of the file by numbers that would make a trusting reader fail.
TEST(alembic, survives_absurd_numbers) {
    const std::string whole = small_shot();
    const std::uint64_t root = u64_at(whole, 8);
    const std::uint64_t numbers[] = {0,
                                     1,
                                     ~std::uint64_t{0},
                                     std::uint64_t{1} << 62,
                                     root,
                                     whole.size() - 8,
                                     root | kOgawaData,
                                     0xffffffff};
    const std::size_t step = kSanitized ? 40 : 8;
    for (std::size_t at = 8; at + 8 <= whole.size(); at += step)
        for (const std::uint64_t number : numbers) {
            std::string bytes = whole;
            put(bytes, at, number);
            error_of(bytes, parse_abc_groom);
        }
}

TEST(alembic, refuses_objects_that_contain_themselves) {
    std::string whole = small_shot();
    const std::uint64_t root = u64_at(whole, 8);
    const std::uint64_t top = u64_at(whole, static_cast<std::size_t>(root) + 8 + 2 * 8);
    // The first child of the top object becomes the top object.
    put(whole, static_cast<std::size_t>(top) + 8 + 8, top);
    EXPECT_SAYS(error_of(whole, parse_abc_groom), "damaged");
}

}  // namespace
}  // namespace ringlet
