// The rows of a strand as the rod's solve reads them: the vertex, the segment and the joint of a
// row, from the channels or prefetched (strand/row_stream.h).
//
// W is the inverse mass of a vertex (F: without bodies; Sym3: some vertex of the block may be in
// contact; Same3: with bodies, but no vertex of the block is in contact).
#pragma once

#include <type_traits>

#include "sim/models/rod_contact.h"

namespace ringlet::rod {

// Inverse mass and displacement without internal forces of a vertex, in contact or not. `at` is a
// row or a VertexView.
template <class At, class F>
RINGLET_KERNEL void get_mass(const At&, F own, Vec3<F> move, F& w, Vec3<F>& u) {
    w = own;
    u = move;
}
template <class At, class F>
RINGLET_KERNEL void get_mass(const At&, F own, Vec3<F> move, Same3<F>& w, Vec3<F>& u) {
    w = {own};
    u = move;
}
template <class At, class F>
RINGLET_KERNEL void get_mass(const At& at, F own, Vec3<F> move, Sym3<F>& w, Vec3<F>& u) {
    w = isotropic(own);
    u = move;
    if (!any(at.in_contact() > F(0))) return;
    const ContactMass<F> contact_mass = at.contact_mass();
    w = contact_mass.w;
    u = contact_mass.u;
}

// A vertex in the solve: its inverse mass, and its displacement under `pull`, lambda_{i-1} -
// lambda_i. Held vertices have w = 0.
template <class F, class W>
struct Vertex {
    W w;
    Vec3<F> moved;

    template <class At>
    RINGLET_KERNEL Vertex(const RodUniforms& p, const At& at, Vec3<F> pull) {
        const F own = at.w();
        Vec3<F> u;
        const Strand<F>& s = at.strand;
        get_mass(at, own * s.w_scale, free_move(p, s, at.row, at.x(), at.v(), own, s.h), w, u);
        moved = u - times(w, pull);
    }
};

// A vertex in the channels of its strand.
template <class F>
struct VertexView {
    const Strand<F>& strand;
    int row;

    RINGLET_KERNEL Vec3<F> x() const { return strand.x[row]; }
    RINGLET_KERNEL Vec3<F> v() const { return strand.v[row]; }
    RINGLET_KERNEL Quat<F> q_start() const { return strand.q_start[row]; }
    RINGLET_KERNEL Vec3<F> omega() const { return strand.omega[row]; }
    RINGLET_KERNEL F w() const { return strand.w[row]; }
    RINGLET_KERNEL F length() const { return strand.length[row]; }
    RINGLET_KERNEL F in_contact() const { return strand.in_contact[row]; }
    RINGLET_KERNEL ContactMass<F> contact_mass() const { return strand.contact_mass[row]; }
};

template <class F>
RINGLET_KERNEL Quat<F> rotated_freely(const RodUniforms& p, const Strand<F>& s, Quat<F> q_start,
                                      Vec3<F> omega) {
    return renormalise(exp_map(omega * (s.h * F(p.spin_decay)), F(3)) * q_start);
}

// A segment with the vertex and the joint at its root end, as both passes of a solve read it.
template <class F, class W>
struct SolveRow : RowView<Strand<F>> {
    static constexpr bool kMayTouch = std::is_same_v<W, Sym3<F>>;
    enum { kX, kV = 3, kLambda = 6, kStart = 9, kW = 13, kBend, kLength, kInContact, kContactMass };
    enum {
        kOwn = kMayTouch ? kContactMass + kRodContactMassScratch : kInContact
    };  // first float that belongs to one pass only

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.x, kX);
        visit(s.v, kV);
        visit(s.lambda, kLambda);
        visit(s.q_start, kStart);
        visit(s.w, kW);
        visit(s.bend, kBend);
        visit(s.length, kLength);
        if constexpr (kMayTouch) visit(s.in_contact, kInContact);
    }
    RINGLET_KERNEL static bool has_more(const Strand<F>& s, int row) requires kMayTouch {
        return any(s.in_contact[row] > F(0));
    }
    template <class Visit>
    RINGLET_KERNEL static void visit_more(const Strand<F>& s, const Visit& visit) {
        visit(s.contact_mass, kContactMass);
    }
    RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v, kV); }
    RINGLET_KERNEL Vec3<F> lambda() const { return this->get(this->strand.lambda, kLambda); }
    RINGLET_KERNEL Quat<F> q_start() const { return this->get(this->strand.q_start, kStart); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
    RINGLET_KERNEL F bend() const { return this->get(this->strand.bend, kBend); }
    RINGLET_KERNEL F length() const { return this->get(this->strand.length, kLength); }
    RINGLET_KERNEL F in_contact() const { return this->get(this->strand.in_contact, kInContact); }
    RINGLET_KERNEL ContactMass<F> contact_mass() const {
        return this->get(this->strand.contact_mass, kContactMass);
    }
};

// A row of the pass from root to tip. The first solve of a substep starts from the torque-free
// frames, the others from the current ones. A GPU recomputes the torque-free frames in each solve,
// which is faster than loading them.
template <class F, bool kFirst, class W>
struct ForwardRow : SolveRow<F, W> {
    using Common = SolveRow<F, W>;
    enum { kRestRotation = Common::kOwn, kOmega = kRestRotation + 4, kInertia = kOmega + 3, kQ };
    enum { kFloats = kFirst ? kQ : kQ + 4 };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        Common::visit(s, visit);
        visit(s.rest_rotation, kRestRotation);
        visit(s.omega, kOmega);
        visit(s.inertia, kInertia);
        if (!s.template is_first<kFirst>()) visit(s.q, kQ);
    }
    RINGLET_KERNEL Quat<F> rest_rotation() const {
        return this->get(this->strand.rest_rotation, kRestRotation);
    }
    RINGLET_KERNEL F inertia() const { return this->get(this->strand.inertia, kInertia); }
    RINGLET_KERNEL Vec3<F> omega() const { return this->get(this->strand.omega, kOmega); }

    RINGLET_KERNEL void get_frames(const RodUniforms& p, Quat<F>& q, Quat<F>& q_free) const {
        const Strand<F>& s = this->strand;
        if constexpr (kFirst || kOnGpu)
            q_free = rotated_freely(p, s, this->q_start(), omega());
        else
            q_free = s.q_free[this->row];
        if constexpr (kFirst && !kOnGpu) s.q_free.set(this->row, q_free);
        q = q_free;
        if (!s.template is_first<kFirst>()) q = this->get(s.q, kQ);
    }
};

// A row of the pass from tip to root.
template <class F, bool kFirst, class W>
struct BackwardRow : SolveRow<F, W> {
    using Common = SolveRow<F, W>;
    enum { kFactor = Common::kOwn, kQ = kFactor + 27, kOmega = kQ, kFloats = kQ + 4 };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.factor, kFactor);
        if (s.template is_first<kFirst>())
            visit(s.omega, kOmega);
        else
            visit(s.q, kQ);
        Common::visit(s, visit);
    }
    RINGLET_KERNEL EliminatedRow<F> factor() const {
        return this->get(this->strand.factor, kFactor);
    }
    RINGLET_KERNEL Quat<F> q(const RodUniforms& p) const {
        const Strand<F>& s = this->strand;
        if (!s.template is_first<kFirst>()) return this->get(s.q, kQ);
        if constexpr (kOnGpu)
            return rotated_freely(p, s, this->q_start(), omega());
        else
            return s.q_free[this->row];
    }
    RINGLET_KERNEL Vec3<F> omega() const {
        const Strand<F>& s = this->strand;
        return s.template is_first<kFirst>() ? this->get(s.omega, kOmega) : s.omega[this->row];
    }
};
static_assert(BackwardRow<float, true, Sym3<float>>::kFloats * kStreamSlots ==
              RodBlock::kPrefetchFloats);

}  // namespace ringlet::rod
