// The longitudinal part of the fibre model. Valid in GLSL and in C++
// (tests/render/fibre_lobes_test.cpp).

// exp(-x) I0(x) for x >= 0, the modified Bessel function of order 0 (Olivares et al. 2018), within 0.2 %.
float scaled_bessel(float x) {
    float x2 = x * x;
    return 0.5f * (1.0f + exp(-2.0f * x)) * (1.0f + 0.24273f * x2) /
           (sqrt(sqrt(1.0f + 0.25f * x2)) * (1.0f + 0.43023f * x2));
}

// spread_along() of shade/fibre.h for a direction whose inclination is `tilt` less than that of
// (sin_in, cos_in).
float tilted_spread(float sin_in, float cos_in, float sin_out, float cos_out, float tilt,
                    float variance) {
    float s = sin(tilt), c = cos(tilt);
    float a = abs(cos_in * c + sin_in * s) * cos_out;
    float b = (sin_in * c - cos_in * s) * sin_out;
    return scaled_bessel(a / variance) * exp((a - b - 1.0f) / variance) /
           (variance * (1.0f - exp(-2.0f / variance)));
}
