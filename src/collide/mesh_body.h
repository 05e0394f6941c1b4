// A triangle mesh as a body: its signed distance on a grid, made once and shared by all who collide
// with it. Closed meshes are solid, whichever way their triangles are wound and whatever small
// defects they have; a mesh without an inside is a sheet.
#pragma once

#include <memory>
#include <vector>

#include "base/parallel.h"
#include "collide/distance_grid.h"
#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

struct MeshBodySettings {
    float cell = 0;       // m, of the grid; 0: chosen by the size of the mesh
    float thickness = 0;  // m, of a sheet, half to each side; 0: solid, if it has an inside
};

class MeshBody {
public:
    // More samples are refused; how many there are where the cell is chosen.
    static constexpr double kMostSamples = 4e6, kUsualSamples = 1e6;

    // `mesh` in metres, in the body's own frame. Complains of meshes without a surface, and of
    // cells too fine for the mesh or too coarse for the sheet.
    static Result<std::shared_ptr<const MeshBody>> make(Mesh mesh, const MeshBodySettings& settings,
                                                        const TaskPool& pool);

    // Distances are exact at the samples up to this far from the surface (m), outside and inside;
    // farther off they are too small rather than too large.
    float band() const { return band_; }
    float cell() const { return grid_.cell; }
    float thickness() const { return thickness_; }  // 0: it is solid
    DistanceGrid grid() const;
    const Mesh& surface() const { return surface_; }
    std::size_t byte_count() const { return samples_.size() * sizeof(float); }

private:
    MeshBody() = default;
    Result<void> lay_out(const MeshBodySettings& settings);
    void measure(const TaskPool& pool);
    void lower_faces();

    Mesh surface_;
    DistanceGrid grid_;
    int size_[3] = {2, 2, 2};
    float band_ = 0, thickness_ = 0;
    std::vector<float> samples_;
};

// The triangles of a mesh that belong to a group or material of that name, all where it is empty;
// fails where there is none such.
Result<Mesh> part_of_mesh(const Mesh& mesh, const std::string& name);

}  // namespace ringlet
