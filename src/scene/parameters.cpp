#include "scene/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/materials.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

using Entries = std::vector<Parameter>;

template <class Enum>
Choice choice(Enum& value, std::vector<std::string> words) {
    return {std::move(words), [&value] { return static_cast<int>(value); },
            [&value](int word) { value = static_cast<Enum>(word); }};
}

// A list over a vector of structs, of which `describe(entry)` gives the parameters.
template <class Entry, class Describe>
ParameterList list(std::string key, std::vector<Entry>& entries, int most, std::string sentence,
                   Describe describe) {
    // Pointers into a vector must survive its growth.
    entries.reserve(static_cast<std::size_t>(most));
    return {std::move(key),
            most,
            std::move(sentence),
            [&entries] { entries.clear(); },
            [&entries, most, describe] {
                entries.reserve(static_cast<std::size_t>(most));
                return describe(entries.emplace_back());
            },
            [&entries, describe] {
                std::vector<Entries> out;
                for (Entry& entry : entries) out.push_back(describe(entry));
                return out;
            },
            [&entries](std::size_t k) {
                entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(k));
            }};
}

void add_ramp(Entries& out, const std::string& key, Ramp& ramp, const std::string& what) {
    out.push_back(
        {key + ".at_root", &ramp.at_root, 0, 10, "", "Factor of the " + what + " at the root."});
    out.push_back({key + ".at_tip", &ramp.at_tip, 0, 10, "",
                   "Factor of the " + what + " at the tip; linear in between."});
}

void add_wave(Entries& out, const std::string& key, WaveSettings& w, const std::string& what) {
    out.insert(
        out.end(),
        {
            {key + ".amplitude", &w.amplitude, 0, 0.2, "m",
             "How far " + what + " go to each side; 0 is none."},
            {key + ".length", &w.length, 0.0005, 2, "m", "Length of hair per wave."},
            {key + ".variation", &w.variation, 0, 0.9, "", "Relative variation of that length."},
        });
    add_ramp(out, key, w.ramp, "amplitude");
}

void add_groom(Entries& out, GroomSettings& g) {
    out.insert(
        out.end(),
        {
            {"groom.mesh", &g.mesh, 0, 0, "",
             "OBJ file hair grows on and that is drawn; relative to the scene file, or "
             "builtin:NAME."},
            {"groom.scalp", &g.scalp, 0, 0, "",
             "Material or group of the mesh where hair grows; empty: everywhere."},
            {"groom.scalp_tint", &g.scalp_tint, 0, 1, "",
             "How much the drawn scalp takes the colour of the roots: stubble and shade between "
             "strands."},
            {"groom.density", &g.density, 0, 0, "",
             "Image over the mesh's UV: hair grows where it is white, not where it is black."},
            {"groom.facing_up", &g.facing_up, -1, 1, "",
             "Hair grows only where the skin's normal has at least this y; -1 everywhere, 0 where "
             "it faces up."},
            {"groom.strands", &g.strands, 0, 5e6, "", "Number of strands grown on the mesh."},
            {"groom.guides", &g.guides, 0, 5e6, "",
             "Number of them that are simulated; the others follow. 0: all."},
            {"groom.vertices", &g.vertices, 1, 4096, "", "Vertices of a strand, root included."},
            {"groom.length", &g.length, 0.001, 10, "m",
             "Length of a strand as it hangs, its curl not unrolled."},
            {"groom.length_variation", &g.length_variation, 0, 1, "",
             "Relative variation of the length from strand to strand."},
            {"groom.length_image", &g.length_image, 0, 0, "",
             "Image over the mesh's UV that multiplies the length."},
            {"groom.diameter", &g.diameter, 1e-6, 0.01, "m",
             "Diameter of a strand at its root; human hair 50e-6 to 100e-6."},
            {"groom.diameter_variation", &g.diameter_variation, 0, 0.9, "",
             "Relative variation of the diameter from strand to strand."},
            {"groom.taper", &g.taper, 0, 1, "", "Share of the diameter that is lost at the tip."},
            {"groom.seed", &g.seed, 0, 4294967295.0, "", "Seed of all chance in the scene."},
            {"groom.curl.radius", &g.curl.radius, 0, 0.2, "m",
             "Radius of the helix a strand follows; 0 is straight."},
            {"groom.curl.pitch", &g.curl.pitch, 0.001, 1, "m", "Length per turn of the helix."},
            {"groom.curl.variation", &g.curl.variation, 0, 0.9, "",
             "Relative variation of radius and pitch from lock to lock."},
            {"groom.curl.start", &g.curl.start, 0, 1, "",
             "Share of the strand, from the root, over which the curl sets in."},
            {"groom.curl.phase", &g.curl.phase, 0, 1, "turns",
             "Where on its circle the helix starts."},
            {"groom.curl.phase_variation", &g.curl.phase_variation, 0, 1, "",
             "0: all locks wind in step; 1: each starts where it likes."},
            {"groom.curl.mix", &g.curl.mix, 0, 1, "", "Share of left-handed locks."},
        });
    add_ramp(out, "groom.curl", g.curl.ramp, "radius");
    add_wave(out, "groom.wave", g.wave, "waves");
    add_wave(out, "groom.zigzag", g.zigzag, "kinks");
    out.insert(out.end(),
               {
                   {"groom.clump.strength", &g.clump.strength, 0, 1, "",
                    "How much strands gather into locks towards their tips."},
                   {"groom.clump.size", &g.clump.size, 1, 100000, "", "Strands in a lock."},
                   {"groom.clump.variation", &g.clump.variation, 0, 1, "",
                    "How much strands of a lock differ in gathering."},
               });
    add_ramp(out, "groom.clump", g.clump.ramp, "strength");
    out.insert(out.end(), {
                              {"groom.frizz.amplitude", &g.frizz.amplitude, 0, 0.1, "m",
                               "Sideways noise along a strand."},
                              {"groom.frizz.length", &g.frizz.length, 0.0005, 1, "m",
                               "Length of hair between knots of that noise."},
                              {"groom.frizz.variation", &g.frizz.variation, 0, 1, "",
                               "Relative variation of it from strand to strand."},
                          });
    add_ramp(out, "groom.frizz", g.frizz.ramp, "noise");
    out.insert(
        out.end(),
        {
            {"groom.flyaway.share", &g.flyaway.share, 0, 1, "",
             "Share of strands that belong to no lock and go their own way."},
            {"groom.flyaway.amplitude", &g.flyaway.amplitude, 0, 0.5, "m",
             "How far their tips stray."},
            {"groom.comb.direction", &g.comb.direction, -10, 10, "",
             "Added to the skin's normal to give the direction in which hair leaves."},
            {"groom.comb.variation", &g.comb.variation, 0, 2, "",
             "Variation of that direction from strand to strand."},
            {"groom.comb.part", &g.comb.part, -10, 10, "m", "x of the parting."},
            {"groom.comb.part_strength", &g.comb.part_strength, 0, 10, "",
             "How strongly hair is combed to its side of the parting."},
            {"groom.comb.droop", &g.comb.droop, 0, 10, "",
             "How soon hair bends down; 1 within about 5 cm, 0 never."},
            {"groom.comb.droop_variation", &g.comb.droop_variation, 0, 1, "",
             "Relative variation of droop from strand to strand."},
            {"groom.comb.lift", &g.comb.lift, 0, 0.05, "m",
             "Gap between the skin and hair combed over it."},
            {"groom.colour.root", &g.colour.root, 0, 1, "", "Linear RGB at the root."},
            {"groom.colour.tip", &g.colour.tip, 0, 1, "", "Linear RGB at the tip."},
            {"groom.colour.variation", &g.colour.variation, 0, 1, "",
             "Relative variation of brightness from strand to strand."},
            {"groom.colour.image", &g.colour.image, 0, 0, "",
             "Image over the mesh's UV that multiplies the colour."},
            {"groom.file", &g.import.file, 0, 0, "",
             "Hairstyle to import instead of growing one: .hair, .tfx, .data, .bin, .ply or .obj."},
            {"groom.file_scale", &g.import.scale, 1e-6, 1e6, "m", "Metres per unit of that file."},
            {"groom.file_z_up", &g.import.z_up, 0, 0, "", "The file has Z up."},
            {"groom.file_vertices", &g.import.vertices, 0, 4096, "",
             "Resample its strands to this many vertices; 0: as they are."},
            {"groom.file_most", &g.import.most, 0, 5e6, "",
             "Keep at most this many of its strands, evenly picked; 0: all."},
            {"groom.file_snap", &g.import.snap, 0, 0, "",
             "Move its strands so that their roots stand on the mesh."},
            {"groom.file_recolour", &g.import.recolour, 0, 0, "",
             "Use the scene's colour and diameter instead of the file's."},
        });
}

Entries planted_strand(PlantedStrand& s) {
    return {{"root", &s.root, -1000, 1000, "m", "Where the strand starts."},
            {"direction", &s.direction, -1000, 1000, "", "Where it points; clamped there."},
            {"length", &s.length, 0, 10, "m", "Length along its axis."},
            {"vertices", &s.vertices, 1, 4096, "", "Vertices, root included."},
            {"curl_radius", &s.curl_radius, 0, 0.2, "m", "Radius of its helix; 0 is straight."},
            {"curl_pitch", &s.curl_pitch, 0.001, 1, "m", "Length per turn of its helix."}};
}

std::vector<std::string> model_names() {
    std::vector<std::string> out;
    for (const ModelEntry& model : all_models()) out.emplace_back(model.name);
    return out;
}

Choice material_choice(RodSettings& rod) {
    std::vector<std::string> names;
    for (const StrandMaterial& material : all_materials()) names.emplace_back(material.name);
    return {std::move(names), [&rod] { return rod.material; },
            [&rod](int index) { set_material(rod, index); }};
}

// The parameters that models declare themselves (sim/model_entry.h).
void add_model_parameters(Entries& out, SimSettings& s) {
    for (const ModelEntry& model : all_models())
        for (const ModelParameter& p : model.parameters)
            out.push_back({std::string("sim.") + model.name + "." + p.key,
                           std::visit([](auto* value) -> Target { return value; }, p.value(s)),
                           p.low, p.high, p.unit, p.sentence});
}

void add_sim(Entries& out, SimSettings& s) {
    out.insert(out.end(),
               {
                   {"sim.model", choice(s.model, model_names()), 0, 0, "", "How strands move."},
                   {"sim.dt", &s.dt, 1e-5, 0.1, "s", "Time step."},
                   {"sim.substeps", &s.substeps, 1, 1000, "", "Parts a step is divided into."},
                   {"sim.iterations", &s.iterations, 1, 1000, "",
                    "Passes over all constraints in a substep."},
                   {"sim.gravity", &s.gravity, -1000, 1000, "m/s^2", "Gravity."},
                   {"sim.force", &s.force, -1000, 1000, "N",
                    "A force on every vertex; lighter strands follow it more."},
                   {"sim.damping", &s.damping, 0, 1000, "1/s",
                    "Rate at which strands take on the velocity of the air."},
                   {"sim.damping_along", &s.damping_along, 0, 1, "",
                    "That rate along a strand over the one across it; of thin fibres about 0.5."},
                   {"sim.carry", &s.carry, 0, 1, "",
                    "Share of the head's motion that takes the hair along as if it were stiff; 1: "
                    "it feels none."},
                   {"sim.carry_above", &s.carry_above, 0.1, 1e6, "m/s",
                    "Of a head whose roots move faster, as in a jump, hair feels only this speed."},
                   {"sim.collision_radius", &s.collision_radius, 0, 0.1, "m",
                    "Gap kept between hair and bodies."},
                   {"sim.keep_gap", &s.keep_gap, 0, 0.1, "m",
                    "Up to this much of the groomed gap to bodies is kept: it stands for the hair "
                    "underneath."},
                   {"sim.contact", choice(s.contact, {"project", "penalty"}), 0, 0, "",
                    "How bodies keep hair out: exactly and with friction, or by a soft push."},
                   {"sim.penalty_stiffness", &s.penalty_stiffness, 0, 1e7, "1/s^2",
                    "Acceleration of that push per metre of depth."},
                   {"sim.hold_roots", &s.hold_roots, 0, 0, "",
                    "Roots follow the head; false lets strands fly."},
                   {"sim.hold_tips", &s.hold_tips, 0, 0, "",
                    "Tips are held by the head too: loops, cords and threads between two points."},
                   {"sim.clamp_root", &s.clamp_root, 0, 0, "",
                    "The head also holds the direction in which a strand leaves the skin."},
                   {"sim.pbd.stretch_stiffness", &s.pbd.stretch_stiffness, 0, 1, "",
                    "Stiffness of segment lengths."},
                   {"sim.pbd.length_solves", &s.pbd.length_solves, 0, 100, "",
                    "Direct solves of all lengths after the iterations, where stretch_stiffness is "
                    "1; 0: sweeps alone."},
                   {"sim.pbd.bend_stiffness", &s.pbd.bend_stiffness, 0, 1, "",
                    "Stiffness of the angle between consecutive chunks."},
                   {"sim.pbd.bend_chunk", &s.pbd.bend_chunk, 1, 1000, "", "Segments in a chunk."},
                   {"sim.pbd.shape_stiffness", &s.pbd.shape_stiffness, 0, 1, "",
                    "Pull of a vertex to its groomed place on the head: keeps a style in shape."},
                   {"sim.pbd.shape_reach", &s.pbd.shape_reach, 0, 1, "",
                    "Share of the strand, from the root, over which that pull fades."},
                   {"sim.pbd.iteration_corrected", &s.pbd.iteration_corrected, 0, 0, "",
                    "Use 1-(1-k)^(1/iterations), so that stiffness does not depend on iterations."},
                   {"sim.pbd.mass", &s.pbd.mass, 1e-6, 1e6, "kg",
                    "Mass of a vertex; matters only against sim.force."},
                   {"sim.pbd.mass_variation", &s.pbd.mass_variation, 0, 0.99, "",
                    "Relative variation of mass from strand to strand."},
                   {"sim.pbd.rigid_damping", &s.pbd.rigid_damping, 0, 1000, "1/s",
                    "Damps all but a strand's rigid motion; keeps both momenta."},
                   {"sim.pbd.imperfection", &s.pbd.imperfection, 0, 1, "",
                    "Sideways start, in segments, of strands that must find their curl."},
                   {"sim.rod.material", material_choice(s.rod), 0, 0, "",
                    "What a strand is made of: sets radius, ellipse, youngs_modulus, "
                    "poisson_ratio, density and damping, unless the scene says those too."},
                   {"sim.rod.radius", &s.rod.radius, 1e-6, 0.01, "m",
                    "Radius of a strand's section, for its weight and stiffness; of an ellipse, of "
                    "the circle of its area."},
                   {"sim.rod.ellipse", &s.rod.ellipse, 0.05, 1, "",
                    "Narrow over wide axis of the section; 1 is round, curly hair is flatter."},
                   {"sim.rod.ellipse_turn", &s.rod.ellipse_turn, -180, 180, "degrees",
                    "Turns the section about the strand; at 0 a strand bends most easily the way "
                    "it is curled, a straight one up and down."},
                   {"sim.rod.youngs_modulus", &s.rod.youngs_modulus, 0, 1e12, "Pa",
                    "Stiffness of the material; human hair 2e9 to 6e9."},
                   {"sim.rod.poisson_ratio", &s.rod.poisson_ratio, -0.9, 0.5, "",
                    "Sets the twisting stiffness: G = E / (2 + 2 poisson_ratio)."},
                   {"sim.rod.density", &s.rod.density, 1, 1e5, "kg/m^3",
                    "Of the material; human hair 1300."},
                   {"sim.rod.solves", &s.rod.solves, 1, 100, "",
                    "Direct solves in a substep; at least two per 1/60 s."},
                   {"sim.rod.more_solves", &s.rod.more_solves, 0, 100, "",
                    "Further solves for strands that these leave stretched, as where they hit "
                    "something; 0 bounds the cost."},
                   {"sim.rod.damping", &s.rod.damping, 0, 10, "s",
                    "Damping of bend and twist, as a share of stiffness (Rayleigh)."},
                   {"sim.rod.sag_free", &s.rod.sag_free, 0, 0, "",
                    "The groomed pose is where the strand rests under gravity; false: its shape "
                    "without gravity."},
                   {"sim.rod.sag_free_safety", &s.rod.sag_free_safety, 0, 100, "",
                    "How many times gravity a sag-free strand must stand without falling over; "
                    "where it could not, joints are made stiffer, as if other hair held them. 0: "
                    "never."},
                   {"sim.rod.stiffness_dial", &s.rod.stiffness_dial, 0, 1, "",
                    "Limp 0 to wiry 1; 0.5 as the material, each end a factor of 100."},
                   {"sim.rod.weight_dial", &s.rod.weight_dial, 0, 1, "",
                    "Light 0 to heavy 1; 0.5 as the material, each end a factor of 3.2."},
                   {"sim.rod.bounce_dial", &s.rod.bounce_dial, 0, 1, "",
                    "Dull 0 to springy 1; 0.5 damps as the material, each end a factor of 10."},
                   {"sim.rod.contact_start", &s.rod.contact_start, 1, 1e5, "",
                    "Hardness of a new contact; 30 for bodies thinner than 1 cm met at 5 m/s."},
                   {"sim.rod.contact_limit", &s.rod.contact_limit, 1, 1e5, "",
                    "Hardness of a contact that lasts; it doubles each substep up to this."},
                   {"sim.ftl.dynamic", &s.ftl.dynamic, 0, 0, "",
                    "A vertex feels what it leads; false: plain (static) follow the leader."},
                   {"sim.ftl.correction", &s.ftl.correction, 0, 1, "",
                    "How much of it: 1 carries the whole weight, less also damps."},
                   {"sim.ftl.bend_stiffness", &s.ftl.bend_stiffness, 0, 1, "",
                    "Share of the way to its groomed direction that a segment is pulled in "
                    "1/480 s."},
                   {"sim.ftl.bend_damping", &s.ftl.bend_damping, 0, 10000, "1/s",
                    "Damps bending, not the motion of the strand as a whole."},
                   {"sim.ftl.bend_smoothing", &s.ftl.bend_smoothing, 0, 10, "m",
                    "Length over which a strand is smoothed to tell its curls from its course."},
                   {"sim.ftl.sag_free", &s.ftl.sag_free, 0, 0, "",
                    "The groomed pose is where the strand rests under gravity; false: its shape "
                    "without gravity."},
                   {"sim.ftl.mass", &s.ftl.mass, 1e-6, 1e6, "kg",
                    "Mass of a vertex; matters only against sim.force."},
                   {"sim.spring.stretch_stiffness", &s.spring.stretch_stiffness, 0, 1e9, "m^2/s^2",
                    "Force that would double a length, over the strand's weight per metre."},
                   {"sim.spring.stretch_damping", &s.spring.stretch_damping, 0, 1e6, "m^2/s",
                    "Damping of stretch, over the weight per metre."},
                   {"sim.spring.stretch_limit", &s.spring.stretch_limit, 0, 1, "",
                    "No segment is longer or shorter than groomed by more than this share."},
                   {"sim.spring.bend_stiffness", &s.spring.bend_stiffness, 0, 1e9, "m^2/s^2",
                    "How firmly segments keep their direction on the smoothed curve."},
                   {"sim.spring.bend_damping", &s.spring.bend_damping, 0, 1e6, "m^2/s",
                    "Damping of turning segments; slows bouncing and swinging."},
                   {"sim.spring.bend_smoothing", &s.spring.bend_smoothing, 0, 1, "m",
                    "Length over which the curve that carries those directions is smoothed; longer "
                    "is stiffer."},
                   {"sim.spring.core_stiffness", &s.spring.core_stiffness, 0, 1e9, "m^2/s^2",
                    "Keeps a curl from unwinding: resists longer cores, not shorter ones."},
                   {"sim.spring.core_damping", &s.spring.core_damping, 0, 1e6, "m^2/s",
                    "Damping of a curl's length; slows its bouncing, not its swinging."},
                   {"sim.spring.core_smoothing", &s.spring.core_smoothing, 0, 1, "m",
                    "Length over which the core is smoothed; about a turn of the curl."},
                   {"sim.spring.line_density", &s.spring.line_density, 1e-9, 1e3, "kg/m",
                    "Weight per metre; only its ratio to sim.force matters."},
                   {"sim.spring.max_steps", &s.spring.max_steps, 1, 1024, "",
                    "Most inner steps of a substep; what needs more is softened to stay stable."},
                   {"sim.spring.sag_free", &s.spring.sag_free, 0, 0, "",
                    "The groomed pose is where the strand rests under gravity; false: its shape "
                    "without gravity."},
               });
}

void add_hair_hair(Entries& out, HairHair& h) {
    out.insert(
        out.end(),
        {
            {"hair_hair.cell", &h.cell, 0.001, 1, "m",
             "Cell of the grid on which hair meets hair: 0.01 for friction, 0.02 to 0.03 for "
             "volume, "
             "more where strands are few."},
            {"hair_hair.friction", &h.friction, 0, 1000, "1/s",
             "Rate at which hair as dense as groomed takes on the velocity of the hair around it; "
             "0 is none."},
            {"hair_hair.plain_friction", &h.plain_friction, 0, 1, "",
             "Share of the relative velocity that each step removes, however dense hair is."},
            {"hair_hair.repulsion", &h.repulsion, 0, 1000, "m/s^2",
             "Acceleration of hair as dense as groomed towards where there is less of it."},
            {"hair_hair.plain_repulsion", &h.plain_repulsion, 0, 0.1, "m",
             "How far each step pushes hair that way, however dense it is."},
            {"hair_hair.volume", &h.volume, 0, 1000, "m^2/s^2",
             "Stiffness of hair that is pressed together more than groomed; its square root times "
             "the time between mixings must stay below a cell."},
            {"hair_hair.mixes", &h.couplings, 1, 1000, "",
             "How often in a step; never more often than there are substeps."},
        });
}

Entries pbd_pair(PbdPair& p) {
    return {{"reach", choice(p.reach, {"along", "ends"}), 0, 0, "",
             "Every vertex with the one `span` on, or only first with last."},
            {"span", &p.span, 2, 4095, "", "Segments between the two vertices."},
            {"rest", &p.rest, 0, 4096, "segments",
             "Distance kept, in mean segment lengths; 0: as groomed."},
            {"stiffness", &p.stiffness, 0, 1, "", "How much of the error a step removes."}};
}

// `key` names the files, `meaning` says whose shapes they are.
void add_sequence(Entries& out, const std::string& key, SequenceFiles& s,
                  const std::string& meaning) {
    out.insert(out.end(),
               {{key, &s.files, 0, 0, "", meaning},
                {key + "_fps", &s.fps, 0.01, 1000, "1/s", "Frames of the sequence per second."},
                {key + "_loops", &s.loops, 0, 0, "",
                 "After its last frame comes the first; otherwise the last stays."}});
}

Entries collider_entry(Collider& c) {
    Entries out = {
        {"shape", choice(c.shape, {std::begin(kColliderShapeNames), std::end(kColliderShapeNames)}),
         0, 0, "", "What it is."},
        {"centre", &c.centre, -1000, 1000, "m",
         "Centre of a sphere or ellipsoid, one end of a capsule's axis, a point of a plane, where "
         "a mesh has its origin."},
        {"end", &c.end, -1000, 1000, "m", "Other end of a capsule's axis."},
        {"normal", &c.normal, -1000, 1000, "", "Of a plane, to where hair may be."},
        {"radius", &c.radius, 0, 1000, "m", "Of a sphere or capsule."},
        {"radii", &c.radii, 0, 1000, "m",
         "Of an ellipsoid, along its own x, y and z; less than 0.1 mm counts as that."},
        {"rotate", &c.rotate_degrees, -36000, 36000, "degrees",
         "How an ellipsoid or mesh is turned: about x, then y, then z."},
        {"file", &c.mesh.file, 0, 0, "",
         "OBJ of a mesh, relative to the scene file, or builtin:NAME; empty: groom.mesh."},
        {"group", &c.mesh.group, 0, 0, "",
         "Material or group of the mesh that is meant; empty: all of it."},
        {"scale", &c.mesh.scale, 1e-6, 1e6, "m", "Metres per unit of the mesh."},
        {"cell", &c.mesh.cell, 0, 10, "m",
         "Cell of the grid on which distances to a mesh are kept; 0: by its size."},
        {"thickness", &c.mesh.thickness, 0, 1, "m",
         "Thickness of a mesh that is a sheet; 0: what it encloses is solid."},
        {"friction", &c.friction, 0, 10, "", "Coulomb coefficient of what slides."},
        {"static_friction", &c.static_friction, 0, 10, "",
         "Of what rests, for the rod; where it is less than friction, friction holds."},
        {"restitution", &c.restitution, 0, 1, "", "Share of the approach speed that bounces back."},
        {"attached", &c.attached, 0, 0, "", "Moves with the head."}};
    add_sequence(
        out, "sequence", c.mesh.sequence,
        "OBJ files of a mesh of its own changing its shape, one a frame, named as those of "
        "head.sequence.");
    return out;
}

Entries head_key(HeadKey& k) {
    return {{"time", &k.time, 0, 86400, "s", "When."},
            {"translate", &k.translate, -1000, 1000, "m", "Where the head is then."},
            {"rotate", &k.rotate_degrees, -36000, 36000, "degrees",
             "How it is turned then: about x (nod), y (turn), z (tilt)."}};
}

Entries actor_entry(ActorSettings& a) {
    return {{"at", &a.at, -1000, 1000, "m", "Where it stands."},
            {"turn", &a.turn_degrees, -36000, 36000, "degrees", "How it is turned about +y."},
            {"delay", &a.delay, 0, 86400, "s", "Its head moves that much later."},
            {"scene", &a.scene, 0, 0, "",
             "Built-in name or file of the scene it comes from; empty: this one."},
            {"set", &a.set, 0, 0, "",
             "Changes to that scene, each as --set takes them: \"key=value\"."}};
}

void add_world(Entries& out, World& w) {
    out.insert(out.end(),
               {
                   {"head.motion", choice(w.head.motion, {"none", "nod", "turn", "shake", "spin"}),
                    0, 0, "", "A motion that goes on for ever, on top of the keys."},
                   {"head.amplitude", &w.head.amplitude, 0, 100, "m or rad",
                    "Reach of shake (m), nod and turn (rad)."},
                   {"head.frequency", &w.head.frequency, 0, 100, "1/s",
                    "Swings, or turns of spin, per second."},
               });
    add_sequence(out, "head.sequence", w.head.sequence,
                 "OBJ files of groom.mesh changing its shape, one a frame, relative to the scene: "
                 "walk/frame####.obj, with # for each digit. Roots ride on it.");
    out.insert(
        out.end(),
        {
            {"head.pivot", &w.head.pivot, -1000, 1000, "m", "Point about which the head turns."},
            {"wind.velocity", &w.wind.velocity, -200, 200, "m/s",
             "Mean velocity of the air; sim.damping couples hair to it."},
            {"wind.oscillation", &w.wind.oscillation, 0, 1, "",
             "0 steady; 1 swings between nothing and twice the mean."},
            {"wind.frequency", &w.wind.frequency, 0, 100, "1/s", "Of that swing."},
            {"wind.gust", &w.wind.gust, 0, 200, "m/s", "Extra speed of one gust."},
            {"wind.gust_time", &w.wind.gust_time, 0, 86400, "s", "When the gust begins."},
            {"wind.gust_duration", &w.wind.gust_duration, 0.01, 86400, "s", "How long it blows."},
            {"wind.shelter", &w.wind.shelter, 0, 1, "",
             "Share of the drag of the air that hair as dense as groomed is spared."},
            {"wind.turbulence", &w.wind.turbulence, 0, 100, "m/s",
             "Root mean square of the speed that turbulence adds."},
            {"wind.turbulence_size", &w.wind.turbulence_size, 0.01, 1000, "m",
             "Of its longest waves; the shortest are an eighth of that."},
            {"wind.turbulence_seed", &w.wind.turbulence_seed, 0, 4294967295.0, "",
             "Another number, another turbulence."},
        });
}

void add_picture(Entries& out, Scene& s) {
    out.insert(
        out.end(),
        {
            {"camera.eye", &s.camera.eye, -1000, 1000, "m", "Where the camera is."},
            {"camera.target", &s.camera.target, -1000, 1000, "m", "What it looks at."},
            {"camera.field_of_view", &s.camera.field_of_view_degrees, 1, 150, "degrees",
             "Vertical angle of view."},
            {"light.direction", &s.light.direction, -1000, 1000, "",
             "From the scene towards the key light."},
            {"light.colour", &s.light.colour, 0, 10, "", "Linear RGB of the key light."},
            {"light.key", &s.light.key, 0, 100, "", "Strength of the key light."},
            {"light.fill", &s.light.fill, 0, 100, "",
             "Strength of the soft light from all around."},
            {"light.rim", &s.light.rim, 0, 100, "", "Strength of the light from behind."},
            {"render.background", &s.render.background, 0, 10, "", "Linear RGB of the backdrop."},
            {"render.ground", &s.render.ground, 0, 0, "", "Draw the ground."},
            {"render.ground_height", &s.render.ground_height, -1000, 1000, "m",
             "Height of the ground."},
            {"render.exposure", &s.render.exposure, 0.01, 100, "",
             "Brightness of the whole picture."},
            {"render.specular", &s.render.specular, 0, 10, "",
             "Strength of the highlights along the hair."},
            {"render.roughness", &s.render.roughness, 0.02, 1, "",
             "0.05 sharp highlights, 1 broad."},
            {"render.hair_width", &s.render.width, 0.01, 1000, "",
             "Drawn width over real diameter."},
            {"render.shadows", &s.render.shadows, 0, 0, "",
             "Hair and body shadow themselves and each other."},
            {"render.mode", choice(s.render.mode, {"ribbons", "tessellation", "ref", "lines"}), 0,
             0, "",
             "How strands are drawn: sorted ribbons, the same by tessellation shaders, a slow "
             "reference, or a preview in lines."},
            {"render.ref_frames", &s.render.ref_frames, 1, 4096, "",
             "Pictures of which mode ref takes the mean."},
            {"render.show_colliders", &s.show_colliders, 0, 0, "", "Draw the colliders too."},
            {"render.colour_by",
             choice(s.render.colour_by, {"hair", "stretch", "speed", "contact", "force", "id"}), 0,
             0, "", "What the colour of strands tells; hair: their own."},
            {"render.grid", choice(s.render.grid, {"none", "density", "velocity"}), 0, 0, "",
             "Draw the grid on which hair meets hair: how dense it is, or where it moves."},
            {"render.frames", &s.render.frames, 0, 0, "",
             "Draw axes along some strands: red and green across, blue along."},
            {"record.fps", &s.record.fps, 1, 240, "1/s", "Frames per second of recordings."},
            {"record.duration", &s.record.duration, 0, 3600, "s", "Length of a recording."},
            {"record.settle", &s.record.settle, 0, 60, "s",
             "Time the hair is given to come to rest before the first frame."},
            {"record.format", choice(s.record.format, {"png", "bmp", "mp4"}), 0, 0, "",
             "What the viewer records: numbered pictures, or a video."},
            {"record.width", &s.record.width, 16, 8192, "px", "Width of pictures."},
            {"record.height", &s.record.height, 16, 8192, "px", "Height of pictures."},
        });
}

void add_fur(Entries& out, FurSettings& f) {
    out.insert(
        out.end(),
        {
            {"fur.style", choice(f.style, {"none", "original", "shells", "strands"}), 0, 0, "",
             "Fur on groom.mesh: as the assignment has it, as better shells, or the same coat "
             "grown as strands."},
            {"fur.shells", &f.shells, 2, 256, "", "Layers drawn over the skin."},
            {"fur.unit", &f.unit, 0, 1000, "m",
             "Length that counts as 1 in this section; 0: the RMS radius of the mesh."},
            {"fur.length", &f.length, 0.001, 10, "units",
             "Length of the fur, times groom.length_image."},
            {"fur.density", &f.density, 0.05, 10, "",
             "How finely the skin is set with strands, along a line: twice is four times as many."},
            {"fur.thickness", &f.thickness, 0.05, 1, "",
             "Radius of a strand at the skin over the side of the cell it has to itself."},
            {"fur.stiffness", &f.stiffness, 0, 1e6, "1/s^2",
             "Acceleration back to rest, over the way from there."},
            {"fur.damping", &f.damping, 0, 1, "",
             "Share of the speed that is kept in a step; shells: in 0.02 s, at stiffness 4."},
            {"fur.gravity", &f.gravity, -1000, 1000, "units/s^2", "Weight of the fur."},
            {"fur.wind", &f.wind, 0, 1000, "1/s", "Acceleration over the speed of the air."},
            {"fur.dt", &f.dt, 1e-5, 10, "s",
             "Time step of the fur, in its own time; shells are stable at any."},
            {"fur.steps", &f.steps, 1, 1000, "", "Such steps in a step of sim.dt."},
            {"fur.most_bend", &f.most_bend, 0, 120, "degrees",
             "Most that shells lean away from the skin's normal."},
            {"fur.fins", &f.fins, 0, 1, "",
             "Opacity of the fins that close the gaps between shells where the skin is seen edge "
             "on."},
        });
}

// A TOML basic string.
std::string quoted_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string number(double value) {
    // Enough digits to read back the same float, no more; a whole -0 would lose its sign.
    if (value == 0 && std::signbit(value)) return "-0.0";
    return fmt::format("{}", static_cast<float>(value));
}

}  // namespace

ParameterTable parameters_of(Scene& scene) {
    ParameterTable table;
    table.parameters.push_back(
        {"title", &scene.title, 0, 0, "", "One line that says what the scene shows."});
    add_groom(table.parameters, scene.groom);
    add_fur(table.parameters, scene.fur);
    add_sim(table.parameters, scene.sim);
    add_model_parameters(table.parameters, scene.sim);
    add_hair_hair(table.parameters, scene.sim.hair_hair);
    add_world(table.parameters, scene.world);
    add_picture(table.parameters, scene);
    table.lists.push_back(list("groom.strand", scene.groom.planted, 4096,
                               "A strand planted by hand.", planted_strand));
    table.lists.push_back(
        list("sim.pbd.pair", scene.sim.pbd.pairs, 8,
             "A distance kept between vertices that are not neighbours: what curls.", pbd_pair));
    table.lists.push_back(
        list("collider", scene.world.colliders, 256, "A body hair cannot enter.", collider_entry));
    table.lists.back().note_place = [&scene](const std::string& file, int line) {
        scene.world.colliders.back().mesh.scene = file;
        scene.world.colliders.back().mesh.line = line;
    };
    table.lists.push_back(list("head.key", scene.world.head.keys, 4096,
                               "A pose of the head at a time; smooth in between.", head_key));
    table.lists.push_back(list("actor", scene.actors, 64,
                               "One of several heads; none: the scene itself.", actor_entry));
    table.lists.back().note_place = [&scene](const std::string& file, int line) {
        scene.actors.back().file = file;
        scene.actors.back().line = line;
    };
    return table;
}

std::string format_value(const Parameter& parameter) {
    struct Format {
        std::string operator()(const float* v) const { return number(*v); }
        std::string operator()(const int* v) const { return fmt::format("{}", *v); }
        std::string operator()(const std::uint32_t* v) const { return fmt::format("{}", *v); }
        std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
        std::string operator()(const std::string* v) const { return quoted_text(*v); }
        std::string operator()(const Texts* v) const {
            std::string out;
            for (const std::string& text : *v) out += (out.empty() ? "" : ", ") + quoted_text(text);
            return "[" + out + "]";
        }
        std::string operator()(const Vec3f* v) const {
            return fmt::format("[{}, {}, {}]", number(v->x), number(v->y), number(v->z));
        }
        std::string operator()(const Choice& c) const {
            return '"' + c.words[static_cast<std::size_t>(c.get())] + '"';
        }
    };
    return std::visit(Format{}, parameter.target);
}

std::string type_of(const Parameter& parameter) {
    struct Name {
        std::string operator()(const float*) const { return "number"; }
        std::string operator()(const int*) const { return "whole number"; }
        std::string operator()(const std::uint32_t*) const { return "whole number"; }
        std::string operator()(const bool*) const { return "true or false"; }
        std::string operator()(const std::string*) const { return "text"; }
        std::string operator()(const Texts*) const { return "list of texts"; }
        std::string operator()(const Vec3f*) const { return "[x, y, z]"; }
        std::string operator()(const Choice& c) const {
            std::string out;
            for (const std::string& word : c.words) out += (out.empty() ? "" : ", ") + word;
            return out;
        }
    };
    return std::visit(Name{}, parameter.target);
}

bool names_file(const std::string& key) {
    constexpr std::string_view kFiles[] = {
        "groom.mesh", "groom.density", "groom.length_image", "groom.colour.image",
        "groom.file", "head.sequence", "collider.file",      "collider.sequence"};
    return std::find(std::begin(kFiles), std::end(kFiles), key) != std::end(kFiles);
}

namespace {

std::string key_row(const std::string& prefix, const Parameter& p) {
    const bool bounded = p.low < p.high;
    const std::string range = bounded ? fmt::format("{} to {}", number(p.low), number(p.high)) : "";
    return fmt::format("| `{}{}` | {} | {} | {} | `{}` | {} |\n", prefix, p.key, type_of(p), range,
                       p.unit, format_value(p), p.sentence);
}

}  // namespace

std::string describe_keys() {
    const std::string head =
        "| key | type | range | unit | default | meaning |\n|---|---|---|---|---|---|\n";
    Scene defaults;
    const ParameterTable table = parameters_of(defaults);
    std::string out = head;
    out += "| `base` | text | | | | A built-in scene to start from; what follows changes it. |\n";
    out +=
        "| `groom.preset` | text | | | | A built-in scene whose hairstyle (its `[groom]`) to start "
        "from. |\n";
    for (const Parameter& parameter : table.parameters) out += key_row("", parameter);
    for (const ParameterList& entries : table.lists) {
        out += fmt::format("\n`[[{}]]` (up to {}): {}\n\n{}", entries.key, entries.most,
                           entries.sentence, head);
        for (const Parameter& parameter : entries.append()) out += key_row("", parameter);
    }
    return out;
}

}  // namespace ringlet
