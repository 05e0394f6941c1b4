#version 450 core
// Blends the layer of strands, premultiplied colour and transmittance, over the image.
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(binding = kInputUnit) uniform sampler2D layer;
layout(binding = kResolvedImage, rgba16f) uniform image2D resolved;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(resolved)))) return;
    vec4 strands = texelFetch(layer, at, 0);
    if (strands == vec4(0, 0, 0, 1)) return;
    imageStore(resolved, at, vec4(strands.rgb + strands.a * imageLoad(resolved, at).rgb, 1));
}
