#include "sim_api/sim_parameters.h"

#include <cmath>
#include <cstdio>

#include "parameters/sim_tables.h"
#include "ringlet/sim.h"
#include "sim_api/boundary.h"

namespace ringlet {

namespace {

// Refers to the settings, which must outlive it and not move.
ParameterTable table_of(SimSettings& settings, Wind& wind) {
    ParameterTable out;
    for (const auto declare : kSimDeclarations) declare(out, settings);
    declare_wind(out, wind);
    return out;
}

ParameterValue value_of(const Parameter& parameter) {
    struct Read {
        ParameterValue operator()(const float* v) const { return static_cast<double>(*v); }
        ParameterValue operator()(const int* v) const { return static_cast<double>(*v); }
        ParameterValue operator()(const std::uint32_t* v) const { return static_cast<double>(*v); }
        ParameterValue operator()(const bool* v) const { return *v; }
        ParameterValue operator()(const std::string* v) const { return *v; }
        ParameterValue operator()(const Texts*) const { return std::string(); }
        ParameterValue operator()(const Vec3f* v) const { return *v; }
        ParameterValue operator()(const Choice& c) const {
            const auto word = static_cast<std::size_t>(c.get());
            return word < c.words.size() ? c.words[word] : std::string();
        }
    };
    return std::visit(Read{}, parameter.target);
}

bool is_whole(const Parameter& parameter) {
    return std::holds_alternative<int*>(parameter.target) ||
           std::holds_alternative<std::uint32_t*>(parameter.target);
}

std::string text_of(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    return text;
}

std::string range_of(const Parameter& p) {
    return "from " + text_of(p.low) + " to " + text_of(p.high) +
           (p.unit.empty() ? "" : " " + p.unit);
}

Result<void> check_number(const Parameter& parameter, double value) {
    const bool is_bounded = parameter.low < parameter.high;
    // A float next to the limit is the limit.
    const double slack = 1e-6 * std::max(std::abs(parameter.low), std::abs(parameter.high));
    if (std::isfinite(value) &&
        (!is_bounded || (value >= parameter.low - slack && value <= parameter.high + slack)))
        return {};
    return Error{parameter.key + ": " + text_of(value) + " is not " +
                 (is_bounded ? range_of(parameter) : "finite")};
}

Result<void> check(const Parameter& parameter) {
    if (const auto* choice = std::get_if<Choice>(&parameter.target)) {
        const int word = choice->get();
        if (word >= 0 && static_cast<std::size_t>(word) < choice->words.size()) return {};
        return Error{parameter.key + ": " + std::to_string(word) + " is none of the " +
                     std::to_string(choice->words.size()) + " kinds"};
    }
    const ParameterValue value = value_of(parameter);
    if (const double* number = std::get_if<double>(&value)) return check_number(parameter, *number);
    if (const Vec3f* vector = std::get_if<Vec3f>(&value))
        for (const float component : {vector->x, vector->y, vector->z})
            if (const Result<void> fine = check_number(parameter, static_cast<double>(component));
                !fine)
                return fine;
    return {};
}

Result<void> set_choice(const Parameter& parameter, const Choice& choice,
                        const ParameterValue& value) {
    std::string known;
    const std::string* const text = std::get_if<std::string>(&value);
    for (std::size_t k = 0; k < choice.words.size(); ++k) {
        if (text && *text == choice.words[k]) {
            choice.set(static_cast<int>(k));
            return {};
        }
        known += (k > 0 ? ", " : "") + choice.words[k];
    }
    return Error{parameter.key + ": pass one of the words " + known};
}

Result<void> set(const Parameter& parameter, const ParameterValue& value) {
    if (const auto* choice = std::get_if<Choice>(&parameter.target))
        return set_choice(parameter, *choice, value);
    const auto wrong = [&](const char* type) { return Error{parameter.key + ": pass " + type}; };
    if (bool* const* flag = std::get_if<bool*>(&parameter.target)) {
        if (!std::holds_alternative<bool>(value)) return wrong("true or false");
        **flag = std::get<bool>(value);
        return {};
    }
    if (Vec3f* const* vector = std::get_if<Vec3f*>(&parameter.target)) {
        if (!std::holds_alternative<Vec3f>(value)) return wrong("a vector");
        **vector = std::get<Vec3f>(value);
        return {};
    }
    if (!std::holds_alternative<double>(value)) return wrong("a number");
    const double number = std::get<double>(value);
    if (const Result<void> fine = check_number(parameter, number); !fine) return fine;
    if (is_whole(parameter) && number != std::floor(number)) return wrong("a whole number");
    if (float* const* real = std::get_if<float*>(&parameter.target))
        **real = static_cast<float>(number);
    if (int* const* whole = std::get_if<int*>(&parameter.target))
        **whole = static_cast<int>(number);
    if (std::uint32_t* const* whole = std::get_if<std::uint32_t*>(&parameter.target))
        **whole = static_cast<std::uint32_t>(number);
    return {};
}

const Parameter* find(const ParameterTable& table, std::string_view key) {
    for (const Parameter& parameter : table.parameters)
        if (parameter.key == key) return &parameter;
    return nullptr;
}

Error unknown(std::string_view key) {
    return Error{"there is no parameter \"" + std::string(key) +
                 "\"; docs/scene_keys.md lists those of sim, hair_hair, strand_contact and wind"};
}

}  // namespace

Result<void> check_parameters(const SimSettings& settings, const Wind& wind) {
    SimSettings own = settings;
    Wind air = wind;
    const ParameterTable table = table_of(own, air);
    for (const Parameter& parameter : table.parameters)
        if (const Result<void> fine = check(parameter); !fine) return fine;
    for (const ParameterList& list : table.lists) {
        const std::vector<std::vector<Parameter>> entries = list.entries();
        if (entries.size() > static_cast<std::size_t>(list.most))
            return Error{list.key + ": more than " + std::to_string(list.most) + " entries"};
        for (std::size_t k = 0; k < entries.size(); ++k)
            for (const Parameter& parameter : entries[k])
                if (const Result<void> fine = check(parameter); !fine)
                    return Error{list.key + " " + std::to_string(k) + ": " + fine.error().message};
    }
    return {};
}

Result<std::vector<ParameterInfo>> sim_parameters() try {
    SimSettings settings = scene_defaults();
    Wind wind;
    std::vector<ParameterInfo> out;
    for (const Parameter& p : table_of(settings, wind).parameters) {
        const auto* choice = std::get_if<Choice>(&p.target);
        out.push_back({p.key, value_of(p), is_whole(p), p.low, p.high, p.unit,
                       choice ? choice->words : std::vector<std::string>{}, p.sentence});
    }
    return out;
} catch (...) {
    return sim_error_from_exception();
}

Result<void> set_parameter(SimSettings& settings, Wind& wind, std::string_view key,
                           const ParameterValue& value) try {
    SimSettings own = settings;
    Wind air = wind;
    const ParameterTable table = table_of(own, air);
    const Parameter* const parameter = find(table, key);
    if (!parameter) return unknown(key);
    if (const Result<void> done = set(*parameter, value); !done) return done;
    if (const Result<void> fine = check(*parameter); !fine) return fine;
    settings = std::move(own);
    wind = air;
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<ParameterValue> get_parameter(const SimSettings& settings, const Wind& wind,
                                     std::string_view key) try {
    SimSettings own = settings;
    Wind air = wind;
    const ParameterTable table = table_of(own, air);
    const Parameter* const parameter = find(table, key);
    if (!parameter) return unknown(key);
    return value_of(*parameter);
} catch (...) {
    return sim_error_from_exception();
}

}  // namespace ringlet
