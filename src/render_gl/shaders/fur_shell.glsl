// What a vertex of a shell or fin tells its pixels. Layers seen edge on are slivers: a pixel's
// middle may be far beyond them.
layout(location = 0) centroid VARYING vec4 place;  // at the skin, in the pelt's frame, in cells; w: tone
layout(location = 1) centroid VARYING vec4 coat_uv_height;  // uv, height from 0 to 1, opacity
layout(location = 2) centroid VARYING vec3 diffuse;
layout(location = 3) centroid VARYING vec3 sheen;
layout(location = 4) centroid VARYING vec3 glow;
