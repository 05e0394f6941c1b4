#include "session/bench/bench_hair.h"

#include <algorithm>

#include "math/counted.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

// Time (s) at which the scene's head begins to turn; the benchmark starts there.
constexpr float kHeadStarts = 0.4f;

// `wanted` strands, evenly distributed over the head.
StrandSet some_of(const StrandSet& all, int wanted) {
    const int count = std::min(wanted, all.strand_count());
    std::vector<int> counts;
    const auto id = [&](int k) {
        return static_cast<int>(static_cast<std::int64_t>(k) * all.strand_count() / count);
    };
    for (int k = 0; k < count; ++k) counts.push_back(all.layout->vertex_count(id(k)));
    StrandSet out{StrandLayout(counts)};
    for (int k = 0; k < count; ++k)
        for (int i = 0; i < counts[static_cast<std::size_t>(k)]; ++i)
            out.position.set_vec3(k, i, all.position.vec3(id(k), i));
    return out;
}

// The parameters that the rows of the benchmark set themselves.
constexpr std::string_view kOwnKeys[] = {"sim.model",     "sim.substeps",   "sim.rod.solves",
                                         "groom.strands", "groom.vertices", "hair_hair."};

bool is_own_key(std::string_view override_text) {
    return std::any_of(std::begin(kOwnKeys), std::end(kOwnKeys), [&](std::string_view key) {
        return override_text.starts_with(key) &&
               (key.ends_with('.') || override_text.substr(key.size()).starts_with('='));
    });
}

}  // namespace

const char* name_of(BenchWorld world) {
    switch (world) {
        case BenchWorld::alone:
            return "alone";
        case BenchWorld::grid:
            return "grid";
        case BenchWorld::collision:
            return "collision";
        default:
            return "grid + collision";
    }
}

// Shape and settings that cost time do not follow the look of the scene, so that figures of
// different versions can be compared.
std::vector<std::string> bench_overrides() {
    return {"record.settle=0",
            "head.neck=rigid",
            "groom.grow_patches=false",
            "sim.model=ftl",
            "sim.damping=1.5",
            "sim.keep_gap=0.03",
            "sim.iterations=3",
            "sim.rod.material=hair",
            "sim.pbd.shape_stiffness=0.1",
            "sim.pbd.shape_reach=0.6",
            "groom.strands=8",
            "groom.guides=0",
            "groom.scalp=scalp",
            "groom.length=0.34",
            "groom.length_variation=0.12",
            "groom.layers=0",
            "groom.frizz.amplitude=0.001",
            "groom.flyaway.share=0",
            "groom.curl.radius=0.013",
            "groom.curl.pitch=0.045",
            "groom.curl.variation=0.15",
            "groom.curl.start=0.4",
            "groom.curl.reversals=0",
            "groom.large_clump.strength=0",
            "groom.clump.strength=0.9",
            "groom.clump.spacing=0.02",
            "groom.clump.noise=0",
            "groom.clump.splay=0",
            "groom.clump.strays=0",
            "groom.fine_clump.strength=0",
            "groom.comb.style=direction",
            "groom.comb.direction=[0, 0.3, -0.9]",
            "groom.comb.part=0.012",
            "groom.comb.part_strength=0.9",
            "groom.comb.droop=0.5",
            "groom.comb.lift=0.025"};
}

Result<BenchGroomer> BenchGroomer::open(std::span<const std::string> overrides) {
    for (const std::string& one : overrides)
        if (is_own_key(one))
            return Error{"--set " + one +
                         ": the rows of bench set this parameter themselves; remove it"};
    std::vector<std::string> all = bench_overrides();
    all.insert(all.end(), overrides.begin(), overrides.end());
    Result<Session> session = Session::open("curls", {.overrides = all});
    if (!session) return session.error();
    return BenchGroomer(std::move(*session));
}

Result<BenchHair> BenchGroomer::grow(int strands, int vertices, const TaskPool& pool) {
    const Actor& actor = session_.impl().actors.front();
    Scene scene = actor.scene;
    scene.groom.strands = strands;
    scene.groom.vertices = vertices;
    const Result<GroomMaps> maps = load_maps(scene);
    if (!maps) return maps.error();
    Messages ignored;
    Result<StrandSet> grown = load_groom(scene, *maps, *actor.head_mesh, ignored, pool);
    if (!grown) return grown.error();
    grown->region = {};
    auto rest = std::make_shared<StrandSet>(std::move(*grown));
    BenchHair out{std::move(rest), scene.sim, scene.world, scene.groom.seed};
    out.world.head.delay = -kHeadStarts;
    return out;
}

BenchHair with_model(const BenchHair& hair, int model, BenchWorld world) {
    BenchHair out = hair;
    out.settings.model = model;
    out.settings.substeps = all_models()[static_cast<std::size_t>(model)].substeps;
    out.settings.hair_hair = {};
    if (world == BenchWorld::grid || world == BenchWorld::both) out.settings.hair_hair.friction = 5;
    if (world == BenchWorld::alone || world == BenchWorld::grid) out.world.colliders.clear();
    return out;
}

double count_operations(const BenchHair& hair) {
    constexpr int kStrands = 32, kFrames = 3;
    const StrandSet few = some_of(*hair.rest, kStrands);
    SimSettings settings = hair.settings;
    settings.hair_hair = {};
    const TaskPool pool(1);
    Simulation simulation(few, settings, hair.world, hair.seed, LaneKind::counted);
    counted_operations = 0;
    for (int frame = 0; frame < kFrames; ++frame) simulation.step(pool);
    const double vertices = static_cast<double>(few.layout->vertex_total());
    return static_cast<double>(counted_operations) / (vertices * kFrames * settings.substeps);
}

}  // namespace ringlet
