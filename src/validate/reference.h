// Theoretical results as tables, computed independently of Ringlet in double precision, by shooting
// or by a determinant. Each table states its equation.
#pragma once

namespace ringlet {

// Heavy elastica, clamped level: theta'' = -Gamma (1 - s) cos theta; drop over reach of the tip.
// `discrete` is the exact equilibrium of the chain of 32 segments (0: not tabulated), whose clamp
// is a joint of half a segment and whose tip has half the mass.
struct ElasticaRow {
    double gamma, continuum, discrete;
};
inline constexpr ElasticaRow kElastica[] = {
    {0.1, 0.01249955, 0.01251176},   {0.2, 0.02499643, 0},
    {0.5, 0.06244446, 0.06250543},   {1, 0.12456177, 0.12468334},
    {2, 0.24667321, 0.24691383},     {3, 0.36462083, 0},
    {5, 0.58572118, 0.58630358},     {7, 0.78856458, 0},
    {10, 1.06680232, 1.06798469},    {15, 1.48431556, 0},
    {20, 1.86393014, 1.86665227},    {30, 2.54721393, 0},
    {50, 3.70556099, 3.71573332},    {70, 4.67225184, 0},
    {100, 5.88810462, 5.91833392},   {150, 7.53645588, 0},
    {200, 8.90677073, 8.99687712},   {250, 10.10473440, 0},
    {300, 11.18311622, 0},           {500, 14.76880345, 15.15661346},
    {1000, 21.33544050, 22.56273182}};

// A rod of natural curvature kappa0 in a plane, clamped with its tangent vertical, hanging: the
// kappa0 L beyond which it leaves that plane (linear stability of the planar shape).
struct BendTwistRow {
    double poisson_ratio, gamma, critical;
};
inline constexpr BendTwistRow kBendTwist[] = {
    {0, 20, 6.40172},      {0, 30, 6.74864},      {0, 50, 7.49949},     {0, 100, 9.06868},
    {0, 200, 11.32689},    {0, 500, 15.36565},    {0, 1000, 19.35951},  {0.3, 20, 5.88223},
    {0.3, 30, 6.13680},    {0.3, 50, 6.74004},    {0.3, 100, 8.08452},  {0.3, 200, 10.07511},
    {0.3, 500, 13.66510},  {0.3, 1000, 17.21694}, {0.45, 13, 5.76684},  {0.45, 14, 5.68248},
    {0.45, 15, 5.64517},   {0.45, 17, 5.62428},   {0.45, 20, 5.64951},  {0.45, 25, 5.74840},
    {0.45, 30, 5.87428},   {0.45, 40, 6.14976},   {0.45, 50, 6.42912},  {0.45, 70, 6.96498},
    {0.45, 100, 7.69212},  {0.45, 150, 8.72186},  {0.45, 200, 9.57911}, {0.45, 300, 10.95809},
    {0.45, 500, 12.99155}, {0.45, 1000, 16.36832}};

// Weight per length times L^3 over EI at which a clamped upright column buckles: the first zero of
// J_{-1/3}(2/3 sqrt(x)).
inline constexpr double kSelfBuckling = 7.83735;

// Weight per length times L^3 over sqrt(EI_min GJ) at which a level clamped blade, standing on
// edge, buckles sideways: the first zero of a series in its square (Prandtl).
inline constexpr double kLateralBuckling = 12.853763;

// A rod clamped upright above a plane with friction, whose clamp is lowered: the displacement over
// the length at which its foot slips (elastica with a hinged foot; the force is inclined by arctan
// mu).
struct StickSlipRow {
    double friction, lowered;
};
inline constexpr StickSlipRow kStickSlip[] = {{0.1, 0.0471}, {0.2, 0.1549}, {0.3, 0.2715}};

// A chain held at both ends at the same height: sag over length, by distance over length.
struct CatenaryRow {
    double distance, sag;
};
inline constexpr CatenaryRow kCatenary[] = {{0.1, 0.48901212}, {0.2, 0.47283367}, {0.3, 0.45245383},
                                            {0.5, 0.39819418}, {0.7, 0.31972049}, {0.8, 0.26543751},
                                            {0.9, 0.19070900}, {0.95, 0.13589750}};

// Height over length of a hanging helix of pitch angle alpha0 (degrees) at rest, nu = 0.45, against
// W = w L / (B (kappa0^2 + tau0^2)): each point extends like a uniform helix under the weight below
// it. Accurate for many turns; neglects the ends.
struct HelixRow {
    double alpha0, w, height;
};
inline constexpr HelixRow kHelix[] = {
    {5, 0.01, 0.094319},  {5, 0.03, 0.108547},  {5, 0.1, 0.157095},  {5, 0.3, 0.281681},
    {5, 1, 0.564918},     {5, 3, 0.835394},     {5, 10, 0.950424},   {5, 100, 0.995040},
    {10, 0.01, 0.180586}, {10, 0.03, 0.194287}, {10, 0.1, 0.240301}, {10, 0.3, 0.354320},
    {10, 1, 0.602895},    {10, 3, 0.841276},    {10, 10, 0.951677},  {10, 100, 0.995154},
    {20, 0.01, 0.348144}, {20, 0.03, 0.360117}, {20, 0.1, 0.399290}, {20, 0.3, 0.491330},
    {20, 1, 0.680351},    {20, 3, 0.861584},    {20, 10, 0.956432},  {20, 100, 0.995591}};

// omega sqrt(L/g) of a hanging chain: half the zeros of J0; and of chains of equal segments and
// masses, with a tip of half or full mass.
inline constexpr double kChain[3] = {1.202413, 2.760039, 4.326864};
struct DiscreteChainRow {
    int segments;
    double half_tip[3], full_tip[3];
};
inline constexpr DiscreteChainRow kDiscreteChain[] = {
    {8, {1.196874, 2.608867, 3.792693}, {1.167149, 2.688794, 4.243665}},
    {16, {1.201023, 2.718700, 4.089476}, {1.184226, 2.720871, 4.272812}},
    {32, {1.202065, 2.749679, 4.261317}, {1.193172, 2.739495, 4.296546}}};

// Period of a pendulum over that of small oscillations, 1/AGM(1, cos(theta/2)).
struct PendulumRow {
    double degrees, ratio;
};
inline constexpr PendulumRow kPendulum[] = {{10, 1.00190719}, {20, 1.00766903}, {30, 1.01740880},
                                            {45, 1.03997334}, {60, 1.07318201}, {90, 1.18034060},
                                            {120, 1.37288050}};

// omega = b sqrt(EI/(rho A L^4)) of a clamped beam: cos k cosh k = -1, b = k^2.
inline constexpr double kBeam[3] = {3.51601527, 22.03449156, 61.69721441};

}  // namespace ringlet
