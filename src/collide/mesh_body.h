// A triangle mesh as a body: its signed distance on a grid, made once and shared by all who collide
// with it. Closed meshes are solid, whichever way their triangles are wound and whatever small
// defects they have; a mesh without an inside is a sheet.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.h"
#include "collide/distance_grid.h"
#include "collide/inside_test.h"
#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

struct MeshBodySettings {
    float cell = 0;        // m, of the grid; 0: chosen by the size of the mesh
    float thickness = 0;   // m, of a sheet, half to each side; 0: solid, if it has an inside
    double samples = 1e6;  // about so many, where the cell is chosen
    // The room its shapes take, where it is to have others; in the body's own frame.
    std::optional<Bounds> room{};
};

class MeshBody {
public:
    static constexpr double kMostSamples = 4e6;  // more are refused

    // `mesh` in metres, in the body's own frame. Complains of meshes without a surface, and of
    // cells too fine for the mesh or too coarse for the sheet.
    static Result<std::shared_ptr<const MeshBody>> make(Mesh mesh, const MeshBodySettings& settings,
                                                        const TaskPool& pool);

    // The same triangles with their corners elsewhere, within the room it was made for. Only
    // samples that the surface may have come near are measured, so this costs the less the smaller
    // the change; the others are lowered by as much as it moved.
    void reshape(const std::vector<Vec3f>& positions, const TaskPool& pool);
    // Three per sample: where the surface nearest to it went in the last reshape, m; 0 beyond the
    // band. Empty before the first.
    const std::vector<float>& moves() const { return moves_; }
    const std::vector<float>& samples() const { return samples_; }

    // Distances are exact at the samples up to this far from the surface (m), outside and inside;
    // farther off they are too small rather than too large.
    float band() const { return band_; }
    float cell() const { return grid_.cell; }
    float thickness() const { return thickness_; }  // 0: it is solid
    DistanceGrid grid() const;
    const Mesh& surface() const { return surface_; }
    std::size_t byte_count() const { return (samples_.size() + moves_.size()) * sizeof(float); }

private:
    MeshBody() = default;
    Result<void> lay_out(const MeshBodySettings& settings);
    void measure(const TaskPool& pool);
    void lower_faces();
    GridShape shape() const;
    // Samples are distances without sign before, and of the body after.
    void set_signs(const std::vector<std::int8_t>& votes);
    bool is_face(int x, int y, int z) const;
    float lowering() const;

    Mesh surface_;
    DistanceGrid grid_;
    int size_[3] = {2, 2, 2};
    float band_ = 0, thickness_ = 0;
    bool is_solid_ = true;
    std::vector<float> samples_, moves_;
};

// The triangles of a mesh that belong to a group or material of that name, all where it is empty;
// fails where there is none such.
Result<Mesh> part_of_mesh(const Mesh& mesh, const std::string& name);

}  // namespace ringlet
