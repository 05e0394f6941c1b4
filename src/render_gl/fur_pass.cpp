#include "render_gl/fur_pass.h"

#include <algorithm>
#include <bit>
#include <glm/gtc/quaternion.hpp>

#include "fur/strand_field.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

// Fins are drawn where the sine of the angle between skin and view is below this.
constexpr float kFinSlant = 0.5f;
constexpr int kFinLevels = 8;
// Number of shells in the light's shadow map and in the blurred contact shadow. They are far enough
// apart that slanted light crosses different strands in each.
constexpr int kCasterLevels = 8, kContactLevels = 3;

// Uniform block `Coat` of shaders/fur_coat.glsl.
struct CoatBlock {
    glm::mat4 transform, tip_rotation;
    glm::vec4 shape, root_colour, tip_colour, style, strands;
};

// struct Root of shaders/fur_coat.glsl.
struct RootData {
    glm::vec4 position_length, normal, uv;
};

static_assert(shader::kFieldCells == StrandField::kCells);
static_assert(shader::kFieldTexelsPerCell == StrandField::kTexelsPerCell);

glm::vec3 vec(Vec3f a) { return {a.x, a.y, a.z}; }

glm::mat4 rotation_of(Quatf q) {
    const Quatf unit = normalise(q);
    return glm::mat4_cast(glm::quat(unit.w, unit.x, unit.y, unit.z));
}

CoatBlock block_of(const FurView& view) {
    const FurSettings& s = view.settings;
    CoatBlock block{};
    block.transform = rotation_of(view.transform.rotation);
    block.transform[3] = glm::vec4(vec(view.transform.translation), 1);
    block.tip_rotation = rotation_of(view.tip_rotation);
    block.shape = {static_cast<float>(s.shells), s.length * view.unit,
                   1 / strand_cell(s, view.unit), s.thickness};
    block.root_colour = glm::vec4(vec(view.root_colour), view.colour_variation);
    block.tip_colour = glm::vec4(vec(view.tip_colour), view.length_variation);
    block.style = {s.density, s.fins, kFinSlant, StrandField::kReach};
    block.strands.x = s.style == FurStyle::strands ? 1.0f : 0.0f;
    return block;
}

bool is_complete(const FurView& view) {
    return view.pelt && view.tips.size() == view.pelt->positions.size();
}

// Close-ups draw additional shells between the shells, so that they are about kGap pixels apart.
int shells_per_shell(const FurView& view, Vec3f eye, float pixels_per_metre) {
    constexpr float kGap = 1.2f;
    constexpr int kMax = 6;
    const Vec3f away = eye - view.transform.translation;
    const float distance =
        max(norm(away) - 2 * view.pelt->rms_radius, 0.5f * view.pelt->rms_radius);
    const float length = view.settings.length * view.unit * pixels_per_metre / distance;
    return std::clamp(static_cast<int>(length / kGap / static_cast<float>(view.settings.shells)), 1,
                      kMax);
}

// The sum of the principal curvatures at each vertex, 1/m: the relative growth of the area of the
// triangles around it when they move outwards along the normals.
std::vector<float> curvatures(const Pelt& pelt) {
    std::vector<float> area(pelt.positions.size(), 0), growth(pelt.positions.size(), 0);
    for (std::size_t t = 0; t + 2 < pelt.indices.size(); t += 3) {
        const std::uint32_t *corner = &pelt.indices[t], a = corner[0], b = corner[1], c = corner[2];
        const Vec3f ab = pelt.positions[b] - pelt.positions[a];
        const Vec3f ac = pelt.positions[c] - pelt.positions[a];
        const Vec3f face = cross(ab, ac);
        const Vec3f change = cross(pelt.normals[b] - pelt.normals[a], ac) +
                             cross(ab, pelt.normals[c] - pelt.normals[a]);
        for (const std::uint32_t vertex : {a, b, c}) {
            area[vertex] += norm(face);
            growth[vertex] += dot(change, unit_or(face, pelt.normals[a]));
        }
    }
    for (std::size_t i = 0; i < area.size(); ++i) growth[i] /= max(area[i], 1e-12f);
    return growth;
}

Texture repeating_texture(GLenum format, GLenum pixels, int width, int height, const void* bytes) {
    const auto longest = static_cast<unsigned>(std::max(width, height));
    Texture texture =
        make_texture_2d(format, width, height, static_cast<int>(std::bit_width(longest)));
    glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(texture, 0, 0, 0, width, height, pixels, GL_UNSIGNED_BYTE, bytes);
    glGenerateTextureMipmap(texture);
    return texture;
}

Texture field_texture(const StrandField& field) {
    constexpr int kSide = StrandField::kSide;
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_3D, 1, &name);
    Texture texture(name);
    glTextureStorage3D(texture, 3, GL_RGBA8, kSide, kSide, kSide);
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        glTextureParameteri(texture, axis, GL_REPEAT);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage3D(texture, 0, 0, 0, 0, kSide, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE,
                        field.rgba.data());
    glGenerateTextureMipmap(texture);
    return texture;
}

}  // namespace

Result<FurPass> FurPass::create() {
    FurPass pass;
    struct Needed {
        Program& program;
        const char *vertex, *fragment;
    };
    for (const Needed& needed :
         {Needed{pass.shell_program_, "fur_shell.vert", "fur_shell.frag"},
          Needed{pass.fin_program_, "fur_fin.vert", "fur_shell.frag"},
          Needed{pass.original_program_, "fur_original.vert", "fur_original.frag"},
          Needed{pass.caster_program_, "fur_caster.vert", "fur_caster.frag"}}) {
        auto made = make_program(needed.vertex, needed.fragment);
        if (!made) return made.error();
        needed.program = std::move(*made);
    }
    return pass;
}

// Called when the first coat is uploaded, so that scenes without fur pay nothing.
void FurPass::make_textures(const TaskPool& pool) {
    if (field_) return;
    field_ = field_texture(make_strand_field(1, pool));
    const std::vector<std::uint8_t> tile = make_shell_tile(1);
    tile_ = repeating_texture(GL_R8, GL_RED, kShellTileSide, kShellTileSide, tile.data());
}

void FurPass::upload(const FurView& view, Coat& coat) {
    const CoatBlock block = block_of(view);
    coat.block.upload(&block, sizeof block);
    coat.tips.upload(view.tips.data(), view.tips.size_bytes());
    if (coat.picture != view.colour || !coat.image) {
        coat.picture = view.colour;
        const bool has_image = view.colour && !view.colour->rgba.empty();
        const std::uint8_t white[4] = {255, 255, 255, 255};
        coat.image = repeating_texture(GL_SRGB8_ALPHA8, GL_RGBA, has_image ? view.colour->width : 1,
                                       has_image ? view.colour->height : 1,
                                       has_image ? view.colour->rgba.data() : white);
    }
    if (coat.pelt_number == view.pelt_number) return;
    coat.pelt_number = view.pelt_number;
    const Pelt& pelt = *view.pelt;
    std::vector<RootData> roots;
    roots.reserve(pelt.positions.size());
    const std::vector<float> curvature = curvatures(pelt);
    for (std::size_t i = 0; i < pelt.positions.size(); ++i)
        roots.push_back({glm::vec4(vec(pelt.positions[i]), pelt.lengths[i]),
                         glm::vec4(vec(pelt.normals[i]), curvature[i]),
                         {pelt.uvs[i].x, pelt.uvs[i].y, 0, 0}});
    coat.roots.upload(roots.data(), roots.size() * sizeof(RootData));
    coat.indices.upload(pelt.indices.data(), pelt.indices.size() * sizeof(std::uint32_t));
    coat.index_count = static_cast<GLsizei>(pelt.indices.size());
    glVertexArrayElementBuffer(coat.elements, coat.indices.name());
}

void FurPass::draw_shells(const FurView& view, const Coat& coat, Vec3f eye,
                          float pixels_per_metre) {
    if (view.settings.style == FurStyle::original) {
        glUseProgram(original_program_);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kListBinding, coat.indices.name());
        glBindVertexArray(no_attributes_);
        glDrawArraysInstanced(GL_TRIANGLES, 0, coat.index_count, view.settings.shells);
        return;
    }
    glUseProgram(shell_program_);
    glBindVertexArray(coat.elements);
    const int factor = shells_per_shell(view, eye, pixels_per_metre);
    glUniform1f(shader::kLevelsUniform, static_cast<float>(factor));
    // Above the innermost shell, strands are drawn in place of shells.
    const int outer = view.settings.style == FurStyle::strands ? 0 : view.settings.shells * factor;
    glDrawElementsInstanced(GL_TRIANGLES, coat.index_count, GL_UNSIGNED_INT, nullptr, outer + 1);
}

void FurPass::find_fins(const FurView& view, Coat& coat, Vec3f eye) {
    coat.fin_count = 0;
    if (view.settings.style != FurStyle::shells || !(view.settings.fins > 0)) return;
    const Vec3f own = rotate(conjugate(view.transform.rotation), eye - view.transform.translation);
    find_edges_seen_edge_on(*view.pelt, own, kFinSlant, edges_);
    coat.fin_count = static_cast<GLsizei>(edges_.size() / 2);
    if (coat.fin_count > 0) coat.edges.upload(edges_.data(), edges_.size() * sizeof(std::uint32_t));
}

void FurPass::draw_fins(const Coat& coat) const {
    if (coat.fin_count == 0) return;
    glUseProgram(fin_program_);
    glUniform1f(shader::kLevelsUniform, static_cast<float>(kFinLevels));
    glUniform1f(shader::kIsFinUniform, 1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kListBinding, coat.edges.name());
    glBindVertexArray(no_attributes_);
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (kFinLevels + 1), coat.fin_count);
    glDepthMask(GL_TRUE);
}

void FurPass::bind(const Coat& coat) {
    glBindBufferBase(GL_UNIFORM_BUFFER, shader::kCoatBinding, coat.block.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kRootBinding, coat.roots.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, shader::kTipBinding, coat.tips.name());
}

void FurPass::upload(std::span<const FurView> coats, const TaskPool& pool) {
    coats_.resize(coats.size());
    if (coats.empty()) return;
    make_textures(pool);
    for (std::size_t k = 0; k < coats.size(); ++k)
        if (is_complete(coats[k])) upload(coats[k], coats_[k]);
}

void FurPass::cast(std::span<const FurView> coats, int lamp) const {
    const int levels = lamp == shader::kNoLamp ? kContactLevels : kCasterLevels;
    glUseProgram(caster_program_);
    glUniform1f(shader::kLevelsUniform, static_cast<float>(levels));
    glUniform1i(shader::kLampUniform, lamp);
    for (std::size_t k = 0; k < coats.size(); ++k) {
        if (!is_complete(coats[k]) || !has_shells(coats[k].settings)) continue;
        bind(coats_[k]);
        glBindVertexArray(coats_[k].elements);
        glDrawElementsInstanced(GL_TRIANGLES, coats_[k].index_count, GL_UNSIGNED_INT, nullptr,
                                levels);
    }
}

void FurPass::draw(std::span<const FurView> coats, Vec3f eye, float pixels_per_metre) {
    if (coats.empty()) return;
    glBindTextureUnit(shader::kStrandFieldUnit, field_);
    glBindTextureUnit(shader::kShellTileUnit, tile_);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (std::size_t k = 0; k < coats.size(); ++k) {
        if (!is_complete(coats[k])) continue;
        Coat& coat = coats_[k];
        glBindTextureUnit(shader::kCoatImageUnit, coat.image);
        bind(coat);
        // Fins are drawn twice because shells write depth even where they are nearly transparent:
        // before the shells for the parts of fins behind them, after them for those in front.
        find_fins(coats[k], coat, eye);
        draw_fins(coat);
        draw_shells(coats[k], coat, eye, pixels_per_metre);
        draw_fins(coat);
    }
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
    glBindVertexArray(0);
    for (const int unit :
         {shader::kStrandFieldUnit, shader::kCoatImageUnit, shader::kShellTileUnit})
        glBindTextureUnit(static_cast<GLuint>(unit), 0);
}

}  // namespace ringlet
