// The parts of the viewer that need no window: keys, panels, sliders, picking, recording, document.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "ringlet/jobs.h"
#include "session/assets/scene_source.h"
#include "session/control/document.h"
#include "session/control/drag.h"
#include "unit/temp_folder.h"
#include "viewer/keys.h"
#include "viewer/layout.h"
#include "viewer/panel_list.h"
#include "viewer/recorder.h"
#include "viewer/script.h"
#include "viewer/statistics.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

TEST(keys, each_key_has_one_action) {
    std::set<std::string_view> seen;
    for (const KeyBinding& binding : all_keys()) {
        EXPECT_TRUE(seen.insert(binding.keys).second) << binding.keys;
        EXPECT_EQ(action_of(binding.keys), binding.action) << binding.keys;
        EXPECT_FALSE(binding.sentence.empty());
    }
}

TEST(keys, modifiers_select_another_action) {
    EXPECT_EQ(action_of("G", {}), Action::gravity_on);
    EXPECT_EQ(action_of("G", {.alt = true}), Action::gravity_off);
    EXPECT_EQ(action_of("Z", {.ctrl = true, .shift = true}), Action::redo);
    EXPECT_EQ(action_of("S", {.ctrl = true}), Action::save);
    EXPECT_FALSE(action_of("G", {.ctrl = true}));
    EXPECT_EQ(action_of("ctrl+z"), Action::undo);
}

TEST(panels, every_parameter_and_list_has_a_panel) {
    Scene scene;
    const ParameterTable table = parameters_of(scene);
    const std::vector<std::string> panels = panels_of(table);
    const std::set<std::string> names(panels.begin(), panels.end());
    EXPECT_EQ(names.size(), panels.size());
    for (const Parameter& p : table.parameters) EXPECT_TRUE(names.contains(panel_of(p.key)));
    for (const ParameterList& list : table.lists)
        EXPECT_TRUE(names.contains(panel_of(list.key))) << list.key;
    EXPECT_EQ(panel_of("sim.rod.radius"), "Model");
    EXPECT_EQ(panel_of("sim.dt"), "Simulation");
    EXPECT_EQ(panel_of("novelty.size"), "Novelty");
    EXPECT_EQ(group_of("groom.curl.radius"), "curl");
    EXPECT_EQ(label_of("groom.length_variation"), "length variation");
}

TEST(panels, a_slider_contains_the_scenes_value_and_stays_in_range) {
    Scene scene = *load_scene("curls", {});
    for (const Parameter& p : parameters_of(scene).parameters) {
        auto* const* value = std::get_if<float*>(&p.target);
        if (!value) continue;
        const double now = static_cast<double>(**value);
        const SliderRange range = slider_range(p.low, p.high, now);
        EXPECT_LT(range.low, range.high) << p.key;
        EXPECT_GE(range.low, p.low) << p.key;
        EXPECT_LE(range.high, p.high) << p.key;
        EXPECT_GE(now, range.low - 1e-6) << p.key;
        EXPECT_LE(now, range.high + 1e-6) << p.key;
    }
    // 0.34 m of at most 10 m is not at the left end of the slider.
    EXPECT_LT(slider_range(0.001, 10, 0.34).high, 2);
    EXPECT_EQ(slider_range(0, 1, 0.2).high, 1);
}

TEST(layout, is_stored_and_restored) {
    const TempFolder folder;
    Layout layout;
    layout.width = 900;
    layout.left_width = 250;
    layout.open.insert("Hair against hair");
    layout.open.erase("Scene");
    layout.show_panels = false;
    setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
    ASSERT_EQ(layout_file(), folder / "config/ringlet/viewer.txt");
    ASSERT_TRUE(save_layout(layout_file(), layout));
    const Layout again = load_layout(layout_file());
    EXPECT_EQ(again.width, 900);
    EXPECT_EQ(again.left_width, 250);
    EXPECT_EQ(again.open, layout.open);
    EXPECT_FALSE(again.show_panels);
    EXPECT_EQ(format_layout(parse_layout("nonsense\nwindow wide\n\xff")), format_layout(Layout{}));
}

StrandSet two_strands() {
    const int counts[] = {3, 3};
    StrandSet set{StrandLayout(counts)};
    for (int i = 0; i < 3; ++i) {
        const float y = 0.1f * static_cast<float>(i);
        set.position.set_vec3(0, i, {0, y, 0});
        set.position.set_vec3(1, i, {0.001f, y, -1});
    }
    return set;
}

TEST(picking, the_nearest_strand_under_the_mouse_is_picked) {
    const StrandSet strands = two_strands();
    const Camera camera{{0, 0.1f, 2}, {0, 0.1f, 0}, 30};
    const Ray middle = ray_through(camera, 200, 150, 400, 300);
    EXPECT_NEAR(middle.direction.z, -1, 1e-6f);
    const float slope = pixel_slope(camera, 300);
    const auto hit = hit_strand(strands.position, middle, 4 * slope);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->strand, 0);
    EXPECT_EQ(hit->vertex, 1);
    EXPECT_NEAR(hit->distance, 2, 1e-4f);
    // Ten pixels from both strands: no hit within four pixels.
    EXPECT_FALSE(hit_strand(strands.position, ray_through(camera, 210, 150, 400, 300), 4 * slope));
    // Two pixels to the right of the upper end, which is 0.1 m above the middle.
    const float up = 0.1f / 2 / slope;
    const auto end =
        hit_strand(strands.position, ray_through(camera, 202, 150 - up, 400, 300), 4 * slope);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->vertex, 2);
}

TEST(picking, a_ray_hits_meshes_and_colliders_at_their_pose) {
    const Camera camera{{0, 0, 2}, {0, 0, 0}, 30};
    const Ray ray = ray_through(camera, 200, 150, 400, 300);
    Mesh mesh;
    mesh.positions = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    mesh.indices = {0, 1, 2};
    const auto at = hit_mesh(mesh, {{0, 0, 0, 1}, {0, 0, 0.5f}}, ray);
    ASSERT_TRUE(at);
    EXPECT_NEAR(*at, 1.5f, 1e-5f);
    EXPECT_FALSE(hit_mesh(mesh, {{0, 0, 0, 1}, {3, 0, 0}}, ray));
    Collider ball;
    ball.radius = 0.25f;
    const auto surface = hit_collider(place(ball, {}, {}), {}, ray);
    ASSERT_TRUE(surface);
    EXPECT_NEAR(*surface, 1.75f, 1e-3f);
    EXPECT_FALSE(hit_collider(place(ball, {}, {}), {{0, 0, 0, 1}, {1, 0, 0}}, ray));
    EXPECT_NEAR(on_plane_facing(camera, {0.3f, 0, 0.5f}, ray).z, 0.5f, 1e-5f);
}

Image grey(int width, int height) {
    return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height * 4))};
}

TEST(recorder, advances_by_frames_and_overwrites_nothing) {
    const TempFolder folder;
    Recorder recorder(folder / "renders");
    Record record;
    record.fps = 24;
    record.width = record.height = 16;
    ASSERT_TRUE(recorder.start(record, 1.5));
    for (int k = 0; k < 3; ++k) {
        EXPECT_DOUBLE_EQ(recorder.next_time(), 1.5 + k / 24.0);
        ASSERT_TRUE(recorder.add(grey(16, 16)));
    }
    const Result<std::string> first = recorder.stop();
    ASSERT_TRUE(first);
    for (const char* name : {"render0000.png", "render0001.png", "render0002.png"})
        EXPECT_TRUE(fs::exists(folder / "renders" / name)) << name;
    EXPECT_FALSE(fs::exists(folder / "renders/render0003.png"));

    record.format = RecordFormat::bmp;
    ASSERT_TRUE(recorder.start(record, 0));
    ASSERT_TRUE(recorder.add(grey(16, 16)));
    ASSERT_TRUE(recorder.stop());
    EXPECT_TRUE(fs::exists(folder / "renders/render0003.bmp"));

    record.format = RecordFormat::mp4;
    for (const char* name : {"recording0000.mp4", "recording0001.mp4"}) {
        ASSERT_TRUE(recorder.start(record, 0));
        ASSERT_TRUE(recorder.add(grey(16, 16)));
        ASSERT_TRUE(recorder.stop());
        EXPECT_TRUE(fs::exists(folder / "renders" / name)) << name;
    }
    ASSERT_TRUE(recorder.start(record, 0));
    ASSERT_TRUE(recorder.stop());
    EXPECT_FALSE(fs::exists(folder / "renders/recording0002.mp4"));
}

Document small_document() {
    Result<Document> document = Document::open("pendulum", {}, {});
    EXPECT_TRUE(document) << document.error().text();
    return std::move(*document);
}

void write_damping(Document& document, float value) {
    for (const Parameter& p : document.table().parameters)
        if (p.key == "sim.damping") **std::get_if<float*>(&p.target) = value;
    document.changed("sim.damping");
}

TEST(document, dragging_a_slider_is_one_undo_step) {
    Document document = small_document();
    const float before = document.scene().sim.damping;
    for (const float value : {2.0f, 3.0f, 4.0f}) {
        write_damping(document, value);
        ASSERT_TRUE(document.apply_when_due(0, true));
    }
    document.finish_change();
    EXPECT_FALSE(document.is_saved());
    EXPECT_EQ(document.control().scene().sim.damping, 4);
    ASSERT_TRUE(document.set("sim.damping=7"));
    EXPECT_EQ(*document.undo(), "sim.damping");
    EXPECT_EQ(document.scene().sim.damping, 4);
    EXPECT_EQ(*document.undo(), "sim.damping");
    EXPECT_EQ(document.control().scene().sim.damping, before);
    EXPECT_TRUE(document.is_saved());
    EXPECT_EQ(*document.undo(), "");
    EXPECT_EQ(*document.redo(), "sim.damping");
    EXPECT_EQ(document.scene().sim.damping, 4);
}

TEST(document, an_invalid_change_is_reverted) {
    Document document = small_document();
    const std::string mesh = document.scene().groom.mesh;
    const Result<void> done = document.set("groom.mesh=none.obj");
    ASSERT_FALSE(done);
    EXPECT_EQ(document.scene().groom.mesh, mesh);
    EXPECT_FALSE(document.history().can_undo());
    EXPECT_FALSE(document.set("groom.lenght=1"));
}

TEST(document, moving_the_camera_is_saved_but_not_undone) {
    const TempFolder folder;
    Document document = small_document();
    ASSERT_TRUE(document.set("sim.damping=3"));
    document.set_camera({{1, 2, 3}, {0, 0, 0}, 40});
    ASSERT_TRUE(document.undo());
    EXPECT_EQ(document.scene().camera.eye.y, 2);
    ASSERT_TRUE(document.save((folder / "mine.toml").string()));
    const Result<Scene> again = load_scene((folder / "mine.toml").string(), {});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->camera.eye.z, 3);
    EXPECT_EQ(again->camera.field_of_view_degrees, 40);
    EXPECT_FALSE(document.save((folder / "mine.txt").string()));
}

TEST(document, a_dropped_file_determines_the_assignments) {
    const TempFolder folder;
    const Scene scene = *load_scene("figure3d", {});
    const auto put = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    };
    const std::string head = put("head.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const auto mesh = assignments_for(head, scene);
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->front(), "groom.mesh=" + head);
    const auto lines = assignments_for(put("hair.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n"), scene);
    ASSERT_TRUE(lines) << lines.error().text();
    EXPECT_TRUE(lines->front().starts_with("groom.file="));
    EXPECT_TRUE(assignments_for("x.hair", scene));
    EXPECT_FALSE(assignments_for(put("notes.txt", "hello"), scene));
}

TEST(painting, is_mirrored_undone_and_saved_beside_the_scene) {
    const TempFolder folder;
    const std::vector<std::string> few{"groom.strands=40", "record.settle=0"};
    Result<Document> document = Document::open("straight", {few}, {});
    ASSERT_TRUE(document) << document.error().text();
    const Vec3f cheek{0.06f, 0.36f, 0.06f}, other{-0.06f, 0.36f, 0.06f};
    document->paint({cheek, 0.02f, 1, BrushMode::grow}, false);
    EXPECT_GT(document->painting()->over(0, cheek), 0.7f);
    EXPECT_EQ(document->painting()->over(0, other), 0);
    document->paint({cheek, 0.02f, 1, BrushMode::grow}, true);
    EXPECT_GT(document->painting()->over(0, other), 0.7f);
    ASSERT_TRUE(document->apply());
    document->finish_change();
    EXPECT_FALSE(document->is_saved());
    EXPECT_EQ(*document->undo(), "painting");
    EXPECT_EQ(document->painting(), nullptr);
    EXPECT_EQ(*document->redo(), "painting");
    ASSERT_NE(document->painting(), nullptr);
    ASSERT_TRUE(document->save((folder / "mine.toml").string()));
    EXPECT_TRUE(document->is_saved());
    Result<Document> again = Document::open((folder / "mine.toml").string(), {}, {});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->scene().groom.painted, "mine.growth");
    EXPECT_EQ(again->control().growth_paint(), *document->painting());
    EXPECT_EQ(again->control().hash(), document->control().hash());
}

TEST(painting, reaches_the_skin_under_the_hair) {
    Result<SessionControl> control =
        SessionControl::open("straight", {{"groom.strands=40", "record.settle=0"}}, {});
    ASSERT_TRUE(control) << control.error().text();
    control->advance_to(0);
    const Camera camera{{0, 0.45f, 1}, {0, 0.45f, 0}, 20};
    const auto hit = control->surface_at(ray_through(camera, 50, 50, 100, 100));
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->rest.y, 0.45, 0.01);
    EXPECT_GT(hit->rest.z, 0.03f);
    EXPECT_FALSE(control->surface_at(ray_through({{0, 2, 1}, {0, 2, 0}, 20}, 5, 5, 10, 10)));
    Picture picture = control->picture();
    control->show_growth(nullptr, picture);
    EXPECT_GT(picture.marks.size(), 1000u);
}

TEST(control, picks_the_nearest_object_under_the_mouse) {
    Result<SessionControl> control =
        SessionControl::open("figure3d", {{"render.show_colliders=true", "record.settle=0"}}, {});
    ASSERT_TRUE(control) << control.error().text();
    control->advance_to(0);
    const Picture picture = control->picture();
    const Channel<3>& shown = *picture.strands.position;
    int front = 0;  // not occluded by the head
    for (int s = 0; s < control->strand_count(); ++s)
        if (shown.vec3(s, 3).z > shown.vec3(front, 3).z) front = s;
    const Vec3f root = shown.vec3(front, 3);
    const Camera camera{root + Vec3f{0, 0, 3}, root, 20};
    const Grab on_hair = control->pick(ray_through(camera, 50, 50, 100, 100), 0.001f);
    EXPECT_EQ(on_hair.target, GrabTarget::hair);
    EXPECT_EQ(on_hair.hair.strand, front);
    const Camera away{root + Vec3f{0, 0, 3}, root + Vec3f{0, 0, 9}, 20};
    EXPECT_EQ(control->pick(ray_through(away, 50, 50, 100, 100), 0.001f).target,
              GrabTarget::background);
}

TEST(control, combed_hair_follows_the_mouse) {
    const auto tip_after = [](Vec3f way) {
        Result<SessionControl> control =
            SessionControl::open("pendulum", {{"groom.strand.0.direction=[0,-1,0]"}}, {});
        EXPECT_TRUE(control);
        const auto tip = [&] { return control->inspect({0, 0, 31})->position; };
        const Camera camera{tip() + Vec3f{0, 0, 2}, tip(), 30};
        control->comb(camera, tip(), way, 1.0 / 60, 0.05f);
        for (int step = 0; step < 3; ++step) control->step();
        control->stop_combing();
        const float moved = tip().x;
        control->step();
        return moved;
    };
    EXPECT_GT(tip_after({0.01f, 0, 0}), 0.005f);
    EXPECT_LT(tip_after({-0.01f, 0, 0}), -0.005f);
    EXPECT_NEAR(tip_after({0, 0, 0}), 0, 1e-4f);
}

TEST(control, gravity_stays_off_when_the_model_changes) {
    Result<SessionControl> control =
        SessionControl::open("pendulum", {{"sim.hold_roots=false"}}, {});
    ASSERT_TRUE(control);
    control->set_gravity(false);
    Scene edited = control->scene();
    edited.sim.damping = 0.5f;
    ASSERT_TRUE(control->change_scene(edited));
    control->advance_to(0.2);
    EXPECT_NEAR(control->inspect({0, 0, 31})->speed, 0, 1e-4f);
    control->set_gravity(true);
    control->advance_to(0.4);
    EXPECT_GT(control->inspect({0, 0, 31})->speed, 1);
}

TEST(control, inspects_only_strands_that_exist) {
    Result<SessionControl> control = SessionControl::open("pendulum", {}, {});
    ASSERT_TRUE(control);
    ASSERT_TRUE(control->inspect({0, 0, 99}));
    EXPECT_EQ(control->inspect({0, 0, 99})->vertex, 31);
    for (const StrandVertex none : {StrandVertex{}, StrandVertex{0, 1, 0}, StrandVertex{1, 0, 0}}) {
        EXPECT_FALSE(control->inspect(none));
        control->advance_to(0);
        Picture picture = control->picture();
        const std::size_t marks = picture.marks.size();
        control->highlight(none, 2, picture);
        EXPECT_EQ(picture.marks.size(), marks);
    }
}

TEST(drag, a_collider_follows_the_mouse_for_any_head_rotation) {
    Rigidf head;
    head.rotation = quat_from_axis_angle(Vec3f{0, 1, 0}, kPi / 2);
    Collider collider;
    move_collider(collider, {}, head, {1, 0, 0});
    const Vec3f moved = place(collider, head, head).a;
    EXPECT_LT(norm(moved - Vec3f{1, 0, 0}), 1e-6f);
    collider = {};
    collider.attached = false;
    move_collider(collider, {}, head, {1, 0, 0});
    EXPECT_LT(norm(collider.centre - Vec3f{1, 0, 0}), 1e-6f);
}

TEST(drag, a_head_turns_about_its_pivot) {
    const Vec3f pivot{0, 1, 0};
    const Camera camera{{0, 1, 3}, {0, 1, 0}, 30};
    const Rigidf turned = turned_head({}, {}, pivot, camera, 0.5f, 0.2f);
    EXPECT_LT(norm(apply(turned, pivot) - pivot), 1e-6f);
    EXPECT_GT(norm(apply(turned, Vec3f{0.1f, 1, 0}) - Vec3f{0.1f, 1, 0}), 0.01f);
    Rigidf to_world;
    to_world.rotation = quat_from_axis_angle(Vec3f{0, 1, 0}, kPi / 2);
    const Rigidf moved = moved_head({}, to_world, {1, 0, 0});
    EXPECT_LT(norm(rotate(to_world.rotation, moved.translation) - Vec3f{1, 0, 0}), 1e-6f);
}

TEST(script, an_error_names_its_line) {
    const auto good = parse_script(
        "# hello\n\nframes 3\nset groom.length = 2\npanel Hair against hair\n", "a.txt");
    ASSERT_TRUE(good);
    ASSERT_EQ(good->size(), 3u);
    EXPECT_EQ((*good)[2].words[0], "Hair against hair");
    EXPECT_EQ((*good)[0].line, 3);
    const auto unknown = parse_script("frames 2\njump 3\n", "a.txt");
    ASSERT_FALSE(unknown);
    EXPECT_TRUE(unknown.error().text().starts_with("a.txt:2: no command \"jump\""));
    EXPECT_FALSE(parse_script("slide groom.length\n", "a.txt"));
}

TEST(statistics, keep_only_the_last_values) {
    Series series(3);
    for (const float value : {1.0f, 5.0f, 2.0f, 3.0f}) series.add(value);
    EXPECT_EQ(series.values(), (std::vector<float>{5, 2, 3}));
    EXPECT_EQ(series.highest(), 5);
    EXPECT_FLOAT_EQ(series.mean(2), 2.5f);
}

TEST(statistics, tell_what_limits_a_frame) {
    const auto limit_of = [](float frame, float steps, float drawing, double gpu) {
        Statistics statistics;
        statistics.frame_ms.add(frame);
        statistics.steps_ms.add(steps);
        statistics.draw_ms.add(drawing);
        const PassTime passes[] = {{"meshes", 1, 0.25 * gpu}, {"strands", 1, 0.75 * gpu}};
        statistics.add_passes(passes);
        return statistics.limit();
    };
    EXPECT_EQ(limit_of(16, 2, 1, 4).what, "the display");
    EXPECT_FLOAT_EQ(limit_of(16, 2, 1, 4).ms, 4);
    EXPECT_EQ(limit_of(11, 2, 1, 10).what, "the GPU, most in strands");
    EXPECT_EQ(limit_of(30, 20, 8, 10).what, "the simulation");
    EXPECT_FLOAT_EQ(limit_of(30, 20, 8, 10).ms, 28);
    EXPECT_EQ(limit_of(30, 8, 20, 10).what, "drawing on the CPU");
}

TEST(statistics, a_changed_list_of_passes_clears_the_history) {
    Statistics statistics;
    const PassTime hair[] = {{"bodies", 1, 2}, {"strands", 0.5, 8}};
    for (int frame = 0; frame < 2; ++frame) statistics.add_passes(hair);
    ASSERT_EQ(statistics.passes.size(), 2u);
    EXPECT_EQ(statistics.passes[1].name, "strands");
    EXPECT_EQ(statistics.passes[1].gpu_ms.values(), (std::vector<float>{8, 8}));
    EXPECT_FLOAT_EQ(statistics.passes[1].cpu_ms.last(), 0.5f);
    statistics.add_passes({hair, 1});
    ASSERT_EQ(statistics.passes.size(), 1u);
    EXPECT_EQ(statistics.passes[0].gpu_ms.values().size(), 1u);
}

}  // namespace
}  // namespace ringlet
