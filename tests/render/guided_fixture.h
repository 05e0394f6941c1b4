// A tuft of strands that follow two guides with fewer vertices, for tests without a session.
#pragma once

#include "strand/deferred_positions.h"
#include "strand/guided_strands.h"

namespace ringlet {

class GuidedTuft final : public DeferredPositions {
public:
    static constexpr int kGuides = 2, kChildren = 60, kGuideVertices = 6, kChildVertices = 11;

    GuidedTuft() { pose(0); }

    // Bends the guides and moves the head by that much.
    void pose(float sway) {
        for (int g = 0; g < kGuides; ++g)
            for (int i = 0; i < kGuideVertices; ++i) {
                const Vec3f p = guide_set_.position.vec3(g, i);
                const float down = 0.1f - p.y;
                guides_.set_vec3(g, i, p + Vec3f{sway + 4 * sway * down * down, 0, 0});
            }
        guided_.pose(0, guides_, {{{}, {sway, 0, 0}}});
        is_current_ = false;
    }
    void fetch() override {
        if (is_current_) return;
        const RootMotion roots = {
            {{}, {guides_.vec3(0, 0).x - guide_set_.position.vec3(0, 0).x, 0, 0}}};
        for (int g = 0; g < kGuides; ++g)
            for (int i = 0; i < kGuideVertices; ++i) position_.set_vec3(g, i, guides_.vec3(g, i));
        children_.interpolate(guides_, 0, roots, roots, position_, kGuides, pool_);
        is_current_ = true;
    }
    GuidedStrands* guided() override { return &guided_; }

    StrandView view() {
        return {.layout = all_.layout.get(),
                .position = &position_,
                .colour = &all_.colour,
                .radius = &all_.radius,
                .has_same_appearance = true,
                .deferred = this};
    }

private:
    static StrandSet rest_shape() {
        std::vector<int> counts(kGuides, kGuideVertices);
        counts.insert(counts.end(), kChildren, kChildVertices);
        StrandSet out{StrandLayout(counts)};
        for (int s = 0; s < out.strand_count(); ++s) {
            const float at = static_cast<float>(s) - 0.5f * static_cast<float>(out.strand_count());
            for (int i = 0; i < counts[static_cast<std::size_t>(s)]; ++i) {
                const float along = static_cast<float>(i) /
                                    static_cast<float>(counts[static_cast<std::size_t>(s)] - 1);
                out.position.set_vec3(s, i, {0.002f * at, 0.1f - 0.2f * along, 0.02f * along});
                out.colour.set_vec3(s, i, {0.7f, 0.4f, 0.2f});
                out.radius.at(s, i) = 0.0006f;
            }
        }
        return out;
    }
    static std::vector<GuideWeights> weights() {
        std::vector<GuideWeights> out;
        for (int child = 0; child < kChildren; ++child) {
            const float w = static_cast<float>(child) / kChildren;
            out.push_back(child % 10 == 9 ? kNoGuides : GuideWeights{{0, 1, 0}, {1 - w, w, 0}});
        }
        return out;
    }
    StrandSet some(int first, int last) const {
        std::vector<int> ids;
        for (int s = first; s < last; ++s) ids.push_back(s);
        return pick_strands(all_, ids);
    }

    StrandSet all_ = rest_shape();
    StrandSet guide_set_ = some(0, kGuides);
    Channel<3> guides_ = guide_set_.position;
    Children children_{guide_set_, some(kGuides, kGuides + kChildren), weights()};
    GuidedStrands guided_{all_.layout, std::vector<GuidedStrands::Part>{
                                           {&children_, guide_set_.layout, 0, Rigidf{}}}};
    TaskPool pool_{1};
    Channel<3> position_ = all_.position;
    bool is_current_ = false;
};

}  // namespace ringlet
