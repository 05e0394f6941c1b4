// The values that vertices of shells and fins pass to fragments. Shells seen edge-on are slivers that
// often miss the pixel's centre, hence `centroid`.
layout(location = 0) centroid VARYING vec4 skin_point;  // in the pelt's coordinates, cells; w: tone
layout(location = 1) centroid VARYING vec4 coat_uv_height;  // uv, height from 0 to 1, opacity
layout(location = 2) centroid VARYING vec3 diffuse;
layout(location = 3) centroid VARYING vec3 sheen;
layout(location = 4) centroid VARYING vec3 glow;
// The way of a ray from one shell to the next: across the strands and along them, in cells.
layout(location = 5) centroid VARYING vec2 way;
layout(location = 6) flat VARYING float hides_skin;  // 1 on the innermost shell, otherwise 0
