// Position based dynamics of curly hair as a textbook writes it down (Müller et al. 2007, Algorithm
// 1, with the distance constraints of docs/models/pbd.md): vertices as structs, one at a time. What
// `ringlet bench` holds the pbd model against; plain on purpose, and not to be made faster.
//
// Two designs. `TextbookPbd` has constraints as structs in an array. `VirtualPbd` is the design an
// object-oriented program starts with: every constraint an object on the heap with a virtual
// solve(). docs/performance.md tells what that costs, and why.
#pragma once

#include <memory>
#include <vector>

#include "math/vec3.h"

namespace ringlet::speed {

// What is done in a step; the same for both designs.
struct TextbookStep {
    float dt = 1.0f / 60;  // s
    int iterations = 10;
    float damping = 0.98f;        // of a velocity, what a step leaves
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

// |a - b| = rest, of stiffness k.
struct Distance {
    int a, b;
    float rest, k;
};

// Of each strand of `rest`: its lengths, and the pairs (i-1, i+1) and (i-2, i+2) that curl it, at
// 0.9 and 1.9 segment lengths with stiffness 0.6, corrected for the iterations.
std::vector<Distance> distances_of(const std::vector<Vec3f>& rest, int iterations);

// Which loop is outside: each strand is brought to an end before the next, or each iteration goes
// over all strands of the world.
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
