// The values that vertices of shells and fins pass to fragments. Shells seen edge-on are slivers that
// often miss the pixel's centre, hence `centroid`.
layout(location = 0) centroid VARYING vec4 skin_point;  // in the pelt's coordinates, cells; w: tone
layout(location = 1) centroid VARYING vec4 coat_uv_height;  // uv, height from 0 to 1, opacity
layout(location = 2) centroid VARYING vec3 diffuse;
layout(location = 3) centroid VARYING vec3 sheen;
layout(location = 4) centroid VARYING vec3 glow;
