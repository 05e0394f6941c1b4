// A tree of prims whose attributes know how to write their values, and the passes that write it:
// as a whole, its constants, one frame of it, or the names of what moves.
#pragma once

#include <functional>

#include "io/shot_format.h"
#include "io/usd/usd_text.h"

namespace ringlet {

struct UsdAttribute {
    std::string declaration;  // "point3f[] points"
    // Writes the value. A constant does not use the frame.
    std::function<void(const ShotFrame& frame, UsdValueOut& out)> write;
    bool is_animated = false;
    std::string interpolation{};  // metadata of a constant; may be empty

    std::string_view name() const {  // "points"
        return std::string_view(declaration).substr(declaration.rfind(' ') + 1);
    }
};

struct UsdPrim {
    std::string type, name;
    std::vector<std::string> metadata;  // one line each
    std::vector<UsdAttribute> attributes;
    std::vector<UsdPrim> children;

    // Appends a constant whose value is short.
    void set(std::string declaration, std::string value);
    bool is_animated() const;  // itself or a descendant
};

// The values of the animated attributes in the order of the tree, each as "time: value," lines.
using UsdSamples = std::vector<UsdStream>;

// Appends the values of a frame.
void add_samples(const UsdPrim& root, const ShotFrame& frame, UsdSamples& samples);

// The blob of the following functions may be null.

// A still: the values of the frame are those without a time.
void write_still_prims(const UsdPrim& root, const ShotFrame& frame, UsdStream& out, UsdBlob* blob);
// A whole shot.
void write_all_prims(const UsdPrim& root, const UsdSamples& samples, UsdStream& out, UsdBlob* blob);
// The constants; animated attributes have no value.
void write_constant_prims(const UsdPrim& root, UsdStream& out, UsdBlob* blob);
// The animated attributes alone, without values.
void write_animated_names(const UsdPrim& root, UsdStream& out);
// The animated attributes alone, with the values of one frame.
void write_frame_prims(const UsdPrim& root, const ShotFrame& frame, UsdStream& out, UsdBlob* blob);

}  // namespace ringlet
