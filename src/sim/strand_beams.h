// The response of strands to forces within a backward Euler step, for contact between strands.
//
// Across its length a strand is an elastic beam: a displacement y of its vertices bends the joint i
// by (y_{i+1} - y_i)/l_i - (y_i - y_{i-1})/l_{i-1}. In a step of length h it moves by
// u = (m + h^2 K)^-1 (h m v + h^2 f), so that a few centimetres of hair respond together to a force
// at a point. Along its length it is stiffer than that, and tension stiffens it too.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The shape of a beam. Masses and stiffness are relative to the mean vertex mass.
struct Beam {
    std::span<const float> lengths;  // m, of the segments
    std::span<const float> bend;  // m^2/s^2, of the joint at each vertex but the tip; may be empty
    bool holds_root, holds_tip;
};

// A point of a segment, and its weight at the segment's end.
struct SegmentPoint {
    int segment;  // the vertex at its start
    float share;
};

// Displacements of the vertices of all beams (m), by component.
struct BeamMoves {
    std::vector<float> x, y, z;

    explicit BeamMoves(std::size_t count) : x(count), y(count), z(count) {}
    void clear(std::size_t begin, std::size_t end) {
        for (std::vector<float>* c : {&x, &y, &z})
            std::fill(c->begin() + static_cast<std::ptrdiff_t>(begin),
                      c->begin() + static_cast<std::ptrdiff_t>(end), 0.0f);
    }
    Vec3f at(std::size_t vertex) const { return {x[vertex], y[vertex], z[vertex]}; }
    // At a point of the segment that starts at a vertex.
    Vec3f at(std::size_t vertex, float share) const {
        const auto mix = [&](const std::vector<float>& c) {
            return c[vertex] + (c[vertex + 1] - c[vertex]) * share;
        };
        return {mix(x), mix(y), mix(z)};
    }
};

class StrandBeams {
public:
    // `steps` are the lengths (s) of backward Euler steps.
    explicit StrandBeams(std::vector<float> steps) : steps_(std::move(steps)) {}

    void add(const Beam& beam);
    // Index of the length h among `steps`.
    int step_index(float h) const;

    int first_vertex(int beam) const { return first_[static_cast<std::size_t>(beam)]; }
    int vertex_count(int beam) const { return first_vertex(beam + 1) - first_vertex(beam); }
    int vertex_total() const { return first_.back(); }
    // Mass of a vertex over the mean; vertices are numbered over all beams.
    float mass(int vertex) const { return mass_[static_cast<std::size_t>(vertex)]; }
    // 0 if the vertex is held.
    float inverse_mass(int vertex) const { return inverse_mass_[static_cast<std::size_t>(vertex)]; }
    // m
    float mean_length(int beam) const { return mean_length_[static_cast<std::size_t>(beam)]; }

    // The displacement of a point by a unit force there, over that of a free mean vertex mass.
    float compliance(int step, int beam, SegmentPoint at) const;
    // Adds the response to a force at a point, in units of force over the mean vertex mass, to
    // `moves`. Leaves out vertices that respond by less than kLeastResponse.
    void respond(int step, int beam, SegmentPoint at, Vec3f force, BeamMoves& moves) const;
    // Replaces forces on all vertices of a beam by the response to them.
    void respond_to_all(int step, int beam, std::span<Vec3f> forces) const;
    std::size_t byte_count() const;

private:
    // Responses below this share of that of the vertex itself are left out.
    static constexpr double kLeastResponse = 0.01;

    // L D L^T of the matrix: row i has 1/D_i, L_{i+1,i} and L_{i+2,i}.
    struct Factor {
        double over_d, first, second;
    };
    // The vertices of a beam that respond to a force at a vertex, and where their responses start.
    struct Column {
        int low, high;  // of the beam; high is the one after the last
        std::size_t start;
    };
    void add_step(const Beam& beam, std::span<const double> mass, std::size_t step);
    void add_column(std::span<const double> response, std::size_t vertex, std::size_t step);

    std::vector<float> steps_;
    std::vector<int> first_{0};
    std::vector<float> mass_, inverse_mass_, mean_length_;
    // Per step: the factors, and the responses to a force at each vertex.
    std::vector<std::vector<Factor>> factors_{steps_.size()};
    std::vector<std::vector<Column>> columns_{steps_.size()};
    std::vector<std::vector<float>> responses_{steps_.size()};
};

}  // namespace ringlet
