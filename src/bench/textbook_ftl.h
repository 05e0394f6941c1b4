// A textbook implementation of dynamic follow the leader with hair-hair coupling on a dense grid
// (Müller et al. 2012; Petrovic et al. 2006): vertices as structs, one at a time, and a grid fixed
// in the world that every step clears completely. `ringlet bench` compares the model ftl with it.
// It is intentionally not optimised.
#pragma once

#include "bench/textbook_pbd.h"

namespace ringlet::speed {

struct TextbookFtlStep {
    float dt = 0.005f;           // s
    float correction = 0.9f;     // s_damping of the paper
    float friction = 0.1f;       // s_friction
    float repulsion = 5e-5f;     // s_repulsion
    Vec3f gravity{0, -9.8f, 0};  // m/s^2
    Vec3f low{-1, -1, -1};       // m, corner of the grid
    float cell = 0.01f;          // m
    int side = 368;              // nodes along each axis: 797 MB, as large as the published one
};

class TextbookFtl {
public:
    TextbookFtl(const Polylines& rest, const TextbookFtlStep& step);
    void step();
    Polylines positions() const;
    // Memory of the grid.
    std::size_t byte_count() const { return nodes_.size() * sizeof(Node); }

private:
    struct Vertex {
        Vec3f x, p, v;     // m, m, m/s
        Vec3f correction;  // m, displacement by the length projection
        float length;      // m, to the previous vertex
    };
    struct Node {
        float density = 0;
        Vec3f velocity{0, 0, 0};
    };
    struct Place {
        int x, y, z;
        Vec3f t;
    };

    Place place_of(Vec3f x) const;
    Node& node(int x, int y, int z);
    // Calls visit(node, weight) for the eight nodes of the cell.
    template <class Visit>
    void visit_corners(Vec3f x, const Visit& visit);
    void follow(std::vector<Vertex>& strand) const;
    void fill_grid();
    void apply_grid(Vertex& at);

    TextbookFtlStep step_;
    std::vector<std::vector<Vertex>> strands_;
    std::vector<Node> nodes_;
};

}  // namespace ringlet::speed
