// Checkpoints: a session that continues from one has the bits of an uninterrupted one, and damaged
// files are refused.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "base/files.h"
#include "base/hash.h"
#include "ringlet/jobs.h"
#include "session/checkpoint_file.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/counted_memory.h"
#include "unit/groom_checks.h"
#include "unit/sphere_mesh.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

struct Case {
    const char* name;
    const char* scene;
    Texts overrides;
};

// Small grooms whose heads move, with contact and hair-hair coupling.
const Texts kSmall{"groom.strands=40", "groom.guides=0", "groom.vertices=12", "record.settle=0"};

std::vector<Case> cases() {
    return {
        {"rod", "shake", {"sim.model=rod", "hair_hair.friction=3", "hair_hair.repulsion=2"}},
        {"pbd", "shake", {"sim.model=pbd", "hair_hair.friction=3", "hair_hair.volume=1"}},
        {"ftl", "shake", {"sim.model=ftl", "hair_hair.friction=3", "hair_hair.repulsion=2"}},
        {"spring", "shake", {"sim.model=spring", "hair_hair.friction=3", "hair_hair.repulsion=2"}},
        {"backward_euler", "shake", {"sim.model=rod", "sim.rod.integrator=backward_euler"}},
        {"neck_and_gust", "curls", {}},
        {"children", "curls", {"groom.guides=10"}},
        {"several_heads", "models", {}},
        {"turbulence", "wind", {}},
        {"shells", "bunny", {}},
        {"original_fur", "bunny_original", {}},
        {"fur_strands", "bunny", {"fur.style=strands", "groom.strands=200", "groom.guides=20"}},
    };
}

Session open(const std::string& scene, const Texts& overrides) {
    SessionOptions options;
    options.overrides = overrides;
    options.threads = 1;
    Result<Session> session = Session::open(scene, options);
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

void save(Session& session, const fs::path& path) {
    const Result<void> done = write_checkpoint(path, {{{"name", "value"}}, 7, "progress"},
                                               session.impl().changing_memory(StateAccess::save));
    ASSERT_TRUE(done) << done.error().text();
}

void load(const fs::path& path, Session& session) {
    const Result<CheckpointFile> file = CheckpointFile::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->content().next_frame, 7);
    EXPECT_EQ(file->content().progress, "progress");
    const MemorySpans state = session.impl().changing_memory(StateAccess::load);
    ASSERT_TRUE(file->fits(state));
    ASSERT_TRUE(file->read_state(state));
    session.impl().restore();
}

// The report without what depends on the clock and the machine.
std::string numbers_of(const Session& session) {
    Report report = session.report();
    report.seconds = report.ms_per_frame = report.vertex_steps_per_second = 0;
    report.peak_memory_bytes = 0;
    return report.to_json();
}

// Displays between two steps, as frames of a render do.
void advance(Session& session, int from, int to) {
    for (int frame = from; frame <= to; ++frame) session.impl().advance_to(frame / 97.0);
}

std::vector<Vec3f> displayed(const Session& session) {
    return unpack(session.impl().strands(When::displayed).on_host());
}

void expect_continues(const TempFolder& folder, const std::string& scene, const Texts& overrides,
                      int frames) {
    Session whole = open(scene, overrides);
    advance(whole, 0, frames / 2 + 1);
    const std::vector<Vec3f> next = displayed(whole);  // often between the same two steps
    advance(whole, frames / 2 + 2, frames);
    {
        Session first = open(scene, overrides);
        advance(first, 0, frames / 2);
        const std::string before = first.hash();
        save(first, folder / "state");
        EXPECT_EQ(first.hash(), before);
        advance(first, frames / 2 + 1, frames);
        EXPECT_EQ(first.hash(), whole.hash()) << "saving changes nothing";
    }
    Session second = open(scene, overrides);
    for (Actor& actor : second.impl().actors) actor.live.keep_previous();
    load(folder / "state", second);
    advance(second, frames / 2 + 1, frames / 2 + 1);
    EXPECT_EQ(std::memcmp(displayed(second).data(), next.data(), next.size() * sizeof(Vec3f)), 0);
    advance(second, frames / 2 + 2, frames);
    EXPECT_EQ(second.hash(), whole.hash());
    EXPECT_EQ(numbers_of(second), numbers_of(whole));
    const std::vector<Vec3f> expected = displayed(whole), found = displayed(second);
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(Vec3f)), 0);
}

std::string obj_text(const Mesh& mesh, float scale) {
    std::string out;
    for (const Vec3f p : mesh.positions)
        out += "v " + std::to_string(p.x * scale) + " " + std::to_string(p.y) + " " +
               std::to_string(p.z * scale) + "\n";
    for (std::size_t k = 0; k < mesh.indices.size(); k += 3)
        out += "f " + std::to_string(mesh.indices[k] + 1) + " " +
               std::to_string(mesh.indices[k + 1] + 1) + " " +
               std::to_string(mesh.indices[k + 2] + 1) + "\n";
    return out;
}

// Strands that shake with a ball, with contact, hair-hair coupling and turbulence.
std::string shaken_scene(const TempFolder& folder, const std::string& more = "") {
    std::ofstream out(folder / "shaken.toml");
    for (int k = 0; k < 12; ++k)
        out << "[[groom.strand]]\nroot = [" << 0.008 * k << ", 0.1, 0]\ndirection = [1, 1, 0]\n"
            << "length = 0.15\nvertices = 10\n";
    out << "[head]\nmotion = 'shake'\n[hair_hair]\nfriction = 3\nrepulsion = 2\n"
           "[wind]\nvelocity = [1, 0, 0]\nturbulence = 1\n"
           "[[collider]]\nshape = 'sphere'\nradius = 0.1\nattached = true\n"
        << more;
    return (folder / "shaken.toml").string();
}

TEST(checkpoint, a_session_continues_to_the_same_bits) {
    const TempFolder folder;
    for (const char* more : {"sim.model=rod", "sim.model=pbd", "sim.model=ftl", "sim.model=spring",
                             "sim.rod.integrator=backward_euler"}) {
        SCOPED_TRACE(more);
        expect_continues(folder, shaken_scene(folder), {more}, 30);
    }
}

TEST(checkpoint, several_heads_continue_to_the_same_bits) {
    const TempFolder folder;
    expect_continues(folder,
                     shaken_scene(folder,
                                  "[[actor]]\nset = ['sim.model=pbd']\n"
                                  "[[actor]]\nat = [0.5, 0, 0]\ndelay = 0.1\n"),
                     {}, 30);
}

TEST(checkpoint, built_in_scenes_continue_to_the_same_bits) {
    RINGLET_TEST_FROM(full);
    const TempFolder folder;
    for (const Case& now : cases()) {
        SCOPED_TRACE(now.name);
        Texts overrides = kSmall;
        overrides.insert(overrides.end(), now.overrides.begin(), now.overrides.end());
        expect_continues(folder, now.scene, overrides, 14);
    }
}

TEST(checkpoint, a_longer_run_of_every_model_continues_to_the_same_bits) {
    RINGLET_TEST_FROM(full);
    const TempFolder folder;
    for (const char* model : {"rod", "pbd", "ftl", "spring"}) {
        SCOPED_TRACE(model);
        expect_continues(folder, "curls",
                         {"groom.strands=200", "groom.guides=0", std::string("sim.model=") + model,
                          "hair_hair.friction=3"},
                         40);
    }
}

// A ball that widens and narrows: the head, and a collider on it.
TEST(checkpoint, a_deforming_head_continues_to_the_same_bits) {
    const TempFolder folder;
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.1f, 12);
    fs::create_directories(folder / "walk");
    std::ofstream(folder / "rest.obj") << obj_text(ball, 1);
    for (int k = 0; k < 8; ++k)
        std::ofstream(folder / ("walk/f" + std::to_string(k) + ".obj"))
            << obj_text(ball, 1 + 0.03f * static_cast<float>(k % 4));
    std::ofstream(folder / "scene.toml")
        << "[groom]\nmesh = 'rest.obj'\nscalp = ''\nstrands = 40\nvertices = 8\nlength = 0.1\n"
           "[head]\nsequence = 'walk/f#.obj'\nsequence_fps = 12\n"
           "[[collider]]\nshape = 'mesh'\ncell = 0.02\n";
    const bool is_quick = test_level() == TestLevel::quick;
    for (const char* more : {"sim.model=rod", "sim.model=pbd", "fur.style=shells"}) {
        if (is_quick && std::string(more) != "fur.style=shells") continue;
        SCOPED_TRACE(more);
        expect_continues(folder, (folder / "scene.toml").string(), {more}, is_quick ? 8 : 20);
    }
}

// A checkpoint of two strands, as bytes.
class CheckpointBytes : public testing::Test {
protected:
    CheckpointBytes() {
        std::ofstream(folder_ / "tiny.toml")
            << "[[groom.strand]]\nroot = [0, 0.3, 0]\ndirection = [1, 0, 0]\nlength = 0.1\n"
               "vertices = 4\n";
        Session session = open((folder_ / "tiny.toml").string(), {});
        session.step();
        save(session, folder_ / "state");
        bytes_ = *read_file(folder_ / "state");
    }
    Result<CheckpointFile> open_bytes(const std::string& bytes) const {
        std::ofstream(folder_ / "other", std::ios::binary) << bytes;
        return CheckpointFile::open(folder_ / "other");
    }
    static void set(std::string& bytes, std::size_t at, std::uint64_t value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    static void correct_checksum(std::string& bytes) {
        ByteHash hash;
        hash.add(std::as_bytes(std::span(bytes)).subspan(kHeader));
        set(bytes, 16, bytes.size());
        set(bytes, 24, hash.value());
    }

    static constexpr std::size_t kHeader = 32;
    TempFolder folder_;
    std::string bytes_;
};

TEST_F(CheckpointBytes, every_truncation_is_refused) {
    ASSERT_TRUE(open_bytes(bytes_));
    const std::size_t step = test_level() == TestLevel::quick ? 7 : 1;
    for (std::size_t size = 0; size < bytes_.size(); size += step)
        ASSERT_FALSE(open_bytes(bytes_.substr(0, size))) << size;
    EXPECT_FALSE(open_bytes(bytes_ + '\0'));
}

TEST_F(CheckpointBytes, flipped_bits_are_refused) {
    std::mt19937 random(1);
    const int flips = test_level() == TestLevel::quick ? 500 : 5000;
    for (int k = 0; k < flips; ++k) {
        std::string other = bytes_;
        const std::size_t bit = random() % (8 * other.size());
        other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
        ASSERT_FALSE(open_bytes(other)) << "bit " << bit;
    }
}

TEST_F(CheckpointBytes, foreign_files_are_named) {
    EXPECT_SAYS(open_bytes(std::string(1000, 'x')).error().text(), "is not a checkpoint");
    EXPECT_SAYS(open_bytes(bytes_.substr(0, 100)).error().text(), "is cut short");
    std::string later = bytes_;
    later[8] = 2;
    EXPECT_SAYS(open_bytes(later).error().text(), "another version");
    EXPECT_SAYS(CheckpointFile::open(folder_ / "none").error().text(), "no such file");
}

// Numbers that are wrong although the checksum is right: by a program that is not Ringlet.
TEST_F(CheckpointBytes, wrong_sizes_allocate_nothing) {
    for (std::size_t at = kHeader; at + 8 <= std::min<std::size_t>(bytes_.size(), 600); at += 5)
        for (const std::uint64_t value :
             {std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
            std::string other = bytes_;
            set(other, at, value);
            correct_checksum(other);
            std::ofstream(folder_ / "other", std::ios::binary) << other;
            const std::size_t peak = counted_memory::peak_of([&] {
                const Result<CheckpointFile> file = CheckpointFile::open(folder_ / "other");
            });
            ASSERT_LT(peak, std::size_t{4} << 20) << at;
        }
}

TEST_F(CheckpointBytes, another_scene_does_not_fit) {
    Session other = open("shake", kSmall);
    const Result<CheckpointFile> file = CheckpointFile::open(folder_ / "state");
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->fits(other.impl().changing_memory(StateAccess::load)));
}

TEST(byte_hash, does_not_depend_on_the_pieces) {
    std::vector<std::byte> bytes(101);
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::byte>(k * 37);
    ByteHash whole;
    whole.add(bytes);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        ByteHash parts;
        parts.add(std::span(bytes).first(cut));
        parts.add(std::span(bytes).subspan(cut));
        EXPECT_EQ(parts.value(), whole.value()) << cut;
    }
    bytes.push_back(std::byte{0});
    ByteHash longer;
    longer.add(bytes);
    EXPECT_NE(longer.value(), whole.value());
}

TEST(read_file_log, has_the_files_of_a_scene) {
    const TempFolder folder;
    std::ofstream(folder / "rest.obj") << obj_text(sphere_mesh({0, 0, 0}, 0.1f, 12), 1);
    std::ofstream(folder / "scene.toml")
        << "[groom]\nmesh = 'rest.obj'\nscalp = ''\nstrands = 4\nvertices = 4\nlength = 0.1\n";
    const Session session = open((folder / "scene.toml").string(), {});
    Texts names;
    for (const std::string& path : session.impl().input_files)
        names.push_back(fs::path(path).filename().string());
    EXPECT_EQ(names, (Texts{"rest.obj", "scene.toml"}));
}

TEST(leftovers, of_ended_processes_are_removed) {
    const TempFolder folder;
    const auto put = [&](const std::string& name) { std::ofstream(folder / name) << "x"; };
    const auto has = [&](const std::string& name) { return fs::exists(folder / name); };
    put(".x.part999999999-0.mp4");
    put(".x.part1-0.mp4");
    put(".x.part1.mp4");
    put(".xy.part999999999-0.mp4");
    put(".x.partial.mp4");
    const PendingFile own(folder / "x.mp4");
    std::ofstream(own.temporary()) << "x";
    remove_leftovers(folder / "x.mp4", true);
    EXPECT_FALSE(has(".x.part999999999-0.mp4"));
    EXPECT_TRUE(has(".x.part1-0.mp4")) << "process 1 runs";
    EXPECT_TRUE(has(".x.part1.mp4")) << "not a temporary of Ringlet";
    EXPECT_TRUE(has(".xy.part999999999-0.mp4")) << "of another file";
    EXPECT_TRUE(has(".x.partial.mp4"));
    EXPECT_TRUE(fs::exists(own.temporary()));
    {
        const PendingFile running(folder / "x.mp4", Temporary::resumable);
        remove_leftovers(folder / "x.mp4", false);
        EXPECT_TRUE(has(".x.partial.mp4"));
        const PendingFile second(folder / "x.mp4", Temporary::resumable);
        EXPECT_SAYS(second.check_folder().error().text(), "another run is writing it");
    }
    put(".x.partial.mp4");
    remove_leftovers(folder / "x.mp4", false);
    EXPECT_FALSE(has(".x.partial.mp4"));
    remove_leftovers(folder / "", false);
    EXPECT_FALSE(has(".xy.part999999999-0.mp4"));
}

TEST(hidden_beside, names_files_and_folders) {
    EXPECT_EQ(hidden_beside("/a/b.mp4", ".checkpoint"), "/a/.b.mp4.checkpoint");
    EXPECT_EQ(hidden_beside("/a/frames/", ".checkpoint"), "/a/.frames.checkpoint");
    EXPECT_EQ(hidden_beside("/a/frames/./", ".checkpoint"), "/a/.frames.checkpoint");
    EXPECT_EQ(hidden_beside("b.mp4", ".c"), fs::current_path() / ".b.mp4.c");
}

}  // namespace
}  // namespace ringlet
