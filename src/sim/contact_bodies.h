// Contact of colliding strands with bodies, as the prediction of contact between strands needs it:
// a strand that lies on a body does not give way to another one that presses on it.
//
// The impulses of bodies are part of the prediction only. The model computes its own contact with
// bodies when it moves the strands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/contact_strands.h"

namespace ringlet {

// A vertex that may touch a body in the substep.
struct BodyContact {
    std::int32_t vertex;
    // The vertex as a point of a segment.
    std::int32_t segment;
    float share;
    Vec3f normal;    // of the body
    float missing;   // m, by which the vertex would be too deep without impulses
    Vec3f path;      // m, displacement relative to the body, without impulses
    float friction;  // Coulomb coefficient
    // m per unit of push, by which the vertex enters the body: new contacts are soft in the rod.
    float softness = 0;
    // The impulses, over the mass of a metre of hair: along the normal, and along the surface.
    float push = 0;
    Vec3f drag{0, 0, 0};
};

class ContactBodies {
public:
    ContactBodies(const ContactStrands& strands, const Model& model);

    // Finds the contacts of the clumps whose entry in `touched` is not 0. They start with the
    // impulses of the substep before.
    void find(const ContactStrands& strands, const ContactStep& step, std::span<const char> touched,
              const TaskPool& pool);
    std::span<BodyContact> contacts() { return contacts_; }
    // 1 for those of these clumps that an impulse may throw onto a body in the substep.
    std::span<const char> near_bodies() const { return near_bodies_; }
    // Keeps the impulses of contacts() for the next substep.
    void update(const ContactStrands& strands);
    void clear();

    // Part of the state.
    std::span<std::byte> changing_memory() { return std::as_writable_bytes(std::span(force_)); }
    std::size_t byte_count() const;

private:
    void find_of(int clump, const ContactStrands& strands, const ContactStep& step);
    void find_with(const PlacedCollider& body, int clump, const ContactStrands& strands, float h);
    void start_from_forces(std::span<BodyContact> contacts, float h) const;

    std::vector<float> gap_;  // m, that vertices keep from bodies; empty if the model has no bodies
    // Forces of bodies on vertices in the last substep, over the mass of a metre of hair.
    std::vector<Vec3f> force_;
    std::vector<std::vector<BodyContact>> found_;  // per clump
    std::vector<BodyContact> contacts_;            // by vertex
    std::vector<char> near_bodies_;                // per clump
};

}  // namespace ringlet
