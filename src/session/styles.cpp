#include "session/styles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "groom/hair_colours.h"
#include "ringlet/jobs.h"
#include "scene/nearest_name.h"

namespace ringlet {

namespace {

// A rough length gives way to a length, whichever comes first: "waist-long".
enum class WordKind { hairstyle, length, rough_length, colour, setting, filler };

struct StyleWord {
    std::string name;
    WordKind kind;
    std::string base;                      // of a hairstyle
    std::vector<std::string> assignments;  // of the other kinds
};

// Wind from the front and the right that lifts the hair without hiding the face.
const std::vector<std::string> kWind = {"wind.velocity=[1.8, 0.3, -0.8]",
                                        "wind.oscillation=0.5",
                                        "wind.frequency=0.4",
                                        "wind.turbulence=1.2",
                                        "wind.turbulence_size=0.4",
                                        "wind.shelter=0.4",
                                        "sim.damping=2.5",
                                        "head.motion=none"};

// The rules of this preset are places on the face of the bust.
constexpr std::string_view kBustOnly = "beard";

std::vector<StyleWord> all_words() {
    std::vector<StyleWord> out;
    for (const std::string& preset : preset_names())
        if (preset != kBustOnly) out.push_back({preset, WordKind::hairstyle, preset, {}});
    for (const auto& [name, base] :
         {std::pair{"wavy", "waves"}, {"curly", "curls"}, {"coily", "coils"}})
        out.push_back({name, WordKind::hairstyle, base, {}});
    for (const char* name : {"chin", "shoulder", "chest", "waist"})
        out.push_back({name, WordKind::length, "", {std::string("groom.length=") + name}});
    for (const auto& [name, length] :
         {std::pair{"short", "chin"}, {"medium", "shoulder"}, {"long", "chest"}})
        out.push_back({name, WordKind::rough_length, "", {std::string("groom.length=") + length}});
    for (const HairColour& colour : hair_colours())
        out.push_back({std::string(colour.name),
                       WordKind::colour,
                       "",
                       {"groom.colour.name=" + std::string(colour.name)}});
    for (const char* name : {"wind", "windy"}) out.push_back({name, WordKind::setting, "", kWind});
    out.push_back({"still", WordKind::setting, "", {"head.motion=none"}});
    for (const auto& [name, motion] :
         {std::pair{"turning", "turn"}, {"nodding", "nod"}, {"shaking", "shake"}})
        out.push_back({name, WordKind::setting, "", {std::string("head.motion=") + motion}});
    for (const char* name : {"hair", "length", "a", "in", "the", "with", "and", "to"})
        out.push_back({name, WordKind::filler, "", {}});
    return out;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) || c == '_')
            out.back() += static_cast<char>(std::tolower(letter));
        else if (!out.back().empty())
            out.emplace_back();
    }
    if (out.back().empty()) out.pop_back();
    return out;
}

}  // namespace

Result<Style> parse_style(const std::string& words) {
    const std::vector<StyleWord> known = all_words();
    Style out{kDefaultStyle, {}};
    for (const std::string& word : split(words)) {
        const auto found = std::ranges::find(known, word, &StyleWord::name);
        if (found == known.end()) {
            std::vector<std::string> names;
            for (const StyleWord& entry : known) names.push_back(entry.name);
            const std::string near = nearest_name(word, names);
            return Error{fmt::format("--style: unknown word \"{}\"; {}", word,
                                     near.empty() ? "`ringlet new --help` lists the words"
                                                  : "did you mean \"" + near + "\"?")};
        }
        if (found->kind == WordKind::hairstyle) out.base = found->base;
        // Later assignments of a key win.
        const auto place =
            found->kind == WordKind::rough_length ? out.assignments.begin() : out.assignments.end();
        out.assignments.insert(place, found->assignments.begin(), found->assignments.end());
    }
    return out;
}

std::string describe_styles() {
    std::string out;
    for (const auto& [kind, title] : {std::pair{WordKind::hairstyle, "hairstyle"},
                                      {WordKind::length, "length"},
                                      {WordKind::colour, "colour"},
                                      {WordKind::setting, "motion"}}) {
        std::string names;
        for (const StyleWord& word : all_words())
            if (word.kind == kind ||
                (kind == WordKind::length && word.kind == WordKind::rough_length))
                names += (names.empty() ? "" : ", ") + word.name;
        out += fmt::format("  {:<10} {}\n", title, names);
    }
    return out;
}

}  // namespace ringlet
