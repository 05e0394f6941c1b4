// A triangle mesh as a collider: its signed distance on a grid, computed once and shared. Closed
// meshes are solid, whatever the winding of their triangles and despite small defects; a mesh
// without an inside is a sheet.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collide/distance_grid.h"
#include "collide/inside_test.h"
#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

struct MeshBodySettings {
    float cell = 0;        // m, of the grid; 0: chosen from the size of the mesh
    float thickness = 0;   // m, of a sheet, half to each side; 0: solid, if it has an inside
    double samples = 1e6;  // approximate number if the cell is chosen
    // Bounds of all shapes of a deforming body, in its own frame; empty: the body is rigid.
    std::optional<Bounds> room{};
};

// Returns a number that no DistanceGrid has had as its version. Thread-safe.
std::uint64_t new_grid_version();

class MeshBody {
public:
    static constexpr double kMaxSamples = 4e6;  // make() fails beyond

    // `mesh` in metres, in the body's own frame. Fails for meshes without a surface, and for cells
    // too fine for the mesh or too coarse for the sheet.
    static Result<std::shared_ptr<const MeshBody>> make(Mesh mesh, const MeshBodySettings& settings,
                                                        const TaskPool& pool);

    // Whether a vertex may move there: whether the point lies within the bounds given to make().
    bool has_room_for(Vec3f point) const;
    // Moves the vertices; `positions` must lie within the bounds given to make(). Measures only the
    // samples that the surface may have come near, so small changes cost less; lowers the others by
    // the largest displacement.
    void reshape(const std::vector<Vec3f>& positions, const TaskPool& pool);
    // The memory that reshape() changes: positions, samples and moves.
    std::array<std::span<std::byte>, 3> changing_memory();
    // Call this after changing_memory() was overwritten.
    void set_changed() { version_ = new_grid_version(); }
    // Displacement (m, three components per sample) of the nearest surface in the last reshape(); 0
    // beyond the band. Empty before the first reshape().
    const std::vector<float>& moves() const { return moves_; }
    const std::vector<float>& samples() const { return samples_; }

    // Samples up to this far from the surface (m), outside and inside, are exact; beyond, they are
    // lower bounds.
    float band() const { return band_; }
    float cell() const { return grid_.cell; }
    float thickness() const { return thickness_; }  // m; 0: solid
    DistanceGrid grid() const;
    const Mesh& surface() const { return surface_; }
    std::size_t byte_count() const { return (samples_.size() + moves_.size()) * sizeof(float); }

private:
    MeshBody() = default;
    Result<void> lay_out(const MeshBodySettings& settings);
    void measure(bool is_rigid, const TaskPool& pool);
    void lower_faces();
    GridShape shape() const;
    // Turns unsigned distances into those of the body: signed, or of a sheet.
    void set_signs(const std::vector<std::int8_t>& inside_rays);
    bool is_face(int x, int y, int z) const;
    float lowering() const;

    Mesh surface_;
    Bounds room_{};  // of all shapes, in the body's own frame
    DistanceGrid grid_;
    int size_[3] = {2, 2, 2};
    float band_ = 0, thickness_ = 0;
    bool is_solid_ = true;
    std::vector<float> samples_, moves_;
    std::uint64_t version_ = new_grid_version();  // of samples_ and moves_
};

// The triangles of a mesh in the group or material of that name; all if the name is empty. Fails if
// there is no such group or material.
Result<Mesh> part_of_mesh(const Mesh& mesh, const std::string& name);

}  // namespace ringlet
