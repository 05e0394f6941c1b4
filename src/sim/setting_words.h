// The words of the settings that are one of a few kinds, as in scene files.
#pragma once

#include <string_view>

#include "ringlet/settings.h"

namespace ringlet {

constexpr std::string_view word_of(PairReach reach) {
    switch (reach) {
        case PairReach::along:
            return "along";
        case PairReach::ends:
            return "ends";
    }
    return {};
}

constexpr std::string_view word_of(ContactKind kind) {
    switch (kind) {
        case ContactKind::project:
            return "project";
        case ContactKind::penalty:
            return "penalty";
    }
    return {};
}

constexpr std::string_view word_of(DragKind kind) {
    switch (kind) {
        case DragKind::simple:
            return "simple";
        case DragKind::slender_body:
            return "slender_body";
    }
    return {};
}

constexpr std::string_view word_of(Integrator integrator) {
    switch (integrator) {
        case Integrator::second_order:
            return "second_order";
        case Integrator::backward_euler:
            return "backward_euler";
    }
    return {};
}

constexpr std::string_view word_of(KeepStyle which) {
    switch (which) {
        case KeepStyle::imported:
            return "imported";
        case KeepStyle::always:
            return "always";
        case KeepStyle::never:
            return "never";
    }
    return {};
}

}  // namespace ringlet
