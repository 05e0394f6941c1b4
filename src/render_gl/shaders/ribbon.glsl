// Widens a point of a strand to the two corners of a ribbon that faces the camera. Needs frame.glsl,
// curve.glsl and coverage.glsl before it.
struct RibbonEnd {
    vec4 clip;
    vec2 offset;          // to the left corner, in clip coordinates; the right one is its negative
    float reach, radius;  // distance of the corners from the centre line; strand radius; pixels
    vec2 footprint;       // widths of the two boxes of a pixel's profile across the strand
};

RibbonEnd ribbon_end(Point p) {
    RibbonEnd end;
    end.clip = frame.view_projection * vec4(p.position, 1);
    vec4 onward = frame.view_projection * vec4(p.tangent, 0);
    vec2 direction = (onward.xy * end.clip.w - end.clip.xy * onward.w) * frame.viewport.xy;
    float run = length(direction);
    direction = run > 1e-12 ? direction / run : vec2(1, 0);
    vec2 normal = vec2(-direction.y, direction.x);
    end.radius = p.radius * frame.viewport.z / max(end.clip.w, frame.eye.w);
    end.footprint = pixel_boxes(normal);
    // Wide enough for every pixel the strand touches. Lines have no width.
    end.reach = end.radius + (end.footprint.x + end.footprint.y) * frame.viewport.w;
    end.offset = normal * end.reach * 2.0 / frame.viewport.xy * end.clip.w * (1.0 - frame.raster.z);
    return end;
}
