// A textbook implementation of position based dynamics of curly hair (Müller et al. 2007, Algorithm
// 1, with the distance constraints of docs/models/pbd.md): vertices as structs, one at a time.
// `ringlet bench` compares the model pbd with it. It is intentionally not optimised.
//
// Two designs: `TextbookPbd` stores constraints as structs in an array. `VirtualPbd` is a typical
// object-oriented design: every constraint is an object on the heap with a virtual solve().
// docs/performance.md explains its cost.
#pragma once

#include <memory>
#include <vector>

#include "math/vec3.h"

namespace ringlet::speed {

// The parameters of a step, for both designs.
struct TextbookStep {
    float dt = 1.0f / 60;  // s
    int iterations = 10;
    float damping = 0.98f;        // factor on velocities per step
    Vec3f gravity{0, -9.81f, 0};  // m/s^2
};

struct Particle {
    Vec3f x;  // m
    Vec3f p;  // m, predicted
    Vec3f v;  // m/s
    float w;  // 1/kg; 0: held
};

// Strands as vertices from root to tip; the root is held.
using Polylines = std::vector<std::vector<Vec3f>>;

// The constraint |a - b| = rest with stiffness k.
struct Distance {
    int a, b;
    float rest, k;
};

// The constraints of all strands of `rest`: segment lengths, and the pairs (i-1, i+1) and (i-2,
// i+2) that curl the strand, at 0.9 and 1.9 segment lengths with stiffness 0.6, corrected for the
// number of iterations.
std::vector<Distance> distances_of(const std::vector<Vec3f>& rest, int iterations);

// The outer loop: over strands, each with all its iterations, or over iterations, each with all
// strands.
enum class SweepOrder { strand_by_strand, world };

class TextbookPbd {
public:
    TextbookPbd(const Polylines& rest, const TextbookStep& step, SweepOrder order);
    void step();
    Polylines positions() const;

private:
    struct Strand {
        std::vector<Particle> particles;
        std::vector<Distance> constraints;
    };
    static void project(Strand& strand);

    TextbookStep step_;
    SweepOrder order_;
    std::vector<Strand> strands_;
};

class Constraint {
public:
    virtual ~Constraint() = default;
    virtual void solve() = 0;
};

class VirtualPbd {
public:
    VirtualPbd(const Polylines& rest, const TextbookStep& step, SweepOrder order);
    void step();
    Polylines positions() const;

private:
    struct Strand {
        std::vector<std::unique_ptr<Particle>> particles;
        std::vector<std::unique_ptr<Constraint>> constraints;
    };

    TextbookStep step_;
    SweepOrder order_;
    std::vector<Strand> strands_;
};

}  // namespace ringlet::speed
