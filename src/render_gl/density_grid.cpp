#include "render_gl/density_grid.h"

#include <algorithm>
#include <cmath>

#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr int kCellsAcross = 66;  // at most, along the longest side of a head
// Bounds the cost of soft light: with many heads the cells become larger instead.
constexpr float kMaxCells = 230'000;
// With at least twice as many segments, only a part of them is deposited, at the least one in
// kWidestStride. docs/rendering.md compares the pictures with those of more deposits.
constexpr std::size_t kEnoughDeposits = 320'000, kWidestStride = 24;
constexpr int kMargin = 2;  // empty cells on every side
constexpr std::size_t kGroup = shader::kGroupSize;

}  // namespace

void DensityGrid::fit(const Subject& subject) {
    const glm::vec3 low = to_glm(subject.bounds.low), high = to_glm(subject.bounds.high);
    const glm::vec3 extent = glm::max(high - low, glm::vec3(0.01f));
    const float longest =
        std::min(std::max({extent.x, extent.y, extent.z}), std::max(subject.head_size, 0.01f));
    const float least = std::cbrt(extent.x * extent.y * extent.z / kMaxCells);
    // Sizes in steps of a quarter octave and origins at whole cells keep the grid stable while hair
    // moves.
    const float wanted = std::max(longest / (kCellsAcross - 2 * kMargin - 1), least);
    cell_ = std::exp2(std::ceil(std::log2(wanted) * 4) / 4);
    const glm::ivec3 first = glm::ivec3(glm::floor(low / cell_)) - kMargin;
    const glm::ivec3 last = glm::ivec3(glm::ceil(high / cell_)) + kMargin;
    origin_ = glm::vec3(first) * cell_;
    const glm::ivec3 needed = glm::max(last - first, glm::ivec3(2 * kMargin + 1));
    // Rounded up, so that moving hair rarely needs another texture.
    constexpr int kStep = 10;
    cells_ = (needed + kStep - 1) / kStep * kStep;
}

void DensityGrid::allocate() {
    const auto total = static_cast<std::size_t>(cells_.x * cells_.y * cells_.z);
    field_.reserve(total * 2 * sizeof(GLuint), GL_DYNAMIC_COPY);
    depths_.reserve(total * shader::kGridDirections * sizeof(glm::vec2), GL_DYNAMIC_COPY);
    if (texture_cells_ == cells_) return;
    texture_cells_ = cells_;
    texture_ = make_texture_3d(GL_RGBA8, cells_.x, cells_.y, cells_.z);
    for (Texture* texture : {&soft_texture_, &sky_texture_, &bounce_texture_})
        *texture = make_texture_3d(GL_RGBA16F, cells_.x, cells_.y, cells_.z);
}

void DensityGrid::use(GLuint program) const {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(program);
    glUniform3i(shader::kGridCellsUniform, cells_.x, cells_.y, cells_.z);
    glUniform4f(shader::kGridOriginUniform, origin_.x, origin_.y, origin_.z, cell_);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kFieldBinding, field_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kGridDepthBinding, depths_.name());
}

void DensityGrid::deposit_strands(const StrandStream& strands) {
    if (strands.empty()) return;
    use(strands_program_);
    const GLuint stride = light_stride(strands.control_count(), kEnoughDeposits, kWidestStride);
    glUniform1ui(shader::kLightStrideUniform, stride);
    dispatch_over_controls(strands.control_buffer(), strands.control_count(), kGroup,
                           max_storage_bytes_, stride);
}

void DensityGrid::deposit_meshes(std::span<const PlacedMesh> meshes) {
    use(meshes_program_);
    for (const PlacedMesh& mesh : meshes) {
        if (mesh.buffers->empty()) continue;
        const std::size_t count = std::min(mesh.buffers->sample_count(), kMaxGroups * kGroup);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kSurfaceBinding,
                         mesh.buffers->samples());
        glUniformMatrix4fv(shader::kTransformUniform, 1, GL_FALSE, &mesh.transform[0][0]);
        glUniform1ui(shader::kSurfaceCountUniform, static_cast<GLuint>(count));
        dispatch(count, kGroup);
    }
}

void DensityGrid::sweep() {
    use(sweep_program_);
    const int lines = cells_.x * cells_.y + cells_.y * cells_.z + cells_.z * cells_.x;
    glDispatchCompute(static_cast<GLuint>(static_cast<std::size_t>(lines) / kGroup + 1),
                      shader::kGridDirections, 1);
}

void DensityGrid::light() {
    use(light_program_);
    glBindImageTexture(shader::kGridImage, texture_, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA8);
    const auto bind_half = [](GLuint unit, GLuint texture) {
        glBindImageTexture(unit, texture, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    };
    bind_half(shader::kSoftImage, soft_texture_);
    bind_half(shader::kSkyImage, sky_texture_);
    bind_half(shader::kBounceImage, bounce_texture_);
    dispatch(static_cast<std::size_t>(cells_.x * cells_.y * cells_.z), kGroup);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

Result<DensityGrid> DensityGrid::create() {
    DensityGrid grid;
    if (auto done = load_compute_programs({{&grid.strands_program_, "grid_strands.comp"},
                                           {&grid.meshes_program_, "grid_meshes.comp"},
                                           {&grid.sweep_program_, "grid_sweep.comp"},
                                           {&grid.light_program_, "grid_light.comp"}});
        !done)
        return done.error();
    grid.max_storage_bytes_ = max_storage_bytes();
    return grid;
}

void DensityGrid::build(const StrandStream& strands, std::span<const PlacedMesh> meshes,
                        const Subject& subject, PassTimer& timer) {
    fit(subject);
    allocate();
    const GLuint nothing = 0;
    glClearNamedBufferData(field_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    timer.end_part("grid: clear");
    deposit_strands(strands);
    timer.end_part("grid: strands");
    deposit_meshes(meshes);
    timer.end_part("grid: meshes");
    sweep();
    timer.end_part("grid: sweep");
    light();
}

}  // namespace ringlet
