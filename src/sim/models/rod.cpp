// Model rod: prepares masses, stiffness, frames and rest rotations of the joints from the groomed
// shape, for rod_kernel.h.
#include <algorithm>
#include <cstring>

#include "sim/materials.h"
#include "sim/models/block_model.h"
#include "sim/models/rod_joints.h"
#include "sim/models/rod_kernel.h"
#include "sim/substeps.h"
#include "sim/wind.h"

namespace ringlet {

namespace {

// Least length (m) of a segment for mass and stiffness: a groom may have coincident vertices, and
// their mass and compliance must not vanish.
constexpr float kShortest = 1e-5f;

// Limit (rad) of the rest rotation that makes the groomed pose an equilibrium; it must stay below
// pi. Only strands without support() come near it.
constexpr float kMaxSagRotation = 2.5f;

// Inverse mass of a held tip over that of a vertex. Not zero, because the force in a taut strand
// between two fixed ends is undetermined. The weight of a strand moves such a tip by micrometres.
constexpr float kHeldTip = 1e-4f;

// The most bodies whose index fits into a signed byte.
constexpr int kMaxByteBodies = 127;

// Length (m) of a strand whose drag damps the rotation of segments.
constexpr float kDragLength = 0.2f;

// A strand counts as straight if the sum of the sines of its bends is smaller.
constexpr float kStraight = 1e-3f;

bool is_positive(const Sym3<float>& a) {
    const float two = a.xx * a.yy - a.xy * a.xy;
    const float three = a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.yz * a.xz) +
                        a.xz * (a.xy * a.yz - a.yy * a.xz);
    return a.xx > 0 && two > 0 && three > 0;
}

// B^T P B.
Sym3<float> congruent(const Mat3<float>& b, const Sym3<float>& p) {
    const Mat3<float> pb = times(p, b);
    const auto column = [&](Vec3f left) { return b.x * left.x + b.y * left.y + b.z * left.z; };
    const Vec3f x = column({pb.x.x, pb.y.x, pb.z.x}), y = column({pb.x.y, pb.y.y, pb.z.y});
    const Vec3f z = column({pb.x.z, pb.y.z, pb.z.z});
    return {x.x, x.y, x.z, y.y, y.z, z.z};
}

class SolverRod final : public BlockModel<RodKernel> {
public:
    explicit SolverRod(const ModelStart& start)
        : BlockModel(start.rest.layout, start.lanes),
          settings_(start.settings),
          material_(with_dials(start.settings.rod)),
          omega_(start.rest.layout),
          lambda_(start.rest.layout),
          q_(start.rest.layout),
          rest_rotation_(start.rest.layout),
          length_(start.rest.layout, -1),
          bend_(start.rest.layout),
          root_(start.rest.layout),
          falls_back_(start.rest.layout),
          per_kg_(start.rest.layout),
          mean_(start.rest.layout) {
        if (settings_.hold_tips) {
            tip_ = StrandChannel<3>(start.rest.layout);
            last_ = StrandChannel<1>(start.rest.layout, -1);
        }
        if (!start.bodies.empty()) {
            gap_ = gaps_to_bodies(start);
            hardness_ = Channel<1>(start.rest.layout, settings_.rod.contact_start);
            if (std::ssize(start.bodies) <= kMaxByteBodies)
                anchor_body_bytes_ = Channel<1, std::int8_t>(start.rest.layout, -1);
            else
                anchor_body_ = Channel<1>(start.rest.layout, -1);
            anchor_ = Channel<3>(start.rest.layout);
            recent_contact_ = StrandChannel<1>(start.rest.layout);
        }
        if (material_.damping > 0) strain_ = Channel<3>(start.rest.layout);
        clear_frames();
        start.pool.for_each(start.rest.strand_count(), [&](int strand) {
            prepare_lengths(start.rest, strand);
            prepare_material(strand);
            prepare_ends(start.rest, strand);
            prepare_frames(start, strand);
            if (settings_.rod.sag_free && settings_.hold_roots) balance_gravity(start.head, strand);
            to_solver_units(strand);
            prepare_strain(start.head, strand);
        });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    bool is_second_order() const override {
        return settings_.rod.integrator == Integrator::second_order;
    }

    void move_rigidly(const StrandMotions& motions, const TaskPool& pool) override {
        q_.edit();
        for (Channel<3>* vectors : {&omega_, &lambda_, &anchor_}) vectors->edit();
        pool.for_each(layout().strand_count(), [&](int s) {
            if (!motions.moves(s)) return;
            const Rigidf& motion = motions[s];
            for (int i = 0; i < layout().vertex_count(s); ++i) {
                set_quat(q_, s, i, normalise(motion.rotation * quat_at(q_, s, i)));
                for (Channel<3>* vectors : {&omega_, &lambda_})
                    vectors->set_vec3(s, i, rotate(motion.rotation, vectors->vec3(s, i)));
                if (!anchor_.empty()) anchor_.set_vec3(s, i, apply(motion, anchor_.vec3(s, i)));
            }
        });
    }

    // After another model: frames by parallel transport relative to the groomed frames, which
    // corresponds to relaxed twist. Twist relaxes within a few milliseconds.
    void resume(const Model& before, const SimState& state, const Rigidf& head,
                const TaskPool& pool) override {
        if (const auto* rod = dynamic_cast<const SolverRod*>(&before)) {
            q_ = rod->q_;
            omega_ = rod->omega_;
        }
        q_.edit();
        strain_.edit();
        pool.for_each(layout().strand_count(), [&](int s) {
            Quatf was{0, 0, 0, 1}, now = was;
            for (int i = 0; i < segment_count(s); ++i) {
                const Quatf own = quat_at(q_, s, i), carried = now * conjugate(was) * own;
                const Vec3f tangent = tangent_of(carried);
                const Vec3f along = unit_or(state.x.vec3(s, i + 1) - state.x.vec3(s, i), tangent);
                was = own;
                now = normalise(quat_between(tangent, along) * carried);
                set_quat(q_, s, i, now);
            }
            prepare_strain(head, s);
        });
    }

    StrandMechanics mechanics() const override { return {&bend_, &lambda_, &gap_}; }
    Channel<3>* starting_force() override { return &lambda_; }

    std::vector<MemoryUse> memory() const override {
        return {{"frames", q_.byte_count()},
                {"angular velocities", omega_.byte_count()},
                {"forces", lambda_.byte_count()},
                {"strains", strain_.byte_count()},
                {"rest rotations", rest_rotation_.byte_count()},
                {"stiffness", bend_.byte_count()},
                {"lengths", length_.byte_count()},
                {"masses", w_.byte_count()},
                {"inertia", inertia_.byte_count()},
                {"gaps", gap_.byte_count()},
                {"contacts", hardness_.byte_count() + anchor_body_.byte_count() +
                                 anchor_.byte_count() + anchor_body_bytes_.byte_count()},
                {"per strand", bytes_of(root_, tip_, last_, recent_contact_, falls_back_, per_kg_,
                                        mean_, repaired_, strain_limited_)}};
    }

    RestLengths rest_lengths(ChannelAccess& access) const override {
        return {access.read(length_)};
    }

private:
    int segment_count(int strand) const { return layout().vertex_count(strand) - 1; }
    float clamped_length(int strand, int segment) const {
        return max(length_.at(strand, segment), kShortest);
    }

    static Quatf quat_at(const Channel<4>& channel, int strand, int i) {
        return {channel.at(strand, i, 0), channel.at(strand, i, 1), channel.at(strand, i, 2),
                channel.at(strand, i, 3)};
    }
    static void set_quat(Channel<4>& channel, int strand, int i, Quatf a) {
        channel.at(strand, i, 0) = a.x;
        channel.at(strand, i, 1) = a.y;
        channel.at(strand, i, 2) = a.z;
        channel.at(strand, i, 3) = a.w;
    }

    // Converts lambda_ from m/s^2 (force per mass) to the units of the solve.
    void to_solver_units(int strand) {
        const float h = substep_times(settings_.dt, settings_.substeps, is_second_order(), 0).h;
        for (int i = 0; i < segment_count(strand); ++i)
            lambda_.set_vec3(strand, i, lambda_.vec3(strand, i) * (h * h));
    }

    // The kernel also rotates frames of padding, which must be unit quaternions.
    void clear_frames() {
        for (Channel<4>* channel : {&q_, &rest_rotation_}) channel->fill({0, 0, 0, 1});
    }

    void prepare_lengths(const StrandSet& rest, int strand) {
        for (int i = 0; i < segment_count(strand); ++i)
            length_.at(strand, i) =
                norm(rest.position.vec3(strand, i + 1) - rest.position.vec3(strand, i));
    }

    // Each vertex has half the mass of its segments, so the tip has that of half a segment. A joint
    // extends over half of each of its segments, the clamp at the root over half of the first: with
    // a whole segment a cantilever is wrong by 6 to 20 %. That of a coarse strand is stiffened. A
    // rod of circular cross section has EI/(rho A) = E r^2 / (4 rho).
    void prepare_material(int strand) {
        const int count = segment_count(strand);
        const float per_length = material_.density * kPi * material_.radius * material_.radius;
        float total = 0;
        for (int i = 0; i < count; ++i) total += clamped_length(strand, i);
        const float mean = count > 0 ? total / static_cast<float>(count) : kShortest;
        per_kg_.at(strand) = 1 / (per_length * mean);
        mean_.at(strand) = mean;
        const float stiffness = material_.youngs_modulus * material_.radius * material_.radius /
                                (4 * material_.density * mean);
        for (int i = 0; i <= count; ++i) {
            const float before = i > 0 ? clamped_length(strand, i - 1) : 0;
            const float after = i < count ? clamped_length(strand, i) : 0;
            const float shared = count > 0 ? 0.5f * (before + after) : kShortest;
            if (i == count) continue;
            const bool is_joint = i > 0 || (settings_.hold_roots && settings_.clamp_root);
            bend_.at(strand, i) = is_joint ? stiffness / shared : 0;
        }
        if (count < 1 || !(stiffness > 0)) return;
        // A strand bends most easily about the wide axis of its cross section.
        const float curving = norm(settings_.gravity) / (stiffness * mean * material_.aspect_ratio);
        bend_.at(strand, 0) *=
            rod::root_stiffening(count, clamped_length(strand, 0), total, curving);
    }

    int unpacked_floats() const override {
        return w_.empty() ? (anchor_body_bytes_.empty() ? 2 : 3) : 0;
    }
    void unpack_block(RodBlock& block, int b, float* memory) const override {
        const int rows = layout().rows(b);
        const std::size_t count = layout().values_per_component(b);
        float* const inertia = memory + count;
        const float* const mean = mean_.block(b);
        for (int lane = 0; lane < kLanes; lane += 4)
            find_masses(rows, mean + lane, block.length + lane, memory + lane, inertia + lane);
        block.w = memory;
        block.inertia = inertia;
        if (anchor_body_bytes_.empty()) return;
        block.anchor_body = inertia + count;
        const std::int8_t* const bodies = anchor_body_bytes_.block(b);
        for (std::size_t k = 0; k < count; ++k)
            block.anchor_body[k] = static_cast<float>(bodies[k]);
    }
    void repack_block(const RodBlock& block, int b) override {
        if (anchor_body_bytes_.empty()) return;
        std::int8_t* const bodies = anchor_body_bytes_.block(b);
        const std::size_t count = layout().values_per_component(b);
        for (std::size_t k = 0; k < count; ++k)
            bodies[k] = static_cast<std::int8_t>(block.anchor_body[k]);
    }
    std::span<std::byte> packed_memory() override {
        return anchor_body_bytes_.empty() ? std::span<std::byte>{}
                                          : anchor_body_bytes_.edit().memory_to_write();
    }
    // Computes masses from the lengths on both sides, four lanes at a time: the vector width that
    // every processor supports.
    void find_masses(int rows, const float* means, const float* length, float* w,
                     float* inertia) const {
        typedef float Four __attribute__((vector_size(16)));
        const auto load_four = [](const float* at) {
            Four out;
            std::memcpy(&out, at, sizeof out);
            return out;
        };
        const Four mean = load_four(means), none = {0, 0, 0, 0}, shortest = none + kShortest;
        Four before = none, there = none;  // there: not negative if the vertex exists
        for (int i = 0; i < rows; ++i) {
            const auto row = row_offset(i, 1);
            const Four here = load_four(length + row);
            const Four after = here >= none ? (here > shortest ? here : shortest) : none;
            const Four both = 0.5f * (before + after);
            Four own = there >= none ? mean / (both > none ? both : shortest) : none;
            if (i == 0 && settings_.hold_roots) own = none;
            if (settings_.hold_tips)
                own = ((before > none) & (here < none)) ? none + kHeldTip : own;
            const Four turning = here >= none ? after * after * after / (12 * mean) : none;
            std::memcpy(w + row, &own, sizeof own);
            std::memcpy(inertia + row, &turning, sizeof turning);
            before = after;
            there = here;
        }
    }
    void unpack_all() override {
        if (!w_.empty()) return;
        w_ = Channel<1>(length_.layout_ref());
        inertia_ = Channel<1>(length_.layout_ref());
        if (!anchor_body_bytes_.empty()) anchor_body_ = Channel<1>(length_.layout_ref());
        for (int b = 0; b < layout().block_count(); ++b) {
            const std::size_t count = layout().values_per_component(b);
            std::vector<float> memory(3 * count);
            RodBlock block{};
            block.length = length_.block(b);
            unpack_block(block, b, memory.data());
            std::copy_n(block.w, count, w_.block(b));
            std::copy_n(block.inertia, count, inertia_.block(b));
            if (!anchor_body_bytes_.empty())
                std::copy_n(block.anchor_body, count, anchor_body_.block(b));
        }
        anchor_body_bytes_ = {};
    }

    void prepare_ends(const StrandSet& rest, int strand) {
        root_.set_vec3(strand, rest.position.vec3(strand, 0));
        if (!holds_tip(strand)) return;
        const int last = segment_count(strand);
        tip_.set_vec3(strand, rest.position.vec3(strand, last));
        last_.at(strand) = static_cast<float>(last);
    }

    // The caller's frames, turned onto the segments; or by parallel transport from the root, so
    // that no twist is added to that of the groomed shape.
    void prepare_frames(const ModelStart& start, int strand) {
        const Quatf root = root_frame(start.rest, strand);
        Vec3f tangent = tangent_of(root);
        Quatf before{0, 0, 0, 1}, q = root;
        for (int i = 0; i < segment_count(strand); ++i) {
            if (start.frames) {
                q = start.frames->quat(strand, i);
                tangent = tangent_of(q);
            }
            const Vec3f along = unit_or(
                start.rest.position.vec3(strand, i + 1) - start.rest.position.vec3(strand, i),
                tangent);
            q = normalise(quat_between(tangent, along) * q);
            set_quat(rest_rotation_, strand, i, normalise(conjugate(before) * q));
            set_quat(q_, strand, i, normalise(start.head.rotation * q));
            tangent = along;
            before = q;
        }
    }

    // The frame that is transported to the first segment. The wide axis of an elliptic cross
    // section is the axis the strand curls about, so that it bends most easily in the direction of
    // its curl; that of a straight strand is horizontal. `section_angle` rotates it about the
    // strand.
    Quatf root_frame(const StrandSet& rest, int strand) const {
        if (material_.aspect_ratio >= 1 || segment_count(strand) < 1) return {0, 0, 0, 1};
        const auto segment = [&](int i) {
            return rest.position.vec3(strand, i + 1) - rest.position.vec3(strand, i);
        };
        const Vec3f along = unit_or(segment(0), Vec3f{0, 0, 1});
        Vec3f curl{0, 0, 0};
        for (int i = 0; i + 1 < segment_count(strand); ++i)
            curl += cross(unit_or(segment(i), along), unit_or(segment(i + 1), along));
        const Vec3f level = unit_or(cross(along, Vec3f{0, 1, 0}), Vec3f{1, 0, 0});
        const Vec3f about = norm(curl) > kStraight ? curl : level;
        const Vec3f wide = unit_or(about - along * dot(about, along), level);
        // Rotates z onto the strand, then x onto the wide axis.
        const Quatf tilt = quat_between({0, 0, 1}, along);
        const Vec3f x = rotate(tilt, {1, 0, 0}), y = rotate(tilt, {0, 1, 0});
        const float roll = atan2(dot(wide, y), dot(wide, x)) + material_.section_angle * kPi / 180;
        const SinCos<float> half = sin_cos(0.5f * roll);
        return normalise(tilt * Quatf{0, 0, half.sin, half.cos});
    }

    // Sag-free start. In equilibrium the force in a segment is the weight below it,
    // lambda_{i-1} = lambda_i + m_i g, and the torque of a joint balances the forces beyond it,
    // tau_i = tau_{i+1} + l d_i x lambda_i. The rest rotations are those for which the groomed pose
    // has these torques.
    void balance_gravity(const Rigidf& head, int strand) {
        const int count = segment_count(strand);
        std::vector<Vec3f> torques(static_cast<std::size_t>(count));
        Vec3f force{0, 0, 0}, torque{0, 0, 0};
        const float mean = mean_.at(strand);
        for (int i = count - 1; i >= 0; --i) {
            const float beyond = i + 1 < count ? clamped_length(strand, i + 1) : 0;
            const float w = i + 1 == count && settings_.hold_tips
                                ? kHeldTip
                                : mean / (0.5f * (clamped_length(strand, i) + beyond));
            force += settings_.gravity * (1 / w);
            torque += cross(tangent_of(quat_at(q_, strand, i)), force) * length_.at(strand, i);
            lambda_.set_vec3(strand, i, force);
            torques[static_cast<std::size_t>(i)] = torque;
        }
        support(strand, torques);
        for (int i = 0; i < count; ++i) {
            const float k = bend_.at(strand, i);
            if (k <= 0) continue;
            const Quatf q = quat_at(q_, strand, i);
            const Vec3f bent =
                rotation_under(stiffness_at(k, q), torques[static_cast<std::size_t>(i)]);
            const Quatf before = i > 0 ? quat_at(q_, strand, i - 1) : head.rotation;
            set_quat(rest_rotation_, strand, i,
                     normalise(conjugate(before) * exp_map(-bent, 3.0f) * q));
        }
    }

    // An equilibrium may be unstable: a strand groomed farther out or up than its stiffness permits
    // would tip over. On a head the surrounding hair supports it. Here joints are stiffened in
    // proportion to their load, by no more than necessary.
    void support(int strand, const std::vector<Vec3f>& torques) {
        if (!(settings_.rod.sag_free_safety > 0)) return;
        const std::size_t count = torques.size();
        std::vector<float> own(count), load(count);
        // Torque per radian of tilt, of the compressed segments beyond the joint.
        float compression = 0;
        for (std::size_t i = count; i-- > 0;) {
            const int at = static_cast<int>(i);
            const Vec3f d = tangent_of(quat_at(q_, strand, at));
            compression += length_.at(strand, at) * max(-dot(lambda_.vec3(strand, at), d), 0.0f);
            own[i] = bend_.at(strand, at);
            load[i] = (norm(torques[i]) + compression) / clamped_length(strand, at);
        }
        // Limits the curvature that the loads cause.
        const auto limit_curvature = [&](float curvature) {
            for (std::size_t i = 0; i < count; ++i)
                bend_.at(strand, static_cast<int>(i)) =
                    own[i] > 0 ? max(own[i], max(load[i] / curvature, norm(torques[i]))) : 0;
        };
        float low = 1e-2f, high = 1e5f;
        limit_curvature(high);
        if (is_stable(strand, torques)) return;
        for (int n = 0; n < 24; ++n) {
            const float middle = sqrt(low * high);
            limit_curvature(middle);
            (is_stable(strand, torques) ? low : high) = middle;
        }
        limit_curvature(low);
    }

    // Whether the groomed pose is a minimum of energy under sag_free_safety times gravity. For
    // small rotations a_i of the segments the energy is, to second order,
    //   (a_i - a_{i-1}).K_i(a_i - a_{i-1})/2 + tau_i.(a_{i-1} x a_i)/2     of the joints, and
    //   l ((lambda.d) a.a - (lambda.a)(d.a))/2                             of the weight.
    // At a minimum, block elimination from the tip has only positive definite pivots.
    bool is_stable(int strand, const std::vector<Vec3f>& torques) const {
        const float safety = settings_.rod.sag_free_safety;
        Sym3<float> from_child = isotropic(0.0f);
        for (std::size_t i = torques.size(); i-- > 0;) {
            const int at = static_cast<int>(i);
            const Quatf q = quat_at(q_, strand, at);
            const Vec3f d = tangent_of(q), lambda = lambda_.vec3(strand, at) * safety;
            const Vec3f load = lambda * length_.at(strand, at);
            const Sym3<float> k = stiffness_at(bend_.at(strand, at), q);
            const Sym3<float> weight =
                isotropic(dot(load, d)) - Sym3<float>{load.x * d.x,
                                                      0.5f * (load.x * d.y + load.y * d.x),
                                                      0.5f * (load.x * d.z + load.z * d.x),
                                                      load.y * d.y,
                                                      0.5f * (load.y * d.z + load.z * d.y),
                                                      load.z * d.z};
            const Sym3<float> pivot = k + weight + from_child;
            if (!is_positive(pivot)) return false;
            // Couples a_i to a_{i-1}: -K + [tau]x / 2.
            const Vec3f t = torques[i] * (0.5f * safety);
            const Mat3<float> across = {{-k.xx, -k.xy - t.z, -k.xz + t.y},
                                        {-k.xy + t.z, -k.yy, -k.yz - t.x},
                                        {-k.xz - t.y, -k.yz + t.x, -k.zz}};
            from_child = k - congruent(across, inverse(pivot));
        }
        return true;
    }

    // The strain of the joints at the start; damping acts on its change.
    void prepare_strain(const Rigidf& head, int strand) {
        if (strain_.empty()) return;
        Quatf before = head.rotation;
        for (int i = 0; i < segment_count(strand); ++i) {
            const Quatf q = quat_at(q_, strand, i);
            const Vec3f c = log_map(q * conjugate(before * quat_at(rest_rotation_, strand, i)));
            strain_.set_vec3(strand, i, rotate(conjugate(q), c));
            before = q;
        }
    }

    Sym3<float> stiffness_at(float k, Quatf q) const {
        RodUniforms shape{};
        set_section(shape);
        Sym3<float> out;
        rod::set_stiffness(out, shape, k, tangent_of(q), normal_of(q));
        return out;
    }

    // The rotation of a joint for a given torque, by 100 iterations with the maps of the kernel.
    // Rounding soon leads to a cycle, mostly of two values; whole cycles are skipped.
    static Vec3f rotation_under(const Sym3<float>& stiffness, Vec3f torque) {
        const auto same = [](Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
        const Sym3<float> compliance = inverse(stiffness);
        Vec3f angle{0, 0, 0}, seen = angle;
        int seen_at = 0, last = 100;
        for (int n = 1; n <= last; ++n) {
            const Vec3f c = log_map(exp_map(angle, 3.0f)), before = angle;
            angle += compliance * (torque - conjugate_torque(c, stiffness * c));
            angle = angle * min(kMaxSagRotation / max(norm(angle), kTiny), 1.0f);
            if (same(angle, before)) break;
            if (same(angle, seen)) last = n + (100 - n) % (n - seen_at);
            if ((n & (n - 1)) != 0) continue;
            seen = angle;
            seen_at = n;
        }
        return angle;
    }

    bool holds_tip(int strand) const { return settings_.hold_tips && segment_count(strand) > 0; }

    // For an ellipse with the ratio of axes e and the area of the circle, relative to the circle's
    // I: I is e about the wide axis and 1/e about the narrow one, and J is 4 / (e + 1/e). G is E /
    // (2 (1 + nu)).
    void set_section(RodUniforms& out) const {
        const float e = material_.aspect_ratio;
        out.about_wide = e;
        out.about_narrow = 1 / e;
        out.twist = 2 / ((e + 1 / e) * (1 + material_.poisson_ratio));
        out.kind = out.about_wide != out.about_narrow ? RodUniforms::any_section
                   : out.collider_count == 0          ? RodUniforms::without_bodies
                   : out.has_thin_bodies              ? RodUniforms::with_thin_bodies
                                                      : RodUniforms::with_bodies;
    }

    RodUniforms uniforms_for(const SubstepContext& context) const override {
        const float force_scale = (context.next_h / context.h) * (context.next_h / context.h);
        RodUniforms out{
            .stage = context.stage,
            .h = context.h,
            .span = context.span,
            .solves = settings_.rod.solves,
            .extra_solves = settings_.rod.extra_solves,
            .gravity = settings_.gravity,
            .force = settings_.force,
            .spin_decay = context.stage == StepStage::second
                              ? 1.0f
                              : exp(-slow_damping(settings_, kDragLength) * context.step),
            .about_wide = 1,
            .about_narrow = 1,
            .twist = 1,
            .rayleigh_rate = material_.damping / context.h,
            .long_rayleigh_rate = material_.damping / context.span,
            .force_scale = force_scale,
            .holds_roots = settings_.hold_roots,
            .holds_tips = settings_.hold_tips,
            .head = context.head,
            .contact_start = settings_.rod.contact_start,
            .contact_limit = max(settings_.rod.contact_limit, settings_.rod.contact_start),
            .colliders = context.colliders.data(),
            .collider_count = static_cast<int>(context.colliders.size()),
            .has_thin_bodies = context.has_thin_bodies,
            .kind = RodUniforms::without_bodies};
        set_section(out);
        return out;
    }

    RodBlock first_block(SimState& state, const SubstepContext& context,
                         ChannelAccess& access) override {
        return {.rows = 0,
                .x = access.edit(state.x),
                .v = access.edit(state.v),
                .q = access.edit(q_),
                .omega = access.edit(omega_),
                .lambda = access.edit(lambda_),
                .strain = access.edit(strain_),
                .hardness = access.edit(hardness_),
                .anchor = access.edit(anchor_),
                .anchor_body = access.edit(anchor_body_),
                .recent_contact = access.edit(recent_contact_),
                .falls_back = access.edit(falls_back_),
                .w = access.read(w_),
                .length = access.read(length_),
                .bend = access.read(bend_),
                .inertia = access.read(inertia_),
                .rest_rotation = access.read(rest_rotation_),
                .gap = access.read(gap_),
                .root = access.read(root_),
                .pose = access.read(context.root_poses),
                .tip = access.read(tip_),
                .last = access.read(last_),
                .per_kg = access.read(per_kg_),
                .meets_strand = access.read(context.meeting_strands),
                .scratch = nullptr,
                .repaired = access.edit(repaired_),
                .strain_limited = access.edit(strain_limited_),
                .x_out = access.second_buffer(state.x),
                .v_out = access.second_buffer(state.v),
                .q_out = access.second_buffer(q_),
                .omega_out = access.second_buffer(omega_),
                .lambda_out = access.second_buffer(lambda_),
                .near = access.temporary_like(gap_)};
    }

    SimSettings settings_;
    RodSettings material_;  // with the dials applied
    Channel<3> omega_, lambda_, strain_, anchor_;
    Channel<4> q_, rest_rotation_;
    Channel<1> length_, bend_, gap_, hardness_;
    Channel<1> w_, inertia_, anchor_body_;       // empty: unpacked for each block
    Channel<1, std::int8_t> anchor_body_bytes_;  // anchor_body_ in compact form
    StrandChannel<3> root_, tip_;
    StrandChannel<1> last_, recent_contact_, falls_back_, per_kg_, mean_;
};

std::unique_ptr<Model> make_model(const ModelStart& start) {
    return std::make_unique<SolverRod>(start);
}

constexpr ModelProfile kProfile = {
    .end_mass = 0.5,
    .has_si_stiffness = true,
    .order = 2,
    .stiff_label = "hair",
    .prepare = [](SimSettings& settings) { settings.rod.sag_free = false; },
    .make_limp = [](SimSettings& settings) { settings.rod.youngs_modulus = 1; },
    .make_sag_free = [](SimSettings& settings) { settings.rod.sag_free = true; },
    .set_effort = [](SimSettings& settings, int n) { settings.rod.solves = n; },
    .efforts = {1, 2, 3},
    .set_stiffness = [](SimSettings& settings,
                        float along) { settings.rod.youngs_modulus *= six_decades(along); }};

constexpr ModelClaim kClaims[] = {
    {"hanging_chain",
     "its segments have the rotational inertia m l^2/12, which the reference chain has not: the "
     "third mode of 32 segments is 1.1 % slower",
     "mode 3", 0.02},
};

}  // namespace

const ModelEntry kModelRod = {
    .name = "rod",
    .description =
        "elastic rod in SI units: bending and twist of segments with frames, solved directly",
    .make = make_model,
    .substeps = 2,
    .profile = kProfile,
    .claims = kClaims};

}  // namespace ringlet
