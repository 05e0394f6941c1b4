// The values that vertices of shells and fins pass to fragments. Shells seen edge-on are slivers that
// often miss the pixel's centre, hence `centroid`.
layout(location = 0) centroid VARYING vec4 skin_point;  // in the pelt's coordinates, cells; w: tone
layout(location = 1) centroid VARYING vec4 coat_uv_height;  // uv, height from 0 to 1, whether fur grows
layout(location = 2) centroid VARYING vec3 diffuse;
layout(location = 3) centroid VARYING vec3 sheen;
layout(location = 4) centroid VARYING vec3 glow;
// From one shell to the next, per area of skin on screen: the length of strands seen from the side,
// in cells, and the share of the coat's length by which cross-sections grow.
layout(location = 5) centroid VARYING vec2 way;
layout(location = 8) centroid VARYING float growth;  // of the area, as area_growth()
layout(location = 7) centroid VARYING float seen;  // opacity by the angle of view
layout(location = 6) flat VARYING float hides_skin;  // 1 on the innermost shell, otherwise 0
