#version 450 core
// Reduces the depths of a pixel's samples to the farthest, against which strands are tested, the
// nearest, and the share of samples in front of the middle between the two. A mesh edge then hides
// strands behind it by the share of the pixel that the mesh covers.
layout(binding = kInputUnit) uniform sampler2DMS depths;
layout(location = kSampleCountUniform) uniform int samples;
layout(location = 0) out vec2 edge;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float near = 1.0, far = 0.0;
    for (int i = 0; i < samples; ++i) {
        float depth = texelFetch(depths, at, i).x;
        near = min(near, depth);
        far = max(far, depth);
    }
    float covered = 0.0;
    for (int i = 0; i < samples; ++i)
        covered += texelFetch(depths, at, i).x < 0.5 * (near + far) ? 1.0 : 0.0;
    edge = vec2(near, covered / float(samples));
    gl_FragDepth = far;
}
