// A studio backdrop: a wall lit from behind the subject, and a floor that blends into it. `screen` is
// the place in the image, from -1 to 1, upwards. Needs frame.glsl, opacity.glsl, light.glsl and
// studio.glsl before it.
vec3 wall(vec2 screen) {
    float aspect = frame.viewport.x / frame.viewport.y;
    vec4 middle = frame.view_projection * vec4(frame.subject.xyz, 1);
    vec2 centre = middle.w > 0.0 ? clamp(middle.xy / middle.w, -1.0, 1.0) : vec2(0);
    return wall_light(screen, centre, aspect, frame.background.rgb);
}

// The share of light left on the floor by the subject's cast shadow and contact shadow.
vec3 floor_shade_at(vec3 p) {
    float key = 1.0;
    if (frame.ground.z > 0.5) {
        vec3 at = to_light_map(kKeyLamp, p);
        vec2 inside = smoothstep(vec2(0), vec2(0.04), min(at.xy, 1.0 - at.xy));
        // Shadows blur with the distance from the subject.
        float blur = 1.0 + 3.0 * smoothstep(0.2, 2.0, length(p.xz - frame.subject.xz) /
                                                          frame.subject.w);
        float strands = 0.0, cover = 0.0;
        float texel = exp2(blur) * 0.6 / float(textureSize(cover_map, 0).x);
        for (int i = 0; i < 4; ++i) {
            vec2 uv = at.xy + (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel;
            strands += 0.25 * textureLod(opacity_map, vec3(uv, kKeyLamp), blur).x;
            cover += 0.25 * textureLod(cover_map, uv, blur).x;
        }
        float blocked = 1.0 - (1.0 - cover) * exp(-1.4 * strands);
        key = 1.0 - blocked * inside.x * inside.y;
    }
    vec2 uv = (p.xz - frame.contact.xy) * frame.contact.z;
    vec2 within = smoothstep(vec2(0), vec2(0.06), min(uv, 1.0 - uv));
    float contact = 0.45 * textureLod(contact_map, uv, 2.0).x +
                    0.75 * textureLod(contact_map, uv, 4.3).x;
    contact = clamp(contact * within.x * within.y, 0.0, 1.0);
    return floor_shade(key, contact);
}

vec3 backdrop(vec2 screen) {
    if (frame.ground.w > 0.5) return vec3(0);
    vec3 lit = wall(screen);
    vec3 ray = frame.camera_forward.xyz + screen.x * frame.camera_right.xyz +
               screen.y * frame.camera_up.xyz;
    float drop = frame.ground.x - frame.eye.y;
    if (frame.ground.y > 0.5 && ray.y * drop > 0.0 && abs(ray.y) > 1e-5) {
        vec3 p = frame.eye.xyz + ray * (drop / ray.y);
        float distance = length(p.xz - frame.subject.xz) / frame.subject.w;
        lit *= floor_over_wall(distance, floor_shade_at(p));
    }
    return lit;
}
