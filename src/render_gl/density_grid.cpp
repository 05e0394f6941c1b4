#include "render_gl/density_grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kCellsAcross = 36;  // along the longest side of a head, at most
// With many heads the cells grow instead: soft light may not cost more than the strands.
constexpr float kMaxCells = 150'000;
constexpr int kMargin = 2;  // empty cells all around
constexpr std::size_t kMaxDeposits = 150'000;
// A surface has to look opaque to a grid that knows only densities: the depth of one crossing is
// about a quarter of this.
constexpr float kSurfaceWeight = 6;

// Faces and corners of the cube: enough directions for soft light.
constexpr std::array<std::array<int, 3>, 14> kDirections = {{{1, 0, 0},
                                                             {-1, 0, 0},
                                                             {0, 1, 0},
                                                             {0, -1, 0},
                                                             {0, 0, 1},
                                                             {0, 0, -1},
                                                             {1, 1, 1},
                                                             {-1, 1, 1},
                                                             {1, 1, -1},
                                                             {-1, 1, -1},
                                                             {1, -1, 1},
                                                             {-1, -1, 1},
                                                             {1, -1, -1},
                                                             {-1, -1, -1}}};

std::uint8_t to_byte(float a) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(a, 0.0f, 1.0f) * 255));
}

Texture make_texture_3d(GLenum format, glm::ivec3 cells) {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_3D, 1, &name);
    glTextureStorage3D(name, 1, format, cells.x, cells.y, cells.z);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTextureParameteri(name, axis, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return Texture(name);
}

}  // namespace

void DensityGrid::fit(const Subject& subject) {
    const glm::vec3 low = to_glm(subject.bounds.low), high = to_glm(subject.bounds.high);
    const glm::vec3 extent = glm::max(high - low, glm::vec3(0.01f));
    const float longest =
        std::min(std::max({extent.x, extent.y, extent.z}), std::max(subject.head_size, 0.01f));
    const float least = std::cbrt(extent.x * extent.y * extent.z / kMaxCells);
    // Steps of a quarter octave and whole cells from the world's origin: the grid does not swim.
    const float wanted = std::max(longest / (kCellsAcross - 2 * kMargin - 1), least);
    cell_ = std::exp2(std::ceil(std::log2(wanted) * 4) / 4);
    const glm::ivec3 first = glm::ivec3(glm::floor(low / cell_)) - kMargin;
    const glm::ivec3 last = glm::ivec3(glm::ceil(high / cell_)) + kMargin;
    origin_ = glm::vec3(first) * cell_;
    cells_ = glm::max(last - first, glm::ivec3(2 * kMargin + 1));
    const std::size_t total = static_cast<std::size_t>(cells_.x) *
                              static_cast<std::size_t>(cells_.y) *
                              static_cast<std::size_t>(cells_.z);
    hair_.assign(total, 0);
    body_.assign(total, 0);
    rim_.assign(total, 0);
    rim_hair_.assign(total, 0);
    depths_.resize(kDirections.size());
    hair_depths_.resize(kDirections.size());
    for (std::size_t i = 0; i < kDirections.size(); ++i) {
        depths_[i].assign(total, 0);
        hair_depths_[i].assign(total, 0);
    }
}

// Spread over the eight nearest cell centres, so that moving hair changes the grid smoothly.
void DensityGrid::deposit(std::vector<float>& field, glm::vec3 at, float amount) const {
    const glm::vec3 place = (at - origin_) / cell_ - 0.5f;
    const glm::vec3 low = glm::floor(place);
    const glm::vec3 f = place - low;
    const glm::ivec3 i = glm::ivec3(low);
    if (i.x < 0 || i.y < 0 || i.z < 0 || i.x + 1 >= cells_.x || i.y + 1 >= cells_.y ||
        i.z + 1 >= cells_.z)
        return;
    for (int dz = 0; dz < 2; ++dz)
        for (int dy = 0; dy < 2; ++dy)
            for (int dx = 0; dx < 2; ++dx)
                field[index(i.x + dx, i.y + dy, i.z + dz)] +=
                    amount * (dx ? f.x : 1 - f.x) * (dy ? f.y : 1 - f.y) * (dz ? f.z : 1 - f.z);
}

void DensityGrid::deposit_strands(std::span<const ControlVertex> controls) {
    // Extinction of randomly turned cylinders: pi/4 of their diameter times length per volume.
    const float per_volume = kPi / 4 / (cell_ * cell_ * cell_);
    // Whole strands are taken or left.
    const std::size_t stride = controls.size() / kMaxDeposits + 1;
    std::size_t strand = 0;
    for (std::size_t c = 0; c < controls.size(); ++c) {
        if (controls[c].along == kTip) {
            ++strand;
            continue;
        }
        if (strand % stride != 0) continue;
        const glm::vec3 a = to_glm(controls[c].position), b = to_glm(controls[c + 1].position);
        const float area = 2 * controls[c].radius * glm::length(b - a);
        deposit(hair_, (a + b) / 2.0f, area * static_cast<float>(stride) * per_volume);
    }
}

// Optical depth from each cell outwards: that of the next cell plus what lies between. A body's own
// cell does not count, or skin would shade the hair that lies on it.
void DensityGrid::sweep(glm::ivec3 d, int slot) {
    const float step = cell_ * std::sqrt(static_cast<float>(d.x * d.x + d.y * d.y + d.z * d.z));
    std::vector<float>& depth = depths_[static_cast<std::size_t>(slot)];
    std::vector<float>& hair_depth = hair_depths_[static_cast<std::size_t>(slot)];
    const auto order = [](int i, int count, int direction) {
        return direction > 0 ? count - 1 - i : i;
    };
    for (int k = 0; k < cells_.z; ++k)
        for (int j = 0; j < cells_.y; ++j)
            for (int i = 0; i < cells_.x; ++i) {
                const int x = order(i, cells_.x, d.x), y = order(j, cells_.y, d.y),
                          z = order(k, cells_.z, d.z);
                const int nx = x + d.x, ny = y + d.y, nz = z + d.z;
                if (nx < 0 || ny < 0 || nz < 0 || nx >= cells_.x || ny >= cells_.y ||
                    nz >= cells_.z)
                    continue;
                const std::size_t here = index(x, y, z), next = index(nx, ny, nz);
                const float hair = 0.5f * (hair_[here] + hair_[next]) * step;
                depth[here] = depth[next] + hair + body_[next] * step;
                hair_depth[here] = hair_depth[next] + hair;
            }
}

float DensityGrid::sample(const std::vector<float>& field, glm::vec3 at) const {
    const glm::vec3 low = glm::floor(at);
    const glm::vec3 f = at - low;
    const glm::ivec3 i = glm::ivec3(low);
    if (i.x < 0 || i.y < 0 || i.z < 0 || i.x + 1 >= cells_.x || i.y + 1 >= cells_.y ||
        i.z + 1 >= cells_.z)
        return 0;
    const auto row = [&](int y, int z) {
        return glm::mix(field[index(i.x, y, z)], field[index(i.x + 1, y, z)], f.x);
    };
    return glm::mix(glm::mix(row(i.y, i.z), row(i.y + 1, i.z), f.y),
                    glm::mix(row(i.y, i.z + 1), row(i.y + 1, i.z + 1), f.y), f.z);
}

void DensityGrid::march_rim(glm::vec3 direction, const TaskPool& pool) {
    const glm::vec3 room = glm::vec3(cells_ - 1);
    pool.for_each(cells_.z, [&](int z) {
        for (int y = 0; y < cells_.y; ++y)
            for (int x = 0; x < cells_.x; ++x) {
                glm::vec3 at(x, y, z);
                float hair = 0.5f * hair_[index(x, y, z)], body = 0;
                for (at += direction;
                     glm::all(glm::greaterThanEqual(at, glm::vec3(0))) &&
                     glm::all(glm::lessThan(at, room)) && (hair + body) * cell_ < 8;
                     at += direction) {
                    hair += sample(hair_, at);
                    body += sample(body_, at);
                }
                rim_[index(x, y, z)] = (hair + body) * cell_;
                rim_hair_[index(x, y, z)] = hair * cell_;
            }
    });
}

void DensityGrid::upload(const TaskPool& pool) {
    texels_.resize(hair_.size() * 4);
    rim_texels_.resize(hair_.size());
    const std::size_t slice =
        static_cast<std::size_t>(cells_.x) * static_cast<std::size_t>(cells_.y);
    pool.for_each(cells_.z, [&](int z) {
        for (std::size_t i = static_cast<std::size_t>(z) * slice;
             i < (static_cast<std::size_t>(z) + 1) * slice; ++i) {
            float sky = 0, bounce = 0, hair_sky = 0, sky_weight = 0, bounce_weight = 0;
            for (std::size_t d = 0; d < kDirections.size(); ++d) {
                const float length = d < 6 ? 1.0f : std::sqrt(3.0f);
                const float up = static_cast<float>(kDirections[d][1]) / length;
                const float left = ringlet::exp(-depths_[d][i]);
                sky += left * (1 + up);
                bounce += left * (1 - up);
                hair_sky += ringlet::exp(-hair_depths_[d][i]) * (1 + up);
                sky_weight += 1 + up;
                bounce_weight += 1 - up;
            }
            texels_[i * 4 + 0] = to_byte(sky / sky_weight);
            texels_[i * 4 + 1] = to_byte(bounce / bounce_weight);
            texels_[i * 4 + 2] = to_byte(ringlet::exp(-rim_[i]));
            texels_[i * 4 + 3] = to_byte(hair_sky / sky_weight);
            rim_texels_[i] = to_byte(ringlet::exp(-rim_hair_[i]));
        }
    });
    if (texture_cells_ != cells_) {
        texture_cells_ = cells_;
        texture_ = make_texture_3d(GL_RGBA8, cells_);
        rim_texture_ = make_texture_3d(GL_R8, cells_);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage3D(texture_, 0, 0, 0, 0, cells_.x, cells_.y, cells_.z, GL_RGBA,
                        GL_UNSIGNED_BYTE, texels_.data());
    glTextureSubImage3D(rim_texture_, 0, 0, 0, 0, cells_.x, cells_.y, cells_.z, GL_RED,
                        GL_UNSIGNED_BYTE, rim_texels_.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void DensityGrid::build(std::span<const ControlVertex> controls,
                        std::span<const MovedSurface> surfaces, const Subject& subject,
                        glm::vec3 rim_direction, const TaskPool& pool) {
    fit(subject);
    deposit_strands(controls);
    for (const MovedSurface& surface : surfaces)
        for (const SurfacePatch& patch : surface.patches)
            deposit(body_, glm::vec3(surface.motion * glm::vec4(to_glm(patch.centre), 1)),
                    patch.area * kSurfaceWeight / 2 / (cell_ * cell_ * cell_));
    pool.for_each(static_cast<int>(kDirections.size()), [&](int i) {
        const auto& d = kDirections[static_cast<std::size_t>(i)];
        sweep({d[0], d[1], d[2]}, i);
    });
    march_rim(rim_direction, pool);
    upload(pool);
}

}  // namespace ringlet
