// Points sorted into cubic cells, for nearest-neighbour queries.
#pragma once

#include <span>
#include <vector>

#include "geom/mesh.h"

namespace ringlet {

class PointGrid {
public:
    explicit PointGrid(std::span<const Vec3f> points);

    // The index of the point nearest to p, the lowest index among equals; -1 if there are none.
    int nearest(Vec3f p) const;
    // Writes the indices of the `out.size()` nearest points, nearest first, and returns how many
    // there are. Entries beyond are -1.
    int nearest(Vec3f p, std::span<int> out) const;

private:
    struct Cell {
        int x, y, z;
    };
    Cell cell_of(Vec3f p) const;
    std::size_t slot_of(Cell c) const;
    // Calls visit(i) for every point in the cells at Chebyshev distance `ring` from the centre
    // cell.
    template <class Visit>
    void visit_ring(Cell centre, int ring, const Visit& visit) const;

    Bounds bounds_{{0, 0, 0}, {0, 0, 0}};
    float side_ = 1;
    Cell size_{1, 1, 1};
    std::vector<Vec3f> points_;
    std::vector<int> order_;     // point indices, sorted by cell
    std::vector<int> first_of_;  // start of each cell in order_
};

}  // namespace ringlet
