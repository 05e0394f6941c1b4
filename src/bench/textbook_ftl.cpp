#include "bench/textbook_ftl.h"

#include <algorithm>
#include <cmath>

namespace ringlet::speed {

TextbookFtl::TextbookFtl(const Polylines& rest, const TextbookFtlStep& step) : step_(step) {
    for (const std::vector<Vec3f>& line : rest) {
        std::vector<Vertex>& strand = strands_.emplace_back();
        for (std::size_t i = 0; i < line.size(); ++i)
            strand.push_back(
                {line[i], line[i], {0, 0, 0}, {0, 0, 0}, i > 0 ? norm(line[i] - line[i - 1]) : 0});
    }
    const auto side = static_cast<std::size_t>(step.side);
    nodes_.resize(side * side * side);
}

void TextbookFtl::step() {
    for (std::vector<Vertex>& strand : strands_) follow(strand);
    fill_grid();
    for (std::vector<Vertex>& strand : strands_)
        for (std::size_t i = 1; i < strand.size(); ++i) apply_grid(strand[i]);
}

void TextbookFtl::follow(std::vector<Vertex>& strand) const {
    const float dt = step_.dt;
    for (std::size_t i = 1; i < strand.size(); ++i) {
        Vertex& at = strand[i];
        const Vec3f leader = strand[i - 1].p;
        const Vec3f predicted = at.x + at.v * dt + step_.gravity * (dt * dt);
        const Vec3f offset = predicted - leader;
        at.p = leader + offset * (at.length / norm(offset));
        at.correction = at.p - predicted;
    }
    for (std::size_t i = 1; i < strand.size(); ++i) {
        Vertex& at = strand[i];
        at.v = (at.p - at.x) * (1 / dt);
        if (i + 1 < strand.size()) at.v -= strand[i + 1].correction * (step_.correction / dt);
        at.x = at.p;
    }
}

TextbookFtl::Place TextbookFtl::place_of(Vec3f x) const {
    const Vec3f cells = (x - step_.low) * (1 / step_.cell);
    const auto within = [&](float a) {
        return std::clamp(static_cast<int>(std::floor(a)), 1, step_.side - 3);
    };
    const int i = within(cells.x), j = within(cells.y), k = within(cells.z);
    return {i,
            j,
            k,
            {cells.x - static_cast<float>(i), cells.y - static_cast<float>(j),
             cells.z - static_cast<float>(k)}};
}

TextbookFtl::Node& TextbookFtl::node(int x, int y, int z) {
    const auto side = static_cast<std::size_t>(step_.side);
    return nodes_[(static_cast<std::size_t>(z) * side + static_cast<std::size_t>(y)) * side +
                  static_cast<std::size_t>(x)];
}

template <class Visit>
void TextbookFtl::visit_corners(Vec3f x, const Visit& visit) {
    const Place at = place_of(x);
    for (int k = 0; k < 8; ++k) {
        const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
        const float weight =
            (i ? at.t.x : 1 - at.t.x) * (j ? at.t.y : 1 - at.t.y) * (l ? at.t.z : 1 - at.t.z);
        visit(at.x + i, at.y + j, at.z + l, weight);
    }
}

void TextbookFtl::fill_grid() {
    std::fill(nodes_.begin(), nodes_.end(), Node{});
    for (const std::vector<Vertex>& strand : strands_)
        for (const Vertex& at : strand)
            visit_corners(at.x, [&](int x, int y, int z, float weight) {
                Node& here = node(x, y, z);
                here.density += weight;
                here.velocity += at.v * weight;
            });
    for (Node& here : nodes_)
        if (here.density > 0) here.velocity = here.velocity * (1 / here.density);
}

void TextbookFtl::apply_grid(Vertex& at) {
    Vec3f velocity{0, 0, 0}, gradient{0, 0, 0};
    visit_corners(at.x, [&](int x, int y, int z, float weight) {
        velocity += node(x, y, z).velocity * weight;
        const Vec3f slope = {node(x + 1, y, z).density - node(x - 1, y, z).density,
                             node(x, y + 1, z).density - node(x, y - 1, z).density,
                             node(x, y, z + 1).density - node(x, y, z - 1).density};
        gradient += slope * weight;
    });
    at.v = at.v * (1 - step_.friction) + velocity * step_.friction;
    const float length = norm(gradient);
    if (length > 0) at.v -= gradient * (step_.repulsion / (step_.dt * length));
}

Polylines TextbookFtl::positions() const {
    Polylines out;
    for (const std::vector<Vertex>& strand : strands_) {
        out.emplace_back();
        for (const Vertex& at : strand) out.back().push_back(at.x);
    }
    return out;
}

}  // namespace ringlet::speed
