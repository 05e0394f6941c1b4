#include "fit/similarity.h"

#include <algorithm>
#include <cmath>

#include "fit/vec3d.h"

namespace ringlet {

namespace {

Vec3d mean_of(std::span<const Vec3f> points) {
    Vec3d sum;
    for (const Vec3f& p : points) {
        sum.x += static_cast<double>(p.x);
        sum.y += static_cast<double>(p.y);
        sum.z += static_cast<double>(p.z);
    }
    const auto n = static_cast<double>(points.size());
    return {sum.x / n, sum.y / n, sum.z / n};
}

constexpr int kSize = 4;
using Matrix = double[kSize][kSize];

// Rotates rows and columns p and q so that a[p][q] becomes zero, and v with them.
void rotate_away(Matrix& a, Matrix& v, int p, int q) {
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < kSize; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < kSize; ++k) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
    }
    for (int k = 0; k < kSize; ++k) {
        const double x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi rotations.
void largest_eigenvector(Matrix& a, double (&out)[kSize]) {
    Matrix v = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    constexpr int kSweeps = 12;  // converges quadratically; 6 to 8 are enough
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (int p = 0; p < kSize; ++p)
            for (int q = p + 1; q < kSize; ++q) rotate_away(a, v, p, q);
    int best = 0;
    for (int k = 1; k < kSize; ++k)
        if (a[k][k] > a[best][best]) best = k;
    for (int k = 0; k < kSize; ++k) out[k] = v[k][best];
}

// The rows of the rotation of a unit quaternion (w, x, y, z).
void set_rotation(const double (&q)[kSize], Placement& out) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const auto row = [](double a, double b, double c) {
        return Vec3f{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
    };
    out.row[0] = row(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y));
    out.row[1] = row(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x));
    out.row[2] = row(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
}

}  // namespace

Placement fit_similarity(std::span<const Vec3f> from, std::span<const Vec3f> to, float least_scale,
                         float most_scale) {
    Placement out;
    if (from.empty()) return out;
    const Vec3d a0 = mean_of(from), b0 = mean_of(to);
    double s[3][3] = {};  // sum of a b^T
    double spread = 0;    // of `from`
    for (std::size_t i = 0; i < from.size(); ++i) {
        const Vec3d a = minus(from[i], a0), b = minus(to[i], b0);
        const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) s[r][c] += p[r] * q[c];
        spread += a.x * a.x + a.y * a.y + a.z * a.z;
    }
    Matrix n = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {0, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {0, 0, -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1]},
        {0, 0, 0, -s[0][0] - s[1][1] + s[2][2]}};
    for (int r = 0; r < kSize; ++r)
        for (int c = 0; c < r; ++c) n[r][c] = n[c][r];
    double q[kSize];
    largest_eigenvector(n, q);
    set_rotation(q, out);
    // Least squares: sum of b.(R a) over sum of a.a.
    double along = 0;
    const Vec3f rows[3] = {out.row[0], out.row[1], out.row[2]};
    for (int r = 0; r < 3; ++r)
        along += s[0][r] * static_cast<double>(rows[r].x) +
                 s[1][r] * static_cast<double>(rows[r].y) +
                 s[2][r] * static_cast<double>(rows[r].z);
    const double scale = spread > 0 ? along / spread : 1;
    out.scale = std::clamp(static_cast<float>(scale), least_scale, most_scale);
    const Vec3f from_mean{static_cast<float>(a0.x), static_cast<float>(a0.y),
                          static_cast<float>(a0.z)};
    const Vec3f to_mean{static_cast<float>(b0.x), static_cast<float>(b0.y),
                        static_cast<float>(b0.z)};
    out.offset = to_mean - turned(out, from_mean) * out.scale;
    return out;
}

FittedSphere fit_sphere(std::span<const Vec3f> points) {
    if (points.empty()) return {};
    // With p relative to the mean: 2 C c = m, where C is the covariance, m the mean of p |p|^2 and
    // c the centre. A small ridge leaves c at 0 in directions without extent.
    const Vec3d middle = mean_of(points);
    double c[3][3] = {}, m[3] = {}, squared = 0;
    for (const Vec3f& point : points) {
        const Vec3d d = minus(point, middle);
        const double p[3] = {d.x, d.y, d.z};
        const double length2 = d.x * d.x + d.y * d.y + d.z * d.z;
        for (int r = 0; r < 3; ++r) {
            for (int k = 0; k < 3; ++k) c[r][k] += p[r] * p[k];
            m[r] += p[r] * length2;
        }
        squared += length2;
    }
    const double ridge = 1e-5 * squared;
    for (int r = 0; r < 3; ++r) c[r][r] += ridge;
    const auto minor = [&](int r, int k) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        return c[r1][k1] * c[r2][k2] - c[r1][k2] * c[r2][k1];
    };
    const double det = c[0][0] * minor(0, 0) + c[0][1] * minor(0, 1) + c[0][2] * minor(0, 2);
    double centre[3] = {};
    if (std::abs(det) > 0)
        for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 3; ++k) centre[r] += 0.5 * minor(k, r) / det * m[k];
    const double radius2 = squared / static_cast<double>(points.size()) + centre[0] * centre[0] +
                           centre[1] * centre[1] + centre[2] * centre[2];
    return {{static_cast<float>(middle.x + centre[0]), static_cast<float>(middle.y + centre[1]),
             static_cast<float>(middle.z + centre[2])},
            static_cast<float>(std::sqrt(radius2))};
}

}  // namespace ringlet
