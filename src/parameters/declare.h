// Declares scene parameters. One line gives a parameter's key, the member that stores its value,
// its unit, its range and a sentence for the documentation:
//
//     groom.real("length", &GroomSettings::length).unit("m").range(0.001, 10).says("...");
//
// To add a parameter, add the member to its settings struct and a line to the file of its table in
// src/scene/parameters, or in this folder for settings of a simulation. To add a table, add a file
// and a line in declarations.h or sim_tables.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parameters/parameter.h"

namespace ringlet {

// Sets the optional properties of a parameter that was just declared. A temporary: valid until the
// next parameter is declared.
class Declared {
public:
    explicit Declared(Parameter& parameter) : parameter_(parameter) {}

    Declared& unit(std::string text) {
        parameter_.unit = std::move(text);
        return *this;
    }
    // Inclusive; for a vector, the range of each component.
    Declared& range(double low, double high) {
        parameter_.low = low;
        parameter_.high = high;
        return *this;
    }
    // One sentence about the meaning, shown in the documentation and the viewer.
    Declared& says(std::string sentence) {
        parameter_.sentence = std::move(sentence);
        return *this;
    }
    // The text is a file name, relative to the scene file.
    Declared& names_file() {
        parameter_.names_file = true;
        return *this;
    }
    // The value may be "auto", which the session replaces by one that fits the head. `flag` is true
    // while it is; it must outlive the parameter.
    Declared& automatic(bool& flag) {
        parameter_.automatic = &flag;
        return *this;
    }
    // The zero vector is refused.
    Declared& direction() {
        parameter_.is_direction = true;
        return *this;
    }
    // The text may be one of these words instead of a value.
    Declared& words(Choice choice) {
        parameter_.words = std::move(choice);
        return *this;
    }
    // Called after the value was changed.
    Declared& after_set(std::function<void()> call) {
        parameter_.after_set = std::move(call);
        return *this;
    }
    // The value also sets other parameters, so a scene file's value is applied before them.
    Declared& sets_others() {
        parameter_.sets_others = true;
        return *this;
    }

private:
    Parameter& parameter_;
};

// The words of an enum, by its values 0, 1, 2, ... `word_of(Enum)` stands next to the enum: a
// switch without a default, so that the compiler reports an enumerator without a word (-Wswitch).
// It returns an empty word for other values.
template <class Enum>
std::vector<std::string> words_of() {
    std::vector<std::string> words;
    while (!word_of(static_cast<Enum>(words.size())).empty())
        words.emplace_back(word_of(static_cast<Enum>(words.size())));
    return words;
}

// The names of hair colours, as words of a parameter that holds linear RGB. Defined in groom.cpp.
Choice colour_words(Vec3f& target);

// The parameters of one settings struct. All keys start with the same prefix.
template <class Owner>
class ParameterGroup {
public:
    // `prefix` ends with a dot; empty in the entries of a list. `owner` must outlive the
    // parameters.
    ParameterGroup(std::vector<Parameter>& out, std::string prefix, Owner& owner)
        : out_(out), prefix_(std::move(prefix)), owner_(owner) {}

    Declared real(const char* key, float Owner::*value) { return add(key, &(owner_.*value)); }
    Declared whole(const char* key, int Owner::*value) { return add(key, &(owner_.*value)); }
    Declared whole(const char* key, std::uint32_t Owner::*value) {
        return add(key, &(owner_.*value));
    }
    Declared flag(const char* key, bool Owner::*value) { return add(key, &(owner_.*value)); }
    Declared text(const char* key, std::string Owner::*value) { return add(key, &(owner_.*value)); }
    Declared texts(const char* key, Texts Owner::*value) { return add(key, &(owner_.*value)); }
    Declared vector(const char* key, Vec3f Owner::*value) { return add(key, &(owner_.*value)); }
    // Linear RGB, also by name or as "#rrggbb".
    Declared colour(const char* key, Vec3f Owner::*value) {
        Vec3f& target = owner_.*value;
        Declared out = add(key, &target);
        out_.back().is_colour = true;
        return out.words(colour_words(target));
    }
    template <class Enum>
    Declared choice(const char* key, Enum Owner::*value) {
        Enum& target = owner_.*value;
        return choice(key, {words_of<Enum>(), [&target] { return static_cast<int>(target); },
                            [&target](int word) { target = static_cast<Enum>(word); }});
    }
    Declared choice(const char* key, Choice choice) { return add(key, std::move(choice)); }

    // The parameters of a member struct, under "<key>.".
    template <class Member>
    ParameterGroup<Member> group(const std::string& key, Member Owner::*member) {
        return {out_, prefix_ + key + ".", owner_.*member};
    }
    // The parameters of a member struct, under the prefix of this group.
    template <class Member>
    ParameterGroup<Member> members(Member Owner::*member) {
        return {out_, prefix_, owner_.*member};
    }

private:
    Declared add(const char* key, Target target) {
        out_.push_back({prefix_ + key, std::move(target)});
        return Declared(out_.back());
    }

    std::vector<Parameter>& out_;
    std::string prefix_;
    Owner& owner_;
};

// An array of tables, [[key]]. `declare(group)` declares the parameters of one entry.
template <class Entry, class Declare>
ParameterList declare_list(std::string key, std::vector<Entry>& entries, int most,
                           std::string sentence, Declare declare) {
    const auto describe = [declare](Entry& entry) {
        std::vector<Parameter> out;
        declare(ParameterGroup<Entry>(out, "", entry));
        return out;
    };
    // Parameters point to entries, so the vector must never reallocate.
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
                std::vector<std::vector<Parameter>> out;
                for (Entry& entry : entries) out.push_back(describe(entry));
                return out;
            },
            [&entries](std::size_t k) {
                entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(k));
            }};
}

}  // namespace ringlet
