// The settings of the [groom] table: where hair grows and its rest shape. Units, ranges and
// meanings are declared in src/scene/parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geom/placement_settings.h"

namespace ringlet {

// A factor that is linear along the strand.
struct Ramp {
    float at_root = 1;
    float at_tip = 1;
};

struct CurlSettings {
    float radius = 0;           // m; 0 grows straight hair
    float pitch = 0.03f;        // m of length per turn
    float variation = 0.2f;     // relative, per clump
    float start = 0.3f;         // fraction of the strand, from the root, over which the curl grows
    float left_handed = 0.5f;   // fraction of left-handed clumps
    float phase = 0;            // turns, where the helix starts
    float phase_variation = 1;  // 0: all clumps have the same phase; 1: random phases
    float reversals = 0;        // fraction of clumps whose helix changes its hand on the way
    Ramp ramp;                  // of the radius
};

// A planar sideways wave: a sine for waves, a triangle wave for zig-zags.
struct WaveSettings {
    float amplitude = 0;     // m; 0: none
    float length = 0.06f;    // m of hair per wave
    float variation = 0.2f;  // relative, per clump
    Ramp ramp{0.3f, 1};      // of the amplitude
};

struct ClumpSettings {
    float strength = 0;      // 0: no clumps; 1: the tips of a clump meet in a point
    float spacing = 0.015f;  // m between neighbouring clumps on the scalp
    float variation = 0.2f;
    float noise = 0;   // how unequal clumps are, and how blurred their borders
    float splay = 0;   // how far the last third of a clump opens again
    float strays = 0;  // fraction of strands that do not join their clump
    Ramp ramp{0, 1};   // of the strength
};

struct FrizzSettings {
    float amplitude = 0;     // m, sideways noise
    float length = 0.012f;   // m between noise knots
    float variation = 0.5f;  // relative, per strand
    Ramp ramp{0, 1};
};

// Strands that belong to no clump.
struct FlyawaySettings {
    float share = 0;          // fraction of all strands
    float amplitude = 0.01f;  // m, offset of their tips
};

// Where hair lies on the scalp. `direction` uses one vector; the others are fields over the skull.
enum class CombStyle { direction, fall, back, forward, left, right, up };
constexpr std::string_view word_of(CombStyle style) {
    switch (style) {
        case CombStyle::direction:
            return "direction";
        case CombStyle::fall:
            return "fall";
        case CombStyle::back:
            return "back";
        case CombStyle::forward:
            return "forward";
        case CombStyle::left:
            return "left";
        case CombStyle::right:
            return "right";
        case CombStyle::up:
            return "up";
    }
    return {};
}

struct CombSettings {
    CombStyle style = CombStyle::direction;
    float rise = 0.5f;             // outward part of a field's root direction
    float follow = 0.1f;           // m of hair that follow the field
    float whorl = 0;               // radians by which the field turns round the crown
    float part_curve = 0;          // m, sideways bulge of the parting
    float part_zigzag = 0;         // m, amplitude of a zigzag parting
    float part_soft = 0.002f;      // m, irregularity of the parting
    Vec3f direction{0, 0, 0};      // added to the skin's normal
    float variation = 0.05f;       // of that direction, per strand
    float clump_variation = 0;     // of that direction, per clump
    float part = 0;                // m, x of the parting
    float part_strength = 0;       // pulls hair to its side of the parting
    float droop = 0.5f;            // how soon hair bends to hang down; 0: never
    float droop_variation = 0.1f;  // relative, per strand
    float lift = 0.004f;           // m between the skin and hair combed over it
    float drape = 0;               // 1: hair lies in front of the shoulders or behind them
    std::string image{};           // over the mesh's UV: directions of the field
};

// A line drawn over the scalp: hair near it lies along it.
struct CombStroke {
    Vec3f from{0, 0, 0}, to{0, 0, -0.1f};  // m
    float reach = 0.04f;                   // m
    float strength = 2;                    // relative to the rest of the field
};

// Hair over the forehead, cut level.
struct FringeSettings {
    float length = 0;      // m below the front hairline; 0: none
    float width = 0.05f;   // m to each side of the middle
    float depth = 0.055f;  // m behind the hairline
    float sweep = 0;       // to the left (1) or right (-1)
};

struct ColourSettings {
    Vec3f root{0.10f, 0.045f, 0.02f};  // linear RGB
    Vec3f tip{0.20f, 0.09f, 0.04f};
    float variation = 0.15f;  // of brightness, per strand
    std::string image;        // over the mesh's UV, multiplies
    float eumelanin = 0;      // brown and black pigment; setting it sets root and tip
    float pheomelanin = 0;    // red and yellow pigment; setting it sets root and tip
};

// A single strand given by its root and direction.
struct PlantedStrand {
    Vec3f root{0, 0, 0};        // m
    Vec3f direction{0, -1, 0};  // any length
    float length = 0.3f;        // m
    int vertices = 32;
    float curl_radius = 0;  // m
    float curl_pitch = 0.03f;
};

// How an imported groom is moved to the head.
enum class GroomFit { automatic, rigid, none };
constexpr std::string_view word_of(GroomFit fit) {
    switch (fit) {
        case GroomFit::automatic:
            return "auto";
        case GroomFit::rigid:
            return "rigid";
        case GroomFit::none:
            return "none";
    }
    return {};
}

// A groom read from a file instead of grown.
struct ImportSettings {
    std::string file;             // in any format of io/groom_formats.h; empty: grow
    PlacementSettings placement;  // of the file
    bool z_up = false;            // the same as placement.up = plus_z
    GroomFit fit = GroomFit::automatic;
    float time = -1;        // s; of an animated file; -1: its first frame
    int vertices = 0;       // resampled to this many; 0: as in the file
    int max_strands = 0;    // largest number of strands to keep, picked evenly; 0: all
    bool snap = false;      // move strands so that their roots lie on the scalp
    bool recolour = false;  // take colour and diameter from the scene instead of the file
};

// The vertex colour that weights the growth of hair.
enum class ColourChannel { none, red, green, blue, grey };
constexpr std::string_view word_of(ColourChannel channel) {
    switch (channel) {
        case ColourChannel::none:
            return "none";
        case ColourChannel::red:
            return "red";
        case ColourChannel::green:
            return "green";
        case ColourChannel::blue:
            return "blue";
        case ColourChannel::grey:
            return "grey";
    }
    return {};
}

enum class RuleAction { include, exclude };
constexpr std::string_view word_of(RuleAction action) {
    switch (action) {
        case RuleAction::include:
            return "include";
        case RuleAction::exclude:
            return "exclude";
    }
    return {};
}

enum class RuleShape { above, below, box, sphere, capsule };
constexpr std::string_view word_of(RuleShape shape) {
    switch (shape) {
        case RuleShape::above:
            return "above";
        case RuleShape::below:
            return "below";
        case RuleShape::box:
            return "box";
        case RuleShape::sphere:
            return "sphere";
        case RuleShape::capsule:
            return "capsule";
    }
    return {};
}

// Says where hair grows, in the frame of the head mesh, in metres.
struct GrowthRule {
    RuleAction action = RuleAction::include;
    RuleShape shape = RuleShape::above;
    float height = 0;              // y, of above and below
    Vec3f centre{0, 0, 0};         // of box and sphere; one end of the capsule's axis
    Vec3f end{0, 0, 0};            // the other end of that axis
    Vec3f size{0.1f, 0.1f, 0.1f};  // edge lengths of the box
    float radius = 0.05f;          // of the sphere or capsule
    bool mirror = false;           // applies to both sides of x = 0
    float edge = 0.01f;            // width of the soft border
};

// A landmark of the body that hair reaches when it hangs down.
enum class LengthMark { none, chin, shoulder, chest, waist };
constexpr std::string_view word_of(LengthMark mark) {
    switch (mark) {
        case LengthMark::none:
            return "none";
        case LengthMark::chin:
            return "chin";
        case LengthMark::shoulder:
            return "shoulder";
        case LengthMark::chest:
            return "chest";
        case LengthMark::waist:
            return "waist";
    }
    return {};
}

// Further hair on the same mesh, such as eyebrows: the groom of another scene. It is not simulated
// but follows the skin rigidly.
struct GroomPatch {
    std::string scene;             // built-in name or file
    std::vector<std::string> set;  // overrides of that scene, "key=value"
    bool hair_colour = false;      // in the colour of this groom's roots
    std::string file;              // source of the entry, for error messages
    int line = 0;
};

struct GroomSettings {
    std::string mesh;                // file; empty: none
    PlacementSettings placement;     // of the mesh
    std::string mesh_part = "auto";  // that hair grows on; "all": everywhere
    std::string scalp = "scalp";     // material, group or "auto"; empty: everywhere
    ColourChannel scalp_colour = ColourChannel::none;
    std::vector<GrowthRule> rules;  // empty: everywhere
    std::string painted;            // file of painted growth weights; empty: none
    float edge_length = 0.4f;       // relative length of hair at a soft hairline
    float scalp_tint = 0.5f;        // blend of the drawn scalp towards the colour of the roots
    std::string density;            // image over the mesh's UV: white grows, black does not
    float facing_up = -1;           // smallest y of the skin's normal where hair grows
    int strands = 0;
    int guides = 0;  // simulated strands, which the others follow; 0: all are simulated
    int vertices = 32;
    float length = 0.3f;                        // m, along the axis of the curl
    LengthMark length_mark = LengthMark::none;  // replaces `length`
    // y in metres at which the strands are cut, where length_mark lies on this head. Not a key: the
    // session measures it.
    std::optional<float> cut_height{};
    float cut_slope = 0;              // rise of the cut line per metre towards the front
    float layers = 0;                 // relative shortening at the top of the head
    float length_variation = 0.1f;    // relative, per strand
    std::string length_image;         // over the mesh's UV, multiplies
    float diameter = 80e-6f;          // m
    float diameter_variation = 0.1f;  // relative, per strand
    float taper = 0.5f;               // relative decrease of the diameter from root to tip
    std::uint32_t seed = 1;
    CurlSettings curl;
    WaveSettings wave;
    WaveSettings zigzag{.length = 0.012f};
    ClumpSettings large_clump{.spacing = 0.045f};
    ClumpSettings clump;
    ClumpSettings fine_clump{.spacing = 0.005f};
    FrizzSettings frizz;
    FlyawaySettings flyaway;
    CombSettings comb;
    std::vector<CombStroke> strokes;
    FringeSettings fringe;
    ColourSettings colour;
    std::vector<PlantedStrand> planted;
    std::vector<GroomPatch> patches;
    bool grow_patches = true;
    ImportSettings import;
};

}  // namespace ringlet
