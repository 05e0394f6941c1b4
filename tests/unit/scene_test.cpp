// Scenes: every parameter reads back as written, and every error names its position.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>

#include "cpu_time.h"
#include "scene/key_aliases.h"
#include "scene/nearest_name.h"
#include "scene/parameters.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"
#include "sim/materials.h"
#include "test_level.h"

namespace ringlet {
namespace {

using Overrides = std::vector<std::string>;
using Library = std::map<std::string, std::string>;

Result<Scene> read(const std::string& text, const Overrides& overrides = {},
                   const Library& library = {}) {
    return read_scene(text, "test.toml", "folder", overrides,
                      [&](const std::string& name) -> Result<std::string> {
                          const auto found = library.find(name);
                          if (found == library.end()) return Error{"no scene \"" + name + "\""};
                          return found->second;
                      });
}

Scene read_well(const std::string& text, const Overrides& overrides = {},
                const Library& library = {}) {
    Result<Scene> scene = read(text, overrides, library);
    EXPECT_TRUE(scene) << scene.error().text();
    return scene ? std::move(*scene) : Scene{};
}

// Reads a text in which @ marks the position of the error; expects an error there with `words`.
void expect_error(std::string marked, const std::vector<std::string>& words,
                  const Library& library = {}) {
    const std::size_t at = marked.find('@');
    ASSERT_NE(at, std::string::npos);
    marked.erase(at, 1);
    const auto line =
        std::count(marked.begin(), marked.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const std::size_t start = at == 0 ? std::string::npos : marked.rfind('\n', at - 1);
    const Result<Scene> scene = read(marked, {}, library);
    ASSERT_FALSE(scene) << marked;
    const Error& error = scene.error();
    EXPECT_EQ(error.file, "test.toml");
    EXPECT_EQ(error.line, line + 1) << marked << "\n" << error.text();
    EXPECT_EQ(error.column, static_cast<int>(at - start)) << marked << "\n" << error.text();
    for (const std::string& word : words)
        EXPECT_NE(error.message.find(word), std::string::npos)
            << error.message << "\nlacks " << word;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}

void expect_override_error(const std::string& text, const std::vector<std::string>& words) {
    const std::string scene = "[[collider]]\nradius = 0.5\n[[collider]]\nradius = 0.6\n";
    const Result<Scene> got = read(scene, {text});
    ASSERT_FALSE(got) << text;
    for (const std::string& word : words)
        EXPECT_NE(got.error().message.find(word), std::string::npos)
            << got.error().message << "\nlacks " << word;
}

TEST(scene, of_an_empty_file_has_the_defaults) {
    const Scene scene = read_well("");
    EXPECT_EQ(scene.name, "test.toml");
    EXPECT_EQ(scene.folder, "folder");
    EXPECT_EQ(scene.groom.strands, 0);
    EXPECT_EQ(scene.groom.scalp, "scalp");
    EXPECT_FLOAT_EQ(scene.sim.gravity.y, -9.81f);
    EXPECT_TRUE(scene.world.colliders.empty());
    EXPECT_EQ(scene.record.width, 960);
    Scene defaults;
    Scene copy = scene;
    const auto expected = parameters_of(defaults).parameters, got = parameters_of(copy).parameters;
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(format_value(got[i]), format_value(expected[i])) << expected[i].key;
}

TEST(scene, reads_tables_inline_tables_dotted_keys_and_lists) {
    const Scene scene = read_well(
        "title = 'A title'\nrecord.fps = 30\n[groom]\nmesh = 'head.obj'\nstrands = 7\ncurl = { "
        "radius = 0.01 }\n"
        "[sim.pbd]\nbend_stiffness = 1\niteration_corrected = false\n"
        "[[collider]]\nshape = 'capsule'\nend = [1, 2.5, -3]\n[[collider]]\nradius = 2\n"
        "[[head.key]]\ntime = 1\n[[head.key]]\ntime = 2\nrotate = [0, 400, 0]\n");
    EXPECT_EQ(scene.title, "A title");
    EXPECT_EQ(scene.record.fps, 30);
    EXPECT_EQ(scene.groom.mesh, "head.obj");
    EXPECT_EQ(scene.groom.strands, 7);
    EXPECT_EQ(scene.groom.curl.radius, 0.01f);
    EXPECT_EQ(scene.sim.pbd.bend_stiffness, 1);
    EXPECT_FALSE(scene.sim.pbd.iteration_corrected);
    ASSERT_EQ(scene.world.colliders.size(), 2u);
    EXPECT_EQ(scene.world.colliders[0].shape, ColliderShape::capsule);
    EXPECT_EQ(scene.world.colliders[0].end.y, 2.5f);
    EXPECT_EQ(scene.world.colliders[1].radius, 2);
    EXPECT_EQ(scene.world.head.keys[1].rotate_degrees.y, 400);
    EXPECT_EQ(read_well("groom.vertices = 5.0").groom.vertices,
              5);  // a whole number written as a float
}

// All parameters of a scene, those of list entries as "list.key", with the TOML text that sets
// them.
struct Entry {
    Parameter parameter;
    std::string list;  // empty, or the key of its list
    std::string name() const { return (list.empty() ? "" : list + ".") + parameter.key; }
    std::string toml(const std::string& value) const {
        const bool grows = name() == "groom.strands";  // strands need a mesh
        return (list.empty() ? "" : "[[" + list + "]]\n") + parameter.key + " = " + value + "\n" +
               (grows ? "groom.mesh = 'x.obj'\n" : "");
    }
};

std::vector<Entry> all_entries(Scene& scene) {
    const ParameterTable table = parameters_of(scene);
    std::vector<Entry> out;
    for (const Parameter& p : table.parameters) out.push_back({p, ""});
    for (const ParameterList& list : table.lists) {
        if (list.entries().empty()) list.append();
        const std::vector<std::vector<Parameter>> lists = list.entries();
        for (const Parameter& p : lists.front()) out.push_back({p, list.key});
    }
    return out;
}

bool is_number(const Parameter& p) {
    return !std::holds_alternative<bool*>(p.target) &&
           !std::holds_alternative<std::string*>(p.target) &&
           !std::holds_alternative<Texts*>(p.target) && !std::holds_alternative<Choice>(p.target);
}

TEST(parameters, have_unique_keys_and_complete_sentences) {
    Scene scene;
    std::set<std::string> keys;
    for (const Entry& entry : all_entries(scene)) {
        EXPECT_TRUE(keys.insert(entry.name()).second) << entry.name() << " twice";
        EXPECT_TRUE(entry.parameter.sentence.ends_with('.')) << entry.name();
        EXPECT_GT(entry.parameter.sentence.size(), 4u) << entry.name();
    }
    EXPECT_GT(keys.size(), 90u);
    for (const ParameterList& list : parameters_of(scene).lists) {
        EXPECT_TRUE(keys.insert(list.key).second) << list.key;
        EXPECT_TRUE(list.sentence.ends_with('.')) << list.key;
        EXPECT_GT(list.most, 0);
    }
}

TEST(parameters, have_defaults_within_their_ranges) {
    Scene scene;
    for (const Entry& entry : all_entries(scene)) {
        const Parameter& p = entry.parameter;
        std::vector<double> values;
        if (const auto* f = std::get_if<float*>(&p.target)) values = {static_cast<double>(**f)};
        if (const auto* i = std::get_if<int*>(&p.target)) values = {static_cast<double>(**i)};
        if (const auto* u = std::get_if<std::uint32_t*>(&p.target))
            values = {static_cast<double>(**u)};
        if (const auto* v = std::get_if<Vec3f*>(&p.target))
            values = {static_cast<double>((*v)->x), static_cast<double>((*v)->y),
                      static_cast<double>((*v)->z)};
        for (const double value : values) {
            EXPECT_GE(value, p.low) << entry.name();
            EXPECT_LE(value, p.high) << entry.name();
        }
        EXPECT_EQ(p.low < p.high, is_number(p)) << entry.name();
        if (const auto* c = std::get_if<Choice>(&p.target)) {
            EXPECT_GE(c->get(), 0);
            EXPECT_LT(c->get(), std::ssize(c->words)) << entry.name();
        }
    }
}

std::string text_of(double value) {
    std::ostringstream out;
    out << std::setprecision(17) << value;
    return out.str();
}

// A value other than the default, well within the range.
std::string other_value(const Parameter& p) {
    const double third = p.low + (p.high - p.low) / 3;
    if (std::holds_alternative<float*>(p.target)) return text_of(third);
    if (std::holds_alternative<int*>(p.target) || std::holds_alternative<std::uint32_t*>(p.target))
        return text_of(std::floor(third));
    if (std::holds_alternative<Vec3f*>(p.target))
        return "[" + text_of(third) + ", " + text_of(p.low) + ", " + text_of(p.high) + "]";
    if (const auto* b = std::get_if<bool*>(&p.target)) return **b ? "false" : "true";
    if (const auto* c = std::get_if<Choice>(&p.target))
        return '"' + (c->get() == 0 ? c->words.back() : c->words.front()) + '"';
    if (std::holds_alternative<Texts*>(p.target)) return "[\"some\", \"tex\\\"ts\"]";
    return "\"some text\"";
}

TEST(parameters, read_back_what_format_value_wrote) {
    Scene defaults;
    const std::vector<Entry> entries = all_entries(defaults);
    const std::size_t step = kSanitized ? 5 : 1;
    for (std::size_t i = 0; i < entries.size(); i += step) {
        const std::string asked = entries[i].toml(other_value(entries[i].parameter));
        Scene once = read_well(asked);
        const std::string written = format_value(all_entries(once)[i].parameter);
        Scene twice = read_well(entries[i].toml(written));
        EXPECT_EQ(format_value(all_entries(twice)[i].parameter), written) << entries[i].name();
        const bool one_word = std::holds_alternative<Choice>(entries[i].parameter.target) &&
                              std::get<Choice>(entries[i].parameter.target).words.size() == 1;
        EXPECT_EQ(written != format_value(entries[i].parameter), !one_word) << entries[i].name();
        const Target first = all_entries(once)[i].parameter.target;
        const Target second = all_entries(twice)[i].parameter.target;
        if (std::holds_alternative<float*>(first)) {
            EXPECT_EQ(*std::get<float*>(first), *std::get<float*>(second)) << entries[i].name();
        }
        // The default in the list of keys is valid in a file as well.
        EXPECT_TRUE(read(entries[i].toml(format_value(entries[i].parameter)))) << entries[i].name();
    }
}

TEST(parameters, text_reads_back_with_quotes_and_backslashes) {
    for (const std::string& text : {std::string("say \"hi\""), std::string("back\\slash"),
                                    std::string("two\nlines\ttab"), std::string("ünï")}) {
        Scene scene;
        scene.title = text;
        const std::string written = "title = " + format_value(parameters_of(scene).parameters[0]);
        const Result<Scene> back = read(written);
        ASSERT_TRUE(back) << written << "\n" << back.error().text();
        EXPECT_EQ(back->title, text);
    }
}

TEST(parameters, accept_both_ends_of_their_range_and_nothing_beyond) {
    Scene defaults;
    for (const Entry& entry : all_entries(defaults)) {
        const Parameter& p = entry.parameter;
        if (!is_number(p)) continue;
        const bool vector = std::holds_alternative<Vec3f*>(p.target);
        const auto with = [&](double value) {
            const std::string one = text_of(value);
            return entry.toml(vector ? "[" + one + ", " + one + ", " + one + "]" : one);
        };
        EXPECT_TRUE(read(with(p.low))) << entry.name();
        if (entry.name() == "groom.strands")
            continue;  // the total number of vertices is limited too
        EXPECT_TRUE(read(with(p.high))) << entry.name();
        for (const double beyond : {p.low - 1, p.high + 1}) {
            const Result<Scene> scene = read(with(beyond));
            ASSERT_FALSE(scene) << entry.name() << " " << beyond;
            EXPECT_NE(scene.error().message.find("out of range"), std::string::npos);
            EXPECT_NE(scene.error().message.find(p.key), std::string::npos);
        }
    }
}

TEST(parameters, reject_every_wrong_type) {
    Scene defaults;
    for (const Entry& entry : all_entries(defaults)) {
        const Parameter& p = entry.parameter;
        std::vector<std::string> wrong{"1979-05-27", "{ a = 1 }", "[[1]]"};
        if (!std::holds_alternative<bool*>(p.target)) wrong.push_back("true");
        if (is_number(p))
            wrong.push_back("\"text\"");
        else
            wrong.push_back("3");
        if (std::holds_alternative<Vec3f*>(p.target))
            wrong.insert(wrong.end(), {"[]", "[0, 0]", "[0, 0, 0, 0]", "[0, 0, 'z']"});
        if (std::holds_alternative<Texts*>(p.target))
            wrong.insert(wrong.end(), {"'text'", "['text', 1]"});
        for (const std::string& value : wrong) {
            const Result<Scene> scene = read(entry.toml(value));
            ASSERT_FALSE(scene) << entry.toml(value);
            EXPECT_NE(scene.error().message.find("is needed"), std::string::npos)
                << scene.error().text();
            EXPECT_EQ(scene.error().line, entry.list.empty() ? 1 : 2) << scene.error().text();
        }
    }
}

TEST(parameters, are_all_described_with_key_and_default) {
    const std::string described = describe_keys();
    Scene defaults;
    for (const Entry& entry : all_entries(defaults)) {
        EXPECT_NE(described.find("`" + entry.parameter.key + "`"), std::string::npos)
            << entry.name();
        EXPECT_NE(described.find(entry.parameter.sentence), std::string::npos) << entry.name();
    }
    for (const ParameterList& list : parameters_of(defaults).lists)
        EXPECT_NE(described.find("`[[" + list.key + "]]`"), std::string::npos);
}

TEST(scene_errors, name_line_column_and_remedy_of_wrong_types) {
    expect_error("[groom]\nstrands = @'many'\n", {"groom.strands", "text", "whole number"});
    expect_error("title = @5\n", {"title", "text"});
    expect_error("[sim]\n\n  gravity = @[0, 1]\n", {"sim.gravity", "[x, y, z]"});
    expect_error("[sim]\ngravity = @[0, 'down', 0]\n", {"sim.gravity"});
    expect_error("[sim]\nhold_roots = @1\n", {"sim.hold_roots", "true or false"});
    expect_error("[groom]\nvertices = @2.5\n", {"groom.vertices", "2.5", "whole number"});
    expect_error("groom = @3\n", {"groom", "[groom]"});
    expect_error("[head]\nmotion = @'dance'\n", {"dance", "nod", "turn", "shake", "spin"});
    expect_error("[sim]\nmodel = @3\n", {"sim.model", "pbd"});
    expect_error("[groom]\ncurl = { radius = 0.01, pitch = @'x' }\n", {"groom.curl.pitch"});
}

TEST(scene_errors, suggest_the_nearest_key) {
    expect_error("[groom]\n@strnads = 5\n", {"groom.strnads", "\"groom.strands\""});
    expect_error("[sim]\ndt = 0.01\n@substep = 4\n", {"\"sim.substeps\""});
    expect_error("[sim.pbd]\n@bending_stiffness = 1\n", {"\"sim.pbd.bend_stiffness\""});
    expect_error("[[collider]]\nradius = 1\n@raduis = 2\n", {"collider", "\"radius\""});
    expect_error("@titel = 'x'\n", {"\"title\""});
    expect_error("@completely_unheard_of = 1\n", {"ringlet scenes --keys"});
    expect_error("[@gromo]\nstrands = 1\n", {"gromo"});
}

TEST(scene_errors, reject_values_out_of_range_and_non_numbers) {
    expect_error("[groom]\nstrands = @-1\n", {"-1", "out of range", "0 to 5e+06"});
    expect_error("[groom]\nstrands = @1e12\n", {"1e+12", "out of range"});
    expect_error("[groom]\nstrands = @1000000000000\n", {"1e+12", "out of range"});
    expect_error("[groom]\nstrands = @9223372036854775807\n", {"out of range"});
    expect_error("[groom]\nlength = @nan\n", {"groom.length", "out of range", " m"});
    expect_error("[groom]\nlength = @inf\n", {"groom.length", "out of range"});
    expect_error("[groom]\nstrands = @-inf\n", {"groom.strands", "out of range"});
    expect_error("[groom]\nstrands = @nan\n", {"groom.strands", "out of range"});
    expect_error("[sim]\ngravity = @[0, nan, 0]\n", {"sim.gravity", "out of range"});
    expect_error("[camera]\neye = @[0, 0, 1e9]\n", {"camera.eye", "out of range"});
}

TEST(scene_errors, explain_the_syntax_of_lists) {
    expect_error("@[collider]\nradius = 1\n", {"[[collider]]"});
    expect_error("collider = @5\n", {"[[collider]]"});
    expect_error("collider = @[1, 2]\n", {"[[collider]]"});
    expect_error("[groom]\nstrand = @'one'\n", {"[[groom.strand]]"});
    expect_error("@[[groom]]\nstrands = 1\n", {"groom", "[groom]"});
    expect_error("[[collider]]\nradius = @'big'\n", {"collider.radius", "number"});
    expect_error("[[collider]]\nradius = 1\n[[collider]]\nshape = @'cube'\n",
                 {"sphere, capsule, plane"});
}

TEST(scene_errors, limit_the_entries_of_a_list) {
    std::string pairs;
    for (int i = 0; i < 8; ++i) pairs += "[[sim.pbd.pair]]\nspan = 2\n";
    EXPECT_EQ(read_well(pairs).sim.pbd.pairs.size(), 8u);
    expect_error("@" + pairs + "[[sim.pbd.pair]]\n", {"sim.pbd.pair", "9", "at most 8"});
}

TEST(scene_errors, locate_syntax_errors) {
    expect_error("[groom]\nstrands = @\n", {});
    expect_error("a = 1\n[groom@\n", {"]"});
    expect_error("title = 'x'\ntitle = @'y'\n", {"title"});
    const Result<Scene> scene = read("title = \"no end\nlength = 3\n");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().line, 1);
    EXPECT_FALSE(read("\xff\xfe\x00\x01"));
    EXPECT_FALSE(read(std::string(100000, '[')));
    EXPECT_FALSE(read("a = " + std::string(100000, '[')));
}

TEST(scene_errors, stay_on_one_line_for_any_file) {
    for (const char* text : {"\"a\\nb\" = 1\n", "[head]\nmotion = \"no\\u001b[2Jd\\r\\n\"\n"}) {
        const Result<Scene> scene = read(text);
        ASSERT_FALSE(scene);
        for (const char c : scene.error().text())
            EXPECT_GE(static_cast<unsigned char>(c), 0x20) << "a control character in the message";
    }
}

TEST(scene_errors, come_quickly_for_a_key_of_any_length) {
    const double start = cpu_seconds();
    EXPECT_FALSE(read(std::string(1 << 20, 'k') + " = 1\n"));
    EXPECT_LT(cpu_seconds() - start, 1)
        << "seconds; the spelling of a long key is compared with all keys";
}

TEST(scene_errors, check_combinations_of_parameters) {
    const Result<Scene> many =
        read("[groom]\nmesh = 'x.obj'\nstrands = 5000000\nvertices = 4096\n");
    ASSERT_FALSE(many);
    EXPECT_NE(many.error().message.find("vertices"), std::string::npos);
    const Result<Scene> homeless = read("[groom]\nstrands = 5\n");
    ASSERT_FALSE(homeless);
    EXPECT_NE(homeless.error().message.find("groom.mesh"), std::string::npos);
    const Result<Scene> backwards = read("[[head.key]]\ntime = 2\n[[head.key]]\ntime = 1\n");
    ASSERT_FALSE(backwards);
    EXPECT_NE(backwards.error().message.find("times must increase"), std::string::npos);
    EXPECT_EQ(backwards.error().file, "test.toml");
}

TEST(base_scenes, apply_before_the_scene_that_names_them) {
    const Library library{
        {"head", "[groom]\nvertices = 10\nlength = 0.5\n[[collider]]\nradius = 1\n"},
        {"hair", "base = 'head'\n[groom]\nlength = 0.7\n"}};
    const Scene scene =
        read_well("base = 'hair'\ntitle = 'mine'\n[groom]\ndiameter = 0.001\n", {}, library);
    EXPECT_EQ(scene.groom.vertices, 10);
    EXPECT_EQ(scene.groom.length, 0.7f);
    EXPECT_EQ(scene.groom.diameter, 0.001f);
    EXPECT_EQ(scene.title, "mine");
    EXPECT_EQ(scene.world.colliders.size(), 1u);
    EXPECT_EQ(scene.name, "test.toml");
    // A list replaces the list of the base; an empty one removes it.
    EXPECT_EQ(read_well("base = 'head'\n[[collider]]\n[[collider]]\n", {}, library)
                  .world.colliders.size(),
              2u);
    EXPECT_TRUE(read_well("collider = []\nbase = 'head'\n", {}, library).world.colliders.empty());
}

TEST(base_scenes, that_form_a_circle_or_are_missing_are_errors) {
    expect_error("title = 'x'\nbase = @'nobody'\n", {"base", "nobody"});
    expect_error("base = @5\n", {"base"});
    const Library circle{{"a", "title = 'a'\nbase = 'b'\n"}, {"b", "base = 'a'\n"}};
    const Result<Scene> round = read("base = 'a'\n", {}, circle);
    ASSERT_FALSE(round);
    EXPECT_NE(round.error().message.find("circle"), std::string::npos);
    EXPECT_GT(round.error().line, 0);
    const Library self{{"test.toml", "base = 'test.toml'\n"}};
    EXPECT_FALSE(read("base = 'test.toml'\n", {}, self));
}

TEST(base_scenes, name_the_file_with_the_error) {
    const Library library{{"broken", "[groom]\nstrands = 'x'\n"}};
    const Result<Scene> scene = read("base = 'broken'\n", {}, library);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().file, "broken");
    EXPECT_EQ(scene.error().line, 2);
    EXPECT_EQ(scene.error().column, 11);
}

TEST(overrides, set_values_of_all_types_after_the_file) {
    const Scene scene =
        read_well("[groom]\nlength = 0.1\n[[collider]]\n[[collider]]\nradius = 9\n",
                  {"groom.length=0.4", "title=Plain words, unquoted", "sim.substeps=3",
                   "sim.gravity=[0, -1, 2]", "sim.hold_roots=false", "head.motion=spin",
                   "collider.0.radius=0.25", "collider.1.shape=plane",
                   "groom.scalp=\"quoted name\"", "groom.length=0.6"});
    ASSERT_EQ(scene.world.colliders.size(), 2u);
    EXPECT_EQ(scene.groom.length, 0.6f);
    EXPECT_EQ(scene.sim.substeps, 3);
    EXPECT_EQ(scene.title, "Plain words, unquoted");
    EXPECT_EQ(scene.sim.gravity.z, 2);
    EXPECT_FALSE(scene.sim.hold_roots);
    EXPECT_EQ(scene.world.head.motion, MotionKind::spin);
    EXPECT_EQ(scene.world.colliders[0].radius, 0.25f);
    EXPECT_EQ(scene.world.colliders[1].radius, 9);
    EXPECT_EQ(scene.world.colliders[1].shape, ColliderShape::plane);
    EXPECT_EQ(scene.groom.scalp, "quoted name");
}

TEST(overrides, accept_any_text_for_text) {
    for (const std::string& text :
         {std::string("5"), std::string("true"), std::string("1979-05-27"), std::string("a = b"),
          std::string("[1, 2]"), std::string("")})
        EXPECT_EQ(read_well("", {"title=" + text}).title, text);
}

TEST(overrides, explain_their_errors) {
    expect_override_error("groom.length", {"groom.length", "key=value"});
    expect_override_error("groom.lenght=1", {"groom.lenght", "\"groom.length\""});
    expect_override_error("groom.length=long", {"groom.length", "text", "number"});
    expect_override_error("groom.length=", {"groom.length"});
    expect_override_error("groom.length=99", {"groom.length", "out of range"});
    expect_override_error("groom.length=nan", {"groom.length", "out of range"});
    expect_override_error("sim.gravity=[1, 2]", {"sim.gravity", "[x, y, z]"});
    expect_override_error("head.motion=dance", {"dance", "spin"});
    expect_override_error("=5", {"key"});
    expect_override_error("collider.0.raduis=1", {"collider.0.raduis"});
    expect_override_error("collider.2.radius=1", {"collider.2.radius"});
    expect_override_error("collider.-1.radius=1", {"collider.-1.radius"});
    expect_override_error("collider.0x.radius=1", {"collider.0x.radius"});
    expect_override_error("collider.0=1", {"collider.0"});
}

TEST(scene, an_override_replaces_the_entries_of_a_list) {
    const std::string text = "[[head.key]]\ntime = 1\n[[head.key]]\ntime = 2\n";
    EXPECT_TRUE(read_well(text, {"head.key=[]"}).world.head.keys.empty());
    const Scene scene = read_well(text, {"head.key=[{time=3, rotate=[0, 20, 0]}]"});
    ASSERT_EQ(scene.world.head.keys.size(), 1u);
    EXPECT_EQ(scene.world.head.keys[0].time, 3);
    expect_override_error("head.key=3", {"head.key", "[]"});
    expect_override_error("head.key=[3]", {"[[head.key]]"});
    expect_override_error("head.key=[{tim=3}]", {"head.key", "time"});
}

TEST(overrides, of_a_list_need_the_index_of_an_entry) {
    expect_override_error("collider..radius=1", {"collider..radius"});
    expect_override_error("collider.99999999999999999999999.radius=1", {"collider.9999"});
}

TEST(material, sets_what_the_scene_does_not_set) {
    // "damping" precedes "material" in the alphabet and in the file.
    const Result<Scene> scene =
        read("[sim.rod]\ndamping = 0.25\nmaterial = \"coily\"\nradius = 30e-6\n");
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->sim.rod.damping, 0.25f);
    EXPECT_EQ(scene->sim.rod.radius, 30e-6f);
    EXPECT_EQ(scene->sim.rod.youngs_modulus, 3e9f);
    EXPECT_EQ(scene->sim.rod.aspect_ratio, 0.55f);
}

TEST(material, of_the_command_line_applies_before_later_overrides) {
    const Result<Scene> scene =
        read("[sim.rod]\nradius = 1e-3\n", {"sim.rod.material=thread", "sim.rod.density=500"});
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->sim.rod.radius, 120e-6f);
    EXPECT_EQ(scene->sim.rod.density, 500);
}

TEST(material, the_first_one_is_the_default) {
    RodSettings rod;
    const RodSettings plain = rod;
    set_material(rod, 0);
    EXPECT_EQ(rod.radius, plain.radius);
    EXPECT_EQ(rod.aspect_ratio, plain.aspect_ratio);
    EXPECT_EQ(rod.youngs_modulus, plain.youngs_modulus);
    EXPECT_EQ(rod.poisson_ratio, plain.poisson_ratio);
    EXPECT_EQ(rod.density, plain.density);
    EXPECT_EQ(rod.damping, plain.damping);
}

TEST(key_aliases, map_former_keys_to_existing_keys) {
    Scene defaults;
    const ParameterTable table = parameters_of(defaults);
    const auto exists = [&](std::string_view key) {
        return std::ranges::any_of(table.parameters,
                                   [&](const Parameter& p) { return p.key == key; });
    };
    for (const KeyAlias& alias : kKeyAliases) {
        EXPECT_TRUE(exists(alias.current)) << alias.current;
        EXPECT_FALSE(exists(alias.former)) << alias.former;
    }
}

TEST(key_aliases, set_the_current_key_and_leave_a_notice) {
    Scene defaults;
    for (const Parameter& p : parameters_of(defaults).parameters)
        for (const KeyAlias& alias : kKeyAliases) {
            if (p.key != alias.current) continue;
            const std::string former(alias.former), value = other_value(p);
            const std::string now = former + " is now " + p.key + "; please rename it";
            Scene current = read_well(p.key + " = " + value),
                  renamed = read_well(former + " = " + value);
            EXPECT_EQ(changed_keys(defaults, renamed), std::vector<std::string>{p.key});
            EXPECT_TRUE(changed_keys(current, renamed).empty());
            EXPECT_TRUE(current.notices.empty());
            EXPECT_EQ(renamed.notices, std::vector<std::string>{"test.toml:1: " + now});
            const Scene set = read_well("", {former + "=" + value});
            EXPECT_TRUE(changed_keys(current, set).empty());
            EXPECT_EQ(set.notices, std::vector<std::string>{"--set " + now});
        }
}

TEST(key_aliases, name_the_line_of_the_former_key) {
    const std::string former = former_key("hair_hair.couplings");
    const Scene scene = read_well("title = 'x'\nhair_hair.cell = 0.02\n\n" + former + " = 3\n");
    EXPECT_EQ(scene.sim.hair_hair.couplings, 3);
    EXPECT_EQ(scene.notices,
              std::vector<std::string>{"test.toml:4: " + former +
                                       " is now hair_hair.couplings; please rename it"});
}

TEST(key_aliases, keep_the_checks_of_the_current_key) {
    expect_error(former_key("hair_hair.couplings") + " = @0\n",
                 {"hair_hair.couplings", "out of range"});
}

TEST(nearest_name, finds_the_name_with_fewest_edits) {
    const std::vector<std::string> known{"length", "strands", "radius", "vertices"};
    EXPECT_EQ(nearest_name("lenght", known), "length");
    EXPECT_EQ(nearest_name("strand", known), "strands");
    EXPECT_EQ(nearest_name("Radius", known), "radius");
    EXPECT_EQ(nearest_name("vertexes", known), "vertices");
    EXPECT_EQ(nearest_name("length", known), "length");
}

TEST(nearest_name, is_empty_if_no_name_is_close) {
    const std::vector<std::string> known{"length", "strands"};
    EXPECT_EQ(nearest_name("zzzzzz", known), "");
    EXPECT_EQ(nearest_name("", known), "");
    EXPECT_EQ(nearest_name("length", {}), "");
    EXPECT_EQ(nearest_name("lexxxx", known), "") << "more than a third of the letters differ";
}

}  // namespace
}  // namespace ringlet
