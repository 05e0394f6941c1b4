// Multiple scattering in a volume that scatters light evenly. Valid in GLSL and in C++
// (tests/render/soft_light_test.cpp). The power and kBehindDepth are fitted to the exact solution for
// a half space in even light (Chandrasekhar 1960, chapter 5), which the test compares.

// Forward-scattered light comes from this depth behind a strand, in mean free paths of the volume.
const float kBehindDepth = 0.5f;
// The grid does not hold the colours of meshes; most are skin.
const float kMeshAlbedo = 0.5f;

// All light over unscattered light at a point, averaged over all directions. Light arrives
// unscattered from the share `open` of the directions and meets a mesh in the share `mesh`; in the
// others there is hair. Hair and mesh are lit in the same way as the point. White hair returns all
// light, and black hair none.
float scattering_gain(float open, float mesh, float albedo) {
    float lost = pow(max(1.0f - albedo, 0.0f), 0.75f), shown = min(mesh, 1.0f - open);
    float left = open + (1.0f - open - shown) * lost + shown * (1.0f - kMeshAlbedo);
    return 1.0f / max(left, 1e-4f);
}
