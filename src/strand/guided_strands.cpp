#include "strand/guided_strands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"

namespace ringlet {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kChunk = 1024;  // children per task

bool is_within(Vec3f p, float reach) {
    return std::abs(p.x) < reach && std::abs(p.y) < reach && std::abs(p.z) < reach;
}

GuideMotion to_motion(const Rigidf& motion) {
    return {rotate(motion.rotation, Vec3f{1, 0, 0}), rotate(motion.rotation, Vec3f{0, 1, 0}),
            rotate(motion.rotation, Vec3f{0, 0, 1}), motion.translation};
}

// First `motion`, then `next`.
GuideMotion followed_by(const GuideMotion& motion, const Rigidf& next) {
    return {rotate(next.rotation, motion.a), rotate(next.rotation, motion.b),
            rotate(next.rotation, motion.c), apply(next, motion.shift)};
}

// Bounds as lower limits of x, y, z, -x, -y and -z.
using Box = std::array<float, 6>;

Box filled(float value) { return {value, value, value, value, value, value}; }

Box box_of(Vec3f p) { return {p.x, p.y, p.z, -p.x, -p.y, -p.z}; }

void unite(Box& box, const Box& other) {
    for (std::size_t side = 0; side < 6; ++side) box[side] = min(box[side], other[side]);
}

// False for NaN.
bool contains(const Box& outer, const Box& inner) {
    bool out = true;
    for (std::size_t side = 0; side < 6; ++side) out &= inner[side] >= outer[side];
    return out;
}

// The first vertex of a piece; a strand begins with piece 0 and ends before piece `pieces`.
int first_of(int piece, int last, int pieces) {
    return piece == pieces ? last + 1 : (piece * last + pieces - 1) / pieces;
}

}  // namespace

GuidedStrands::GuidedStrands(LayoutRef layout, std::span<const Part> parts)
    : layout_(std::move(layout)) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const int end = k + 1 < parts.size() ? parts[k + 1].first_strand : layout_->strand_count();
        PosedPart& part = parts_.emplace_back();
        static_cast<Part&>(part) = parts[k];
        part.strand_count = end - part.first_strand;
        part.guide_count = part.guides->strand_count();
        part.motions = GuideMotions(*part.guides);
    }
    number_motions();
}

// The motions of a part are those of its guides, strand by strand, then those of its skin.
void GuidedStrands::number_motions() {
    guides_.clear();
    motion_count_ = 0;
    for (PosedPart& part : parts_) {
        part.first_guide = static_cast<int>(guides_.size());
        part.first_motion = motion_count_;
        for (int g = 0; g < part.guide_count; ++g)
            guides_.push_back(
                {part.first_motion + part.motions.first(g), part.guides->vertex_count(g) - 1});
        part.first_skin = part.first_motion + static_cast<int>(part.motions.all().size());
        motion_count_ = part.first_skin + static_cast<int>(part.skin.size());
    }
}

void GuidedStrands::pose(std::size_t part, const Channel<3>& guides, const RootMotion& roots) {
    PosedPart& own = parts_[part];
    RINGLET_ASSERT(guides.layout_ref() == own.guides, "the guides keep their layout");
    own.positions = &guides;
    own.roots = roots;
    is_current_ = false;
    const int children = own.strand_count - own.guide_count;
    const auto skins =
        static_cast<std::size_t>(roots.skin.empty() ? std::min(children, 1) : children);
    if (own.skin.size() == skins) return;
    own.skin.resize(skins);
    number_motions();
}

std::size_t GuidedStrands::part_of(int strand) const {
    const auto next = std::upper_bound(
        parts_.begin(), parts_.end(), strand,
        [](int wanted, const PosedPart& part) { return wanted < part.first_strand; });
    return static_cast<std::size_t>(next - parts_.begin()) - 1;
}

GuidedStrand GuidedStrands::strand(int strand) const {
    const PosedPart& part = parts_[part_of(strand)];
    const int own = strand - part.first_strand, child = own - part.guide_count;
    GuidedStrand out;
    out.last = layout_->vertex_count(strand) - 1;
    if (child < 0) {  // a guide follows itself
        out.guide[0] = part.first_guide + own;
        out.weight[0] = 1;
        out.root_motion = guides_[static_cast<std::size_t>(out.guide[0])].first_motion;
        return out;
    }
    const GuideWeights& by = part.children->weights()[static_cast<std::size_t>(child)];
    for (int k = 0; k < GuideWeights::kMaxGuides; ++k) {
        out.guide[k] = part.first_guide + by.guide[k];
        out.weight[k] = by.weight[k];
    }
    out.root_motion = part.first_skin + (part.roots.skin.empty() ? 0 : child);
    return out;
}

Vec3f GuidedStrands::rest(int strand, int vertex) const {
    const PosedPart& part = parts_[part_of(strand)];
    const int own = strand - part.first_strand;
    if (!part.children) return {0, 0, 0};
    return own < part.guide_count ? part.children->guide_rest().vec3(own, vertex)
                                  : part.children->rest().vec3(own - part.guide_count, vertex);
}

std::size_t GuidedStrands::byte_count() const {
    std::size_t out = 0;
    for (const PosedPart& part : parts_) out += part.motions.byte_count();
    return out;
}

GuideView GuidedStrands::guide_view(PosedPart& part, int guide) {
    return {{part.children->guide_rest().strand(guide)},
            {part.positions->strand(guide)},
            part.motions.of(guide),
            part.guides->vertex_count(guide) - 1};
}

void GuidedStrands::update(const TaskPool& pool) {
    if (is_current_) return;
    for (PosedPart& part : parts_) update_part(part, pool);
    is_current_ = true;
}

void GuidedStrands::update_part(PosedPart& part, const TaskPool& pool) const {
    pool.for_each(part.guide_count, [&](int guide) {
        GuideMotion* const motions = part.motions.of(guide);
        const int last = part.guides->vertex_count(guide) - 1;
        if (part.children)
            find_guide_motions(guide_view(part, guide), part.roots.of(guide).rotation);
        for (int i = 0; i <= last; ++i)
            motions[i] = part.children
                             ? followed_by(motions[i], part.to_world)
                             : GuideMotion{{0, 0, 0},
                                           {0, 0, 0},
                                           {0, 0, 0},
                                           apply(part.to_world, part.positions->vec3(guide, i))};
    });
    pool.for_each(static_cast<int>(part.skin.size()), [&](int child) {
        const Rigidf skin =
            part.roots.skin.empty() ? part.roots.head : part.roots.of(part.guide_count + child);
        part.skin[static_cast<std::size_t>(child)] = followed_by(to_motion(skin), part.to_world);
    });
}

void GuidedStrands::write_motions(GuideMotion* out, const TaskPool& pool) {
    update(pool);
    for (PosedPart& part : parts_) {
        std::ranges::copy(part.motions.all(), out + part.first_motion);
        std::copy(part.skin.begin(), part.skin.end(), out + part.first_skin);
    }
}

// `strand` is an index within the part.
Vec3f GuidedStrands::position(PosedPart& part, int strand, int vertex) {
    const int child = strand - part.guide_count;
    if (child < 0) {
        const Vec3f rest =
            part.children ? part.children->guide_rest().vec3(strand, vertex) : Vec3f{0, 0, 0};
        return moved_by(part.motions.of(strand)[vertex], rest, 1);
    }
    const GuideWeights& by = part.children->weights()[static_cast<std::size_t>(child)];
    const Channel<3>& rest = part.children->rest();
    if (vertex == 0 || by.is_rigid())
        return moved_by(part.skin[part.skin.size() > 1 ? static_cast<std::size_t>(child) : 0],
                        rest.vec3(child, vertex), 1);
    return child_vertex(by, rest.vec3(child, vertex), vertex, rest.layout().vertex_count(child) - 1,
                        [&](int guide) { return guide_view(part, guide); });
}

// A child's vertex is a weighted mean of points, each moved rigidly with a vertex of a guide. Such
// a point keeps its distance to that vertex.
void GuidedStrands::measure_extents(PosedPart& part, const TaskPool& pool) const {
    if (!part.extents.empty()) return;
    const Channel<3>&rest = part.children->rest(), &guide_rest = part.children->guide_rest();
    part.extents.resize(part.children->weights().size());
    const auto distance_at = [&](const GuideWeights& by, Vec3f p, int i, int last) {
        float sum = 0;
        for (int k = 0; k < GuideWeights::kMaxGuides; ++k) {
            if (by.weight[k] <= 0) continue;
            const int tip = part.guides->vertex_count(by.guide[k]) - 1;
            const int from = i * tip / last, to = std::min(from + 1, tip);
            float most = norm(p - guide_rest.vec3(by.guide[k], from));
            if (tip != last) most = max(most, norm(p - guide_rest.vec3(by.guide[k], to)));
            sum += by.weight[k] * most;
        }
        return sum * 1.001f + 1e-5f;  // and rounding
    };
    pool.for_each(rest.layout().strand_count(), [&](int child) {
        const GuideWeights& by = part.children->weights()[static_cast<std::size_t>(child)];
        RestExtent& extent = part.extents[static_cast<std::size_t>(child)];
        extent = {.root = rest.vec3(child, 0), .distance = {}};
        const int last = rest.layout().vertex_count(child) - 1;
        for (int piece = 0; piece < kPieces; ++piece)
            for (int i = std::max(first_of(piece, last, kPieces), 1);
                 i < first_of(piece + 1, last, kPieces); ++i) {
                const float distance = distance_at(by, rest.vec3(child, i), i, last);
                for (const int tested : {piece, kWhole})
                    extent.distance[tested] = max(extent.distance[tested], distance);
            }
    });
}

// Each piece of a guide includes a vertex more at both ends, because a child may have another
// number of vertices.
void GuidedStrands::find_guide_boxes(PosedPart& part, float reach, const TaskPool& pool) const {
    part.guide_boxes.resize(static_cast<std::size_t>(part.guide_count * kTested));
    pool.for_each(part.guide_count, [&](int guide) {
        const int last = part.guides->vertex_count(guide) - 1;
        Box* const boxes = &part.guide_boxes[static_cast<std::size_t>(guide * kTested)];
        boxes[kWhole] = filled(kInfinity);
        for (int piece = 0; piece < kPieces; ++piece) {
            Box& box = boxes[piece] = filled(kInfinity);
            const int from = std::max(piece * last / kPieces - 1, 0);
            const int to = std::min(((piece + 1) * last + kPieces - 1) / kPieces + 1, last);
            for (int i = from; i <= to; ++i) {
                const Vec3f p = position(part, guide, i);
                // All children of a guide with an unusable vertex are computed.
                unite(box, is_within(p, reach) ? box_of(p) : filled(-kInfinity));
            }
            unite(boxes[kWhole], box);
        }
    });
}

void GuidedStrands::add_guides(PosedPart& part, float reach, Box& known) const {
    for (int guide = 0; guide < part.guide_count; ++guide) {
        const Box& box = part.guide_boxes[static_cast<std::size_t>(guide * kTested + kWhole)];
        if (box[0] > -kInfinity)
            unite(known, box);
        else
            add_strand(part, guide, reach, known);
    }
}

void GuidedStrands::add_strand(PosedPart& part, int strand, float reach, Box& known) const {
    if (!is_within(position(part, strand, 0), reach)) return;
    const int vertices = layout_->vertex_count(part.first_strand + strand);
    for (int i = 0; i < vertices; ++i)
        if (const Vec3f p = position(part, strand, i); is_within(p, reach)) unite(known, box_of(p));
}

// Contains the piece of a child, without its root.
GuidedStrands::Box GuidedStrands::bound_of(const PosedPart& part, int child, int piece) {
    const auto own = static_cast<std::size_t>(child);
    const GuideWeights& by = part.children->weights()[own];
    Box bound = filled(-part.extents[own].distance[piece]);
    for (int k = 0; k < GuideWeights::kMaxGuides; ++k) {
        if (by.weight[k] <= 0) continue;
        const Box& guide =
            part.guide_boxes[static_cast<std::size_t>(by.guide[k] * kTested + piece)];
        for (std::size_t side = 0; side < 6; ++side) bound[side] += guide[side] * by.weight[k];
    }
    return bound;
}

// Computes only those pieces of a child that may exceed what is known.
void GuidedStrands::add_child(PosedPart& part, int child, float reach, Box& known) const {
    const auto own = static_cast<std::size_t>(child);
    const int strand = part.guide_count + child;
    if (part.children->weights()[own].is_rigid()) return add_strand(part, strand, reach, known);
    const Vec3f root =
        moved_by(part.skin[part.skin.size() > 1 ? own : 0], part.extents[own].root, 1);
    if (!is_within(root, reach)) return;
    unite(known, box_of(root));
    if (contains(known, bound_of(part, child, kWhole))) return;
    const int last = layout_->vertex_count(part.first_strand + strand) - 1;
    for (int piece = 0; piece < kPieces; ++piece) {
        if (contains(known, bound_of(part, child, piece))) continue;
        for (int i = std::max(first_of(piece, last, kPieces), 1);
             i < first_of(piece + 1, last, kPieces); ++i)
            if (const Vec3f p = position(part, strand, i); is_within(p, reach))
                unite(known, box_of(p));
    }
}

// The outermost children of the last call come first, because most others are then known to be
// within the bounds.
void GuidedStrands::add_children(PosedPart& part, float reach, Box& known,
                                 const TaskPool& pool) const {
    const int children = part.strand_count - part.guide_count;
    const int chunks = (children + kChunk - 1) / kChunk;
    for (const int child : part.outermost)
        if (child >= 0) add_strand(part, part.guide_count + child, reach, known);
    part.chunks.resize(static_cast<std::size_t>(chunks));
    pool.for_each(chunks, [&](int chunk) {
        Reached reached{known, {-1, -1, -1, -1, -1, -1}};
        const int end = std::min((chunk + 1) * kChunk, children);
        for (int child = chunk * kChunk; child < end; ++child) {
            const Box before = reached.box;
            add_child(part, child, reach, reached.box);
            for (std::size_t side = 0; side < 6; ++side)
                if (reached.box[side] < before[side]) reached.child[side] = child;
        }
        part.chunks[static_cast<std::size_t>(chunk)] = reached;
    });
    for (const Reached& reached : part.chunks)
        for (std::size_t side = 0; side < 6; ++side) {
            if (reached.box[side] >= known[side]) continue;
            known[side] = reached.box[side];
            part.outermost[side] = reached.child[side];
        }
}

void GuidedStrands::survey(float reach, int stride, StrandSurvey& out, const TaskPool& pool) {
    update(pool);
    out.sample.clear();
    Box known = filled(reach);
    for (int strand = 0; strand < layout_->strand_count(); strand += stride) {
        PosedPart& part = parts_[part_of(strand)];
        for (int i = 0; i < layout_->vertex_count(strand); ++i)
            out.sample.push_back(position(part, strand - part.first_strand, i));
        add_strand(part, strand - part.first_strand, reach, known);
    }
    for (PosedPart& part : parts_) {
        find_guide_boxes(part, reach, pool);
        add_guides(part, reach, known);
    }
    for (PosedPart& part : parts_) {
        if (!part.children) continue;
        measure_extents(part, pool);
        add_children(part, reach, known, pool);
    }
    out.low = {known[0], known[1], known[2]};
    out.high = {-known[3], -known[4], -known[5]};
}

}  // namespace ringlet
