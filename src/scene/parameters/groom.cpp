// [groom]: where hair grows, its rest shape and its colour; [[groom.rule]]: where hair grows;
// [[groom.strand]]: single strands.
#include "groom/hair_colours.h"
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

template <class Owner>
void declare_ramp(ParameterGroup<Owner> group, const std::string& what) {
    ParameterGroup<Ramp> ramp = group.members(&Owner::ramp);
    ramp.real("at_root", &Ramp::at_root)
        .range(0, 10)
        .says("Factor of the " + what + " at the root.");
    ramp.real("at_tip", &Ramp::at_tip)
        .range(0, 10)
        .says("Factor of the " + what + " at the tip; linear in between.");
}

void declare_roots(ParameterGroup<GroomSettings>& groom) {
    groom.text("mesh", &GroomSettings::mesh)
        .names_file()
        .says(
            "OBJ file of the mesh that hair grows on and that is drawn; relative to the scene "
            "file, or builtin:NAME.");
    groom.text("mesh_part", &GroomSettings::mesh_part)
        .says(
            "Part of the mesh that hair grows on, where the file has several; auto: found by name "
            "and shape, all: every part.");
    declare_placement(groom.members(&GroomSettings::placement), "mesh", "mesh");
    groom.text("scalp", &GroomSettings::scalp)
        .says(
            "Material or group of the mesh where hair grows; auto: the cap of a head with a "
            "natural "
            "hairline, found from its shape; empty: everywhere.");
    groom.choice("scalp_colour", &GroomSettings::scalp_colour)
        .says("Channel of the mesh's vertex colours that multiplies the density of hair.");
    groom.text("painted", &GroomSettings::painted)
        .names_file()
        .says("File of growth weights painted with a brush; they replace the other rules there.");
    groom.real("edge_length", &GroomSettings::edge_length)
        .range(0, 1)
        .says(
            "Relative length of the finest hair at a soft hairline (scalp auto, rules, vertex "
            "colours, painting).");
    groom.flag("grow_patches", &GroomSettings::grow_patches)
        .says("Whether the hair of groom.patch grows, such as the eyebrows of the bust.");
    groom.real("scalp_tint", &GroomSettings::scalp_tint)
        .range(0, 1)
        .says(
            "Blend of the drawn scalp towards the colour of the roots, which stands for stubble "
            "and shadow between strands.");
    groom.text("density", &GroomSettings::density)
        .names_file()
        .says("Image over the mesh's UV: hair grows where it is white, not where it is black.");
    groom.real("facing_up", &GroomSettings::facing_up)
        .range(-1, 1)
        .says(
            "Hair grows only where the y of the skin's unit normal is at least this; -1: "
            "everywhere, 0: where the skin faces up.");
    groom.whole("strands", &GroomSettings::strands)
        .range(0, 5e6)
        .says("Number of strands grown on the mesh.");
    groom.whole("guides", &GroomSettings::guides)
        .range(0, 5e6)
        .says("Number of simulated strands; the others follow them. 0: all are simulated.");
    groom.whole("vertices", &GroomSettings::vertices)
        .range(1, 4096)
        .says("Vertices per strand, including the root.");
}

Choice length_words(GroomSettings& settings) {
    std::vector<std::string> words = words_of<LengthMark>();
    words.erase(words.begin());  // none: the length is a number
    return {std::move(words), [&settings] { return static_cast<int>(settings.length_mark) - 1; },
            [&settings](int word) { settings.length_mark = static_cast<LengthMark>(word + 1); }};
}

void declare_size(ParameterGroup<GroomSettings>& groom, GroomSettings& settings) {
    groom.real("length", &GroomSettings::length)
        .unit("m")
        .range(0.001, 10)
        .words(length_words(settings))
        .says(
            "Length of a strand along the axis of its curl; a word: each strand is as long as it "
            "takes to hang down to that height of the body.");
    groom.real("cut_slope", &GroomSettings::cut_slope)
        .range(-3, 3)
        .says(
            "Rise of the cut line towards the face, where groom.length is a word; negative: longer "
            "in front.");
    groom.real("layers", &GroomSettings::layers)
        .range(-10, 0.95)
        .says(
            "Relative shortening of hair towards the top of the head, a layered cut; negative: "
            "longer at the top, short sides.");
    groom.real("length_variation", &GroomSettings::length_variation)
        .range(0, 1)
        .says("Relative variation of the length from strand to strand.");
    groom.text("length_image", &GroomSettings::length_image)
        .names_file()
        .says("Image over the mesh's UV that multiplies the length.");
    groom.real("diameter", &GroomSettings::diameter)
        .unit("m")
        .range(1e-6, 0.01)
        .says("Diameter of a strand at its root; human hair has 50e-6 to 100e-6.");
    groom.real("diameter_variation", &GroomSettings::diameter_variation)
        .range(0, 0.9)
        .says("Relative variation of the diameter from strand to strand.");
    groom.real("taper", &GroomSettings::taper)
        .range(0, 1)
        .says("Relative decrease of the diameter from root to tip.");
    groom.whole("seed", &GroomSettings::seed)
        .range(0, 4294967295.0)
        .says("Seed of all random numbers of the scene.");
}

void declare_curl(ParameterGroup<CurlSettings> curl) {
    curl.real("radius", &CurlSettings::radius)
        .unit("m")
        .range(0, 0.2)
        .says("Radius of the helix that a strand follows; 0: straight.");
    curl.real("pitch", &CurlSettings::pitch)
        .unit("m")
        .range(0.001, 1)
        .says("Length per turn of the helix.");
    curl.real("variation", &CurlSettings::variation)
        .range(0, 0.9)
        .says("Relative variation of radius and pitch from clump to clump.");
    curl.real("start", &CurlSettings::start)
        .range(0, 1)
        .says("Fraction of the strand, from the root, over which the curl grows to its radius.");
    curl.real("phase", &CurlSettings::phase)
        .unit("turns")
        .range(0, 1)
        .says("Phase of the helix at the root.");
    curl.real("phase_variation", &CurlSettings::phase_variation)
        .range(0, 1)
        .says("0: all clumps have the same phase; 1: each has a random phase.");
    curl.real("left_handed", &CurlSettings::left_handed)
        .range(0, 1)
        .says("Fraction of clumps whose helix is left-handed.");
    curl.real("reversals", &CurlSettings::reversals)
        .range(0, 1)
        .says("Fraction of clumps whose helix changes its hand somewhere along its length.");
    declare_ramp(curl, "radius");
}

void declare_wave(ParameterGroup<WaveSettings> wave, const std::string& what) {
    wave.real("amplitude", &WaveSettings::amplitude)
        .unit("m")
        .range(0, 0.2)
        .says("Amplitude of " + what + " to each side; 0: none.");
    wave.real("length", &WaveSettings::length)
        .unit("m")
        .range(0.0005, 2)
        .says("Length of hair per wave.");
    wave.real("variation", &WaveSettings::variation)
        .range(0, 0.9)
        .says("Relative variation of that length.");
    declare_ramp(wave, "amplitude");
}

void declare_clump(ParameterGroup<ClumpSettings> clump) {
    clump.real("strength", &ClumpSettings::strength)
        .range(0, 1)
        .says("How far strands are pulled to the centreline of their clump towards their tips.");
    clump.real("spacing", &ClumpSettings::spacing)
        .unit("m")
        .range(0.0005, 10)
        .says("Distance between neighbouring clumps on the scalp, whatever the number of strands.");
    clump.real("variation", &ClumpSettings::variation)
        .range(0, 1)
        .says("Relative variation of the strength from strand to strand.");
    clump.real("noise", &ClumpSettings::noise)
        .range(0, 1)
        .says("How unequal the sizes of clumps are and how blurred the borders between them.");
    clump.real("splay", &ClumpSettings::splay)
        .range(0, 1)
        .says("How far the last third of a clump opens again towards its tips.");
    clump.real("strays", &ClumpSettings::strays)
        .range(0, 1)
        .says("Fraction of strands that do not join their clump.");
    declare_ramp(clump, "strength");
}

void declare_frizz(ParameterGroup<FrizzSettings> frizz) {
    frizz.real("amplitude", &FrizzSettings::amplitude)
        .unit("m")
        .range(0, 0.1)
        .says("Amplitude of sideways noise along a strand, at most 0.15 of its length.");
    frizz.real("length", &FrizzSettings::length)
        .unit("m")
        .range(0.0005, 1)
        .says("Length of hair between the knots of the noise.");
    frizz.real("variation", &FrizzSettings::variation)
        .range(0, 1)
        .says("Relative variation of the amplitude from strand to strand.");
    declare_ramp(frizz, "noise");
}

void declare_flyaway(ParameterGroup<FlyawaySettings> flyaway) {
    flyaway.real("share", &FlyawaySettings::share)
        .range(0, 1)
        .says("Fraction of strands that belong to no clump.");
    flyaway.real("amplitude", &FlyawaySettings::amplitude)
        .unit("m")
        .range(0, 0.5)
        .says("How far the tips of these strands are displaced, at most 0.15 of their length.");
}

void declare_field(ParameterGroup<CombSettings>& comb) {
    comb.choice("style", &CombSettings::style)
        .says(
            "How hair lies on the scalp: along one vector (comb.direction), or in a field that "
            "falls from the crown or is combed back, forward, left, right, or up to the crest.");
    comb.text("image", &CombSettings::image)
        .names_file()
        .says(
            "Flow map over the mesh's UV: red and green are the direction of hair along U and V, "
            "from 0 (backwards) to 255; grey or transparent: that of the style, or fall.");
    comb.real("rise", &CombSettings::rise)
        .range(0, 10)
        .says("Outward part of the direction at the root of a field; 0: along the skin.");
    comb.real("follow", &CombSettings::follow)
        .unit("m")
        .range(0, 10)
        .says("Length of hair that follows the field before it falls freely.");
    comb.real("whorl", &CombSettings::whorl)
        .unit("rad")
        .range(-3, 3)
        .says("Angle by which a field turns round the crown; its sign is the sense of the whorl.");
    comb.real("part_curve", &CombSettings::part_curve)
        .unit("m")
        .range(-0.1, 0.1)
        .says("Sideways bulge of the parting of a field between crown and forehead.");
    comb.real("part_zigzag", &CombSettings::part_zigzag)
        .unit("m")
        .range(0, 0.05)
        .says("Amplitude of a zigzag parting of a field.");
    comb.real("part_soft", &CombSettings::part_soft)
        .unit("m")
        .range(0, 0.05)
        .says("Irregularity of the line of the parting of a field.");
}

void declare_stroke(ParameterGroup<CombStroke> stroke) {
    stroke.vector("from", &CombStroke::from)
        .unit("m")
        .range(-1000, 1000)
        .says("Start of the stroke.");
    stroke.vector("to", &CombStroke::to).unit("m").range(-1000, 1000).says("End of the stroke.");
    stroke.real("reach", &CombStroke::reach)
        .unit("m")
        .range(0.001, 10)
        .says("Distance from the stroke at which its effect ends.");
    stroke.real("strength", &CombStroke::strength)
        .range(0, 100)
        .says("Strength of the stroke relative to the rest of the field.");
}

void declare_fringe(ParameterGroup<FringeSettings> fringe) {
    fringe.real("length", &FringeSettings::length)
        .unit("m")
        .range(0, 1)
        .says("Height below the front hairline at which a fringe is cut; 0: no fringe.");
    fringe.real("width", &FringeSettings::width)
        .unit("m")
        .range(0, 1)
        .says("Half the width of the fringe at the hairline.");
    fringe.real("depth", &FringeSettings::depth)
        .unit("m")
        .range(0.001, 1)
        .says("How far behind the hairline the hair of the fringe grows.");
    fringe.real("sweep", &FringeSettings::sweep)
        .range(-3, 3)
        .says("Combs the fringe to the left (positive) or right of the head.");
}

void declare_comb(ParameterGroup<CombSettings> comb) {
    declare_field(comb);
    comb.vector("direction", &CombSettings::direction)
        .range(-10, 10)
        .says("Vector added to the skin's unit normal; the sum is the direction of the hair.");
    comb.real("variation", &CombSettings::variation)
        .range(0, 2)
        .says("Variation of that direction from strand to strand.");
    comb.real("clump_variation", &CombSettings::clump_variation)
        .range(0, 5)
        .says("Variation of that direction from clump to clump.");
    comb.real("part", &CombSettings::part).unit("m").range(-10, 10).says("x of the parting.");
    comb.real("part_strength", &CombSettings::part_strength)
        .range(0, 10)
        .says("How strongly hair is combed to its side of the parting.");
    comb.real("droop", &CombSettings::droop)
        .range(0, 10)
        .says("How soon hair bends down; 1: within about 5 cm, 0: never.");
    comb.real("droop_variation", &CombSettings::droop_variation)
        .range(0, 1)
        .says("Relative variation of droop from strand to strand.");
    comb.real("lift", &CombSettings::lift)
        .unit("m")
        .range(0, 0.05)
        .says("Distance between the skin and hair combed over it.");
    comb.real("drape", &CombSettings::drape)
        .range(0, 1)
        .says(
            "How much of the hair that meets the shoulders is laid in front of them or behind "
            "them; 0: it slides down their slope. Acts if groom.comb.style is a field.");
}

Choice name_choice(ColourSettings& settings) {
    std::vector<std::string> words{"custom"};
    for (const HairColour& colour : hair_colours()) words.emplace_back(colour.name);
    return {std::move(words), [&settings] { return named_colour_of(settings) + 1; },
            [&settings](int word) {
                if (word > 0)
                    set_colour(settings,
                               hair_colours()[static_cast<std::size_t>(word - 1)].linear_rgb);
            }};
}

void declare_colour(ParameterGroup<ColourSettings> colour, ColourSettings& settings) {
    const auto apply_pigments = [&settings] {
        set_colour(settings, colour_of_pigments(settings.eumelanin, settings.pheomelanin));
    };
    colour.choice("name", name_choice(settings))
        .sets_others()
        .says("A colour of hair; sets colour.root and colour.tip (docs/grooming.md shows all).");
    colour.real("eumelanin", &ColourSettings::eumelanin)
        .range(0, 100)
        .sets_others()
        .after_set(apply_pigments)
        .says(
            "Concentration of the brown and black pigment, 0.03: blonde, 0.3: brown, 2: black; "
            "sets "
            "colour.root and colour.tip.");
    colour.real("pheomelanin", &ColourSettings::pheomelanin)
        .range(0, 100)
        .sets_others()
        .after_set(apply_pigments)
        .says(
            "Concentration of the red and yellow pigment; sets colour.root and colour.tip together "
            "with colour.eumelanin.");
    colour.colour("root", &ColourSettings::root).range(0, 1).says("Linear RGB at the root.");
    colour.colour("tip", &ColourSettings::tip).range(0, 1).says("Linear RGB at the tip.");
    colour.real("variation", &ColourSettings::variation)
        .range(0, 1)
        .says("Relative variation of brightness from strand to strand.");
    colour.text("image", &ColourSettings::image)
        .names_file()
        .says("Image over the mesh's UV that multiplies the colour.");
}

void declare_import(ParameterGroup<ImportSettings> file) {
    file.text("file", &ImportSettings::file)
        .names_file()
        .says(
            "Groom file to import instead of growing strands (docs/grooming.md has the formats).");
    declare_placement(file.members(&ImportSettings::placement), "file", "groom file");
    file.flag("file_z_up", &ImportSettings::z_up)
        .says("Whether the groom file has +Z up; the same as file_up = +z.");
    file.choice("file_fit", &ImportSettings::fit)
        .says(
            "auto: moves, turns and scales an imported groom onto the scalp unless it is there "
            "already, and moves the roots of a groom made for another head onto the skin; rigid: "
            "does not move single roots; none: leaves it where the other keys place it.");
    file.real("file_time", &ImportSettings::time)
        .unit("s")
        .range(-1, 1e6)
        .says("Time of the groom in an animated file; -1: its first frame.");
    file.whole("file_vertices", &ImportSettings::vertices)
        .range(0, 4096)
        .says("Resamples imported strands to this many vertices; 0: keeps theirs.");
    file.whole("file_max_strands", &ImportSettings::max_strands)
        .range(0, 5e6)
        .says("Largest number of imported strands, picked evenly; 0: all.");
    file.flag("file_snap", &ImportSettings::snap)
        .says("Moves imported strands so that their roots lie on the scalp.");
    file.flag("file_recolour", &ImportSettings::recolour)
        .says("Uses the scene's colour and diameter instead of the file's.");
}

void declare_rule(ParameterGroup<GrowthRule> rule) {
    rule.choice("action", &GrowthRule::action)
        .says("Whether hair grows inside the shape or is removed from it.");
    rule.choice("shape", &GrowthRule::shape)
        .says("Above or below a height, inside a box, or within a distance of a point or a line.");
    rule.real("height", &GrowthRule::height)
        .unit("m")
        .range(-1000, 1000)
        .says("y of the shapes above and below.");
    rule.vector("centre", &GrowthRule::centre)
        .unit("m")
        .range(-1000, 1000)
        .says("Centre of the box or sphere, or one end of the capsule's axis.");
    rule.vector("end", &GrowthRule::end)
        .unit("m")
        .range(-1000, 1000)
        .says("Other end of the capsule's axis.");
    rule.vector("size", &GrowthRule::size)
        .unit("m")
        .range(0, 1000)
        .says("Edge lengths of the box.");
    rule.real("radius", &GrowthRule::radius)
        .unit("m")
        .range(0, 1000)
        .says("Radius of the sphere or capsule.");
    rule.flag("mirror", &GrowthRule::mirror).says("Applies to both sides of x = 0.");
    rule.real("edge", &GrowthRule::edge)
        .unit("m")
        .range(0, 1000)
        .says("Width of the soft border, half of it on each side; 0: a sharp border.");
}

void declare_planted(ParameterGroup<PlantedStrand> strand) {
    strand.vector("root", &PlantedStrand::root)
        .unit("m")
        .range(-1000, 1000)
        .says("Position of the root.");
    strand.vector("direction", &PlantedStrand::direction)
        .range(-1000, 1000)
        .says("Direction at the root, of any length.");
    strand.real("length", &PlantedStrand::length)
        .unit("m")
        .range(0, 10)
        .says("Length along the axis of the helix.");
    strand.whole("vertices", &PlantedStrand::vertices)
        .range(1, 4096)
        .says("Number of vertices, including the root.");
    strand.real("curl_radius", &PlantedStrand::curl_radius)
        .unit("m")
        .range(0, 0.2)
        .says("Radius of the helix; 0: straight.");
    strand.real("curl_pitch", &PlantedStrand::curl_pitch)
        .unit("m")
        .range(0.001, 1)
        .says("Length per turn of the helix.");
}

void declare_patch(ParameterGroup<GroomPatch> patch) {
    patch.text("scene", &GroomPatch::scene)
        .says("Built-in name or file of the scene whose groom grows here too.");
    patch.texts("set", &GroomPatch::set)
        .says("Changes to that scene, each in the form of --set: \"key=value\".");
    patch.flag("hair_colour", &GroomPatch::hair_colour)
        .says("Has the colour of this groom's roots instead of its own.");
}

}  // namespace

Choice colour_words(Vec3f& target) {
    std::vector<std::string> words;
    for (const HairColour& colour : hair_colours()) words.emplace_back(colour.name);
    const auto get = [&target] {
        int index = 0;
        for (const HairColour& colour : hair_colours()) {
            const Vec3f c = colour.linear_rgb;
            if (c.x == target.x && c.y == target.y && c.z == target.z) return index;
            ++index;
        }
        return -1;
    };
    return {std::move(words), get, [&target](int word) {
                if (word >= 0) target = hair_colours()[static_cast<std::size_t>(word)].linear_rgb;
            }};
}

void declare_groom(ParameterTable& table, Scene& scene) {
    ParameterGroup<GroomSettings> groom(table.parameters, "groom.", scene.groom);
    declare_roots(groom);
    declare_size(groom, scene.groom);
    declare_curl(groom.group("curl", &GroomSettings::curl));
    declare_wave(groom.group("wave", &GroomSettings::wave), "waves");
    declare_wave(groom.group("zigzag", &GroomSettings::zigzag), "kinks");
    declare_clump(groom.group("large_clump", &GroomSettings::large_clump));
    declare_clump(groom.group("clump", &GroomSettings::clump));
    declare_clump(groom.group("fine_clump", &GroomSettings::fine_clump));
    declare_frizz(groom.group("frizz", &GroomSettings::frizz));
    declare_flyaway(groom.group("flyaway", &GroomSettings::flyaway));
    declare_comb(groom.group("comb", &GroomSettings::comb));
    declare_fringe(groom.group("fringe", &GroomSettings::fringe));
    declare_colour(groom.group("colour", &GroomSettings::colour), scene.groom.colour);
    declare_import(groom.members(&GroomSettings::import));
    table.lists.push_back(declare_list(
        "groom.rule", scene.groom.rules, 64,
        "Where hair grows, applied in order. Without a rule that includes before it, a rule that "
        "excludes starts from the whole scalp.",
        declare_rule));
    table.lists.push_back(declare_list("groom.stroke", scene.groom.strokes, 256,
                                       "A line over the scalp along which hair lies, where "
                                       "groom.comb.style is a field.",
                                       declare_stroke));
    table.lists.push_back(declare_list("groom.strand", scene.groom.planted, 4096,
                                       "A single strand, given by its root and direction.",
                                       declare_planted));
    std::vector<GroomPatch>& patches = scene.groom.patches;
    table.lists.push_back(declare_list(
        "groom.patch", patches, 64,
        "Further hair on the same mesh, such as eyebrows. It follows the skin rigidly, and is left "
        "out where its scene has another mesh.",
        declare_patch));
    table.lists.back().set_source = [&patches](const std::string& file, int line) {
        patches.back().file = file;
        patches.back().line = line;
    };
}

}  // namespace ringlet
