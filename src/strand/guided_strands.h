// Strands of which most are children of guides, in the form that a renderer needs to compute their
// positions itself: constant tables, and in each frame the motions of the guides' vertices instead
// of all positions.
#pragma once

#include <array>
#include <span>

#include "strand/children.h"
#include "strand/strand_survey.h"

namespace ringlet {

// How a strand moves. Motions are numbered as GuidedStrands::write_motions() writes them. Shaders
// read this struct (render_gl/shaders/children.comp).
struct GuidedStrand {
    std::int32_t guide[GuideWeights::kMaxGuides] = {0, 0, 0};  // indices of GuidedStrands::guides()
    // The motion of its root, and of all vertices if there are no guides.
    std::int32_t root_motion = 0;
    float weight[GuideWeights::kMaxGuides] = {0, 0, 0};
    std::int32_t last = -1;  // index of its tip; -1: padding
};
static_assert(sizeof(GuidedStrand) == 32);

// The motions of a guide: one per vertex.
struct GuideRange {
    std::int32_t first_motion, last;  // `last`: index of the guide's tip
};

// Not thread-safe.
class GuidedStrands {
public:
    // The strands of one head: guides first, then children.
    struct Part {
        const Children* children;  // null: all strands are guides. Not owned.
        LayoutRef guides;          // layout of the guides
        int first_strand;          // index in the layout of all strands
        Rigidf to_world;           // from the part's frame
    };

    // Parts are given in the order of their strands.
    GuidedStrands(LayoutRef layout, std::span<const Part> parts);

    // Sets the current positions of a part's guides, in the part's frame, and the motions of the
    // roots of all its strands, guides first. Not copied: they must not change until the next call.
    // Either all calls or none have a rigid skin (RootMotion::skin is empty).
    void pose(std::size_t part, const Channel<3>& guides, const RootMotion& roots);

    // Constant data: per strand, per guide, and the rest position of a vertex in its part's frame.
    GuidedStrand strand(int strand) const;
    std::span<const GuideRange> guides() const { return guides_; }
    Vec3f rest(int strand, int vertex) const;

    // Writes the motions of all guides' vertices and of the skin, from rest to world space.
    std::size_t motion_count() const { return static_cast<std::size_t>(motion_count_); }
    void write_motions(GuideMotion* out, const TaskPool& pool);

    // Bounds of all vertices, and the vertices of every stride-th strand. Ignores coordinates
    // beyond `reach` (m). The bounds are those of all children up to rounding, but only children
    // that can exceed the others are computed.
    void survey(float reach, int stride, StrandSurvey& out, const TaskPool& pool);

    // Per-vertex memory in bytes.
    std::size_t byte_count() const;

private:
    using Box = std::array<float, 6>;  // lower limits of x, y, z, -x, -y and -z
    struct Reached {
        Box box;
        std::array<int, 6> child;  // the child that extends each side; -1: none
    };
    // A strand is tested against the bounds as a whole (kWhole), then in pieces.
    static constexpr int kPieces = 8, kWhole = kPieces, kTested = kPieces + 1;
    // The rest shape of a child, as far as its bounds depend on it.
    struct RestExtent {
        Vec3f root;
        float distance[kTested];  // m, the largest from its guides, by piece
    };
    struct PosedPart : Part {
        int strand_count, guide_count;
        int first_guide;                        // number of a guide
        int first_motion, first_skin;           // numbers of motions
        const Channel<3>* positions = nullptr;  // of the guides
        RootMotion roots{};
        GuideMotions motions{};             // to world space
        std::vector<GuideMotion> skin{};    // one for all children, or one each; to world space
        std::vector<RestExtent> extents{};  // per child; empty until needed
        std::vector<Box> guide_boxes{};     // kTested per guide
        std::vector<Reached> chunks{};      // of children
        std::array<int, 6> outermost{-1, -1, -1, -1, -1, -1};  // children, by side
    };

    std::size_t part_of(int strand) const;
    void number_motions();
    void update(const TaskPool& pool);
    void update_part(PosedPart& part, const TaskPool& pool) const;
    void measure_extents(PosedPart& part, const TaskPool& pool) const;
    void find_guide_boxes(PosedPart& part, float reach, const TaskPool& pool) const;
    void add_children(PosedPart& part, float reach, Box& known, const TaskPool& pool) const;
    void add_child(PosedPart& part, int child, float reach, Box& known) const;
    static Box bound_of(const PosedPart& part, int child, int piece);
    void add_guides(PosedPart& part, float reach, Box& known) const;
    void add_strand(PosedPart& part, int strand, float reach, Box& known) const;
    static GuideView guide_view(PosedPart& part, int guide);
    static Vec3f position(PosedPart& part, int strand, int vertex);

    LayoutRef layout_;
    std::vector<PosedPart> parts_;
    std::vector<GuideRange> guides_;
    int motion_count_ = 0;
    bool is_current_ = false;  // whether the motions belong to the current poses
};

}  // namespace ringlet
