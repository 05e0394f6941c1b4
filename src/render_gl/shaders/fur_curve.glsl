// The curves of fur/shell_curve.h, with their tangents.
struct CurvePoint {
    vec3 position, tangent;
};

// p_{i+1} - p_i = n + i d: starts along the normal and ends at the tip. Segments differ in length.
CurvePoint original_curve(Tuft tuft, float m, float i) {
    vec3 n = tuft.normal * (tuft.length / m);
    vec3 d = (tuft.towards * tuft.length - m * n) * (2.0 / (m * m - m));
    return CurvePoint(tuft.root + i * n + (0.5 * i * (i - 1.0)) * d, normalize(n + (i - 1.0) * d));
}

// An arc of m equal segments whose chord points to the tip.
CurvePoint arc_curve(Tuft tuft, float m, float i) {
    float along = dot(tuft.normal, tuft.towards);
    vec3 aside = tuft.towards - tuft.normal * along;
    float across = length(aside);
    vec3 side = across > 1e-6 ? aside / across : vec3(0);
    float turn = atan(across, along) / m;  // half the angle between segments, radians
    bool straight = turn < 1e-4;
    float radius = 0.5 / (straight ? 1.0 : sin(turn));
    float out_of = straight ? i : sin(2.0 * i * turn) * radius;
    float off = straight ? i * i * turn : (1.0 - cos(2.0 * i * turn)) * radius;
    float angle = (2.0 * i - 1.0) * turn;
    return CurvePoint(tuft.root + (tuft.length / m) * (tuft.normal * out_of + side * off),
                      tuft.normal * cos(angle) + side * sin(angle));
}
