#include "ringlet/grooms.h"

#include <cmath>

#include "io/groom_file.h"
#include "io/strand_checks.h"
#include "session/boundary.h"
#include "session/groom_arrays.h"
#include "session/live/session_impl.h"
#include "strand/resample.h"

namespace ringlet {

GroomArrays to_arrays(const StrandView& strands, std::span<const Vec2f> root_uv) {
    GroomArrays out;
    const Channel<3>& position = strands.position->read();
    const bool colour = has_colour(strands), radius = has_radius(strands);
    for (int s = 0; s < strand_count(strands); ++s)
        out.vertex_counts.push_back(strands.layout->vertex_count(s));
    for_each_vertex(strands, [&](int s, int i) {
        const Vec3f p = position.vec3(s, i);
        out.positions.insert(out.positions.end(), {p.x, p.y, p.z});
        if (radius) out.widths.push_back(2 * strands.radius->at(s, i));
        if (!colour) return;
        const Vec3f c = strands.colour->vec3(s, i);
        out.colours.insert(out.colours.end(), {c.x, c.y, c.z});
    });
    for (const Vec2f uv : root_uv) out.root_uv.insert(out.root_uv.end(), {uv.x, uv.y});
    return out;
}

namespace {

Result<std::size_t> vertex_total(const std::vector<int>& counts) {
    std::size_t total = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
        if (counts[s] < 1)
            return Error{"vertex_counts: strand " + std::to_string(s) +
                         " has no vertices; every strand has at least 1"};
        if (const auto wrong = strand_too_long(static_cast<std::int64_t>(s),
                                               static_cast<std::uint64_t>(counts[s])))
            return Error{"vertex_counts: " + *wrong};
        total += static_cast<std::size_t>(counts[s]);
    }
    return total;
}

// Checks the length of an array; an optional one may be empty.
Result<void> check_size(const char* name, std::size_t size, std::size_t expected, bool optional) {
    if (size == expected || (optional && size == 0)) return {};
    return Error{std::string(name) + " has " + std::to_string(size) + " numbers instead of " +
                 std::to_string(expected)};
}

Result<StrandSet> to_strand_set(const GroomArrays& groom) {
    const Result<std::size_t> total = vertex_total(groom.vertex_counts);
    if (!total) return total.error();
    for (const Result<void>& fine :
         {check_size("positions", groom.positions.size(), 3 * *total, false),
          check_size("widths", groom.widths.size(), *total, true),
          check_size("colours", groom.colours.size(), 3 * *total, true),
          check_size("root_uv", groom.root_uv.size(), 2 * groom.vertex_counts.size(), true)})
        if (!fine) return fine.error();
    const auto vector = [](const std::vector<float>& values, std::size_t k) {
        return Vec3f{values[3 * k], values[3 * k + 1], values[3 * k + 2]};
    };
    std::vector<Vec3f> roots;
    std::size_t first = 0;
    for (const int count : groom.vertex_counts) {
        roots.push_back(vector(groom.positions, first));
        first += static_cast<std::size_t>(count);
    }
    StrandSet out{StrandLayout(groom.vertex_counts, roots)};
    std::size_t k = 0;
    for_each_vertex(view_of(out), [&](int s, int i) {
        out.position.set_vec3(s, i, vector(groom.positions, k));
        if (!groom.widths.empty()) out.radius.at(s, i) = 0.5f * groom.widths[k];
        if (!groom.colours.empty()) out.colour.set_vec3(s, i, vector(groom.colours, k));
        ++k;
    });
    for (std::size_t s = 0; s < groom.root_uv.size(); s += 2)
        out.root_uv.push_back({groom.root_uv[s], groom.root_uv[s + 1]});
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong};
    return out;
}

}  // namespace

Result<GroomArrays> read_groom_file(const std::string& path, const ConvertOptions& options) try {
    Result<StrandSet> strands = read_groom(path, {options.scale, options.z_up});
    if (!strands) return strands.error();
    if (options.vertices >= 2) *strands = resample(*strands, options.vertices);
    return to_arrays(view_of(*strands), strands->root_uv);
} catch (...) {
    return error_from_exception();
}

Result<void> write_groom_file(const std::string& path, const GroomArrays& groom) try {
    if (const Result<void> known = check_output(path, OutputKind::strands); !known) return known;
    const Result<StrandSet> strands = to_strand_set(groom);
    if (!strands) return strands.error();
    return write_groom(path, *strands, "ringlet");
} catch (...) {
    return error_from_exception();
}

Result<GroomArrays> groom_at_rest(Session& session) try {
    Session::Impl& impl = session.impl();
    const Strands strands = impl.strands(When::at_rest);
    return to_arrays(impl.view(strands), impl.root_uv());
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
