// What a vertex of a shell or fin tells its pixels.
layout(location = 0) VARYING vec4 place;  // at the skin, in the pelt's frame, in cells; w: tone
layout(location = 1) VARYING vec4 coat_uv_height;  // uv, height from 0 to 1, opacity
layout(location = 2) VARYING vec3 diffuse;
layout(location = 3) VARYING vec3 sheen;
layout(location = 4) VARYING vec3 glow;
