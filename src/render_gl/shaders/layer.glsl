// The layer that strands are drawn into. It shows a rectangle of the image with several pixels per pixel
// of the image and side. Its rows follow each other in a texture of any width.
layout(location = kLayerBoxUniform) uniform ivec4 layer_box;  // low corner in the image; size in pixels
                                                              // of the layer
layout(location = kLayerScaleUniform) uniform int layer_scale;  // a power of two, up to kTilePixels

// The texel of a pixel of the layer. Every pixel of a tile has one, also outside the layer.
ivec2 texel_in_layer(ivec2 pixel, int texture_width) {
    int row = (layer_box.z + kTilePixels - 1) / kTilePixels * kTilePixels;
    int i = pixel.y * row + pixel.x;
    return ivec2(i % texture_width, i / texture_width);
}
