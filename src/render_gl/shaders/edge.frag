#version 450 core
// From the depths of a pixel's samples: the farthest, against which strands are tested, the nearest,
// and the share of the samples that lie in front of the middle between the two. So strands behind
// the edge of a body are hidden by just as much of the pixel as the body covers.
layout(binding = 8) uniform sampler2DMS depths;
layout(location = 0) uniform int samples;
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
