// The surface of skin and clay. Valid in GLSL and in C++ (picture/studio.h), so that all renderers
// share it.
const float kSkinRoughness = 0.45f;
const float kSkinReflectance = 0.032f;  // at normal incidence
// Skin has a broad highlight and a tighter, weaker one from its oil.
const float kOilShare = 0.15f, kOilRoughness = 0.75f * kSkinRoughness;
