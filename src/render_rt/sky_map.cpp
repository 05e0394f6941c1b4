#include "render_rt/sky_map.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "render_rt/lamps.h"

namespace ringlet {

namespace {

// Turns weights into sums from 0 to 1 at sums[0] to sums[count]; all 0 if the weights are. Returns
// the sum of the weights.
template <class Weight>
double fill_sums(float* sums, int count, const Weight& weight) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += weight(i);
    double before = 0;
    sums[0] = 0;
    for (int i = 0; i < count; ++i) {
        before += weight(i);
        sums[i + 1] = sum > 0 ? static_cast<float>(std::min(before / sum, 1.0)) : 0;
    }
    return sum;
}

// The interval of `sums` that contains u, and where in it.
struct Drawn {
    int index;
    float place;  // within the interval, from 0 to 1
};
Drawn draw(const float* sums, int count, float u) {
    const float* const above = std::upper_bound(sums, sums + count, u * sums[count]);
    const auto index = static_cast<int>(std::max<std::ptrdiff_t>(above - sums - 1, 0));
    const float share = sums[index + 1] - sums[index];
    const float place = share > 0 ? (u * sums[count] - sums[index]) / share : 0.5f;
    return {index, std::clamp(place, 0.0f, 1.0f)};
}

double brightness(Vec3f light) {
    return static_cast<double>(light.x) + static_cast<double>(light.y) +
           static_cast<double>(light.z);
}

}  // namespace

SkyMap::SkyMap(const EnvironmentMap& map, float gain, float rotation_degrees)
    : map_(&map),
      gain_(gain),
      rotation_(rotation_degrees * kPi / 180),
      rows_(static_cast<std::size_t>(map.height) + 1),
      in_rows_(static_cast<std::size_t>(map.height) * (static_cast<std::size_t>(map.width) + 1)) {
    for (int row = 0; row <= map.height; ++row) cosines_.push_back(map.edge_cosine(row));
    std::vector<double> weights;
    for (int row = 0; row < map.height; ++row) {
        const auto index = static_cast<std::size_t>(row);
        float* const sums = &in_rows_[index * (static_cast<std::size_t>(map.width) + 1)];
        const double sum =
            fill_sums(sums, map.width, [&](int column) { return brightness(map.at(column, row)); });
        weights.push_back(sum * static_cast<double>(cosines_[index] - cosines_[index + 1]));
    }
    fill_sums(rows_.data(), map.height,
              [&](int row) { return weights[static_cast<std::size_t>(row)]; });
}

const float* SkyMap::row_sums(int row) const {
    return &in_rows_[static_cast<std::size_t>(row) * (static_cast<std::size_t>(map_->width) + 1)];
}

SkyMap::Place SkyMap::place_of(Vec3f d) const {
    const float turn = (std::atan2(d.x, -d.z) + rotation_) / (2 * kPi) + 0.5f;
    const float fall = std::acos(std::clamp(d.y, -1.0f, 1.0f)) / kPi;
    const auto width = static_cast<float>(map_->width), height = static_cast<float>(map_->height);
    return {std::clamp(static_cast<int>((turn - std::floor(turn)) * width), 0, map_->width - 1),
            std::clamp(static_cast<int>(fall * height), 0, map_->height - 1)};
}

float SkyMap::density_at(Place place) const {
    const auto row = static_cast<std::size_t>(place.row),
               column = static_cast<std::size_t>(place.column);
    const float* const sums = row_sums(place.row);
    const float share = (rows_[row + 1] - rows_[row]) * (sums[column + 1] - sums[column]);
    const float height = cosines_[row] - cosines_[row + 1];
    return height > 0 ? share * static_cast<float>(map_->width) / (2 * kPi * height) : 0;
}

Vec3f SkyMap::radiance(Vec3f d) const {
    const Place place = place_of(d);
    return map_->at(place.column, place.row) * gain_;
}

float SkyMap::density(Vec3f d) const { return density_at(place_of(d)); }

LightSample SkyMap::sample(float u, float v) const {
    const Drawn row = draw(rows_.data(), map_->height, u);
    const Drawn column = draw(row_sums(row.index), map_->width, v);
    const auto index = static_cast<std::size_t>(row.index);
    const float cosine = cosines_[index] + (cosines_[index + 1] - cosines_[index]) * row.place;
    const float sine = std::sqrt(std::max(1 - cosine * cosine, 0.0f));
    const float across =
        (static_cast<float>(column.index) + column.place) / static_cast<float>(map_->width);
    const float turn = 2 * kPi * (across - 0.5f) - rotation_;
    const Place place{column.index, row.index};
    return {{sine * std::sin(turn), cosine, -sine * std::cos(turn)},
            map_->at(place.column, place.row) * gain_,
            density_at(place)};
}

Vec3f SkyMap::mean() const { return (map_->above + map_->below) * (gain_ / 2); }

}  // namespace ringlet
