#include "session/live/framing.h"

#include <algorithm>
#include <cmath>

#include "session/control/ray_cast.h"

namespace ringlet {

namespace {

constexpr int kMostPoints = 20000;       // per head
constexpr float kPictureMargin = 0.1f;   // of half the picture, on each side
constexpr float kRoomBelowHair = 0.05f;  // m, between the lowest hair and the ground
// Half the width of a picture of a figure, in head heights: the shoulders without spread arms.
constexpr float kShoulders = 1.3f;

// The vertices that a picture of the mesh should show, in the mesh's frame: all, or the head and
// the shoulders of a figure.
std::vector<Vec3f> portrait(const HeadMesh& head) {
    const Mesh& mesh = head.mesh;
    const std::optional<Landmarks>& at = head.landmarks;
    const bool is_figure = at && at->is_head && bounds_of(mesh).low.y < at->waist.y;
    std::vector<Vec3f> out;
    const std::size_t stride = mesh.positions.size() / kMostPoints + 1;
    for (std::size_t k = 0; k < mesh.positions.size(); k += stride) {
        const Vec3f p = mesh.positions[k];
        if (!is_figure ||
            (p.y > at->chest.y && std::abs(p.x - at->centre.x) < kShoulders * at->head_height))
            out.push_back(p);
    }
    return out;
}

std::vector<Vec3f> hair_points(const Actor& actor, const TaskPool& pool) {
    std::vector<Vec3f> out;
    const Channel<3>& rest = actor.groom.simulated_rest(pool).position;
    if (rest.empty()) return out;
    const StrandLayout& layout = rest.layout();
    const int stride = static_cast<int>(layout.vertex_total() / kMostPoints + 1);
    for (int s = 0; s < layout.strand_count(); s += stride)
        for (int i = 0; i < layout.vertex_count(s); ++i) out.push_back(rest.vec3(s, i));
    return out;
}

struct ViewedPoints {
    std::vector<Vec3f> points;  // in world space
    float lowest = 0;           // of heads and hair, m
};

ViewedPoints points_of(const std::vector<Actor>& actors, const TaskPool& pool) {
    ViewedPoints out;
    float mesh_low = 1e9f, hair_low = 1e9f;
    for (const Actor& actor : actors) {
        const Rigidf to_world = actor.to_world * pose_at(actor.scene.world.head, 0);
        for (const Vec3f p : portrait(*actor.head_mesh)) out.points.push_back(apply(to_world, p));
        for (const Vec3f p : actor.head_mesh->mesh.positions)
            mesh_low = std::min(mesh_low, apply(to_world, p).y);
        for (const Vec3f p : hair_points(actor, pool)) {
            out.points.push_back(apply(to_world, p));
            hair_low = std::min(hair_low, out.points.back().y);
        }
    }
    out.lowest = std::min(mesh_low, hair_low < mesh_low ? hair_low - kRoomBelowHair : mesh_low);
    return out;
}

Vec3f middle_of(const std::vector<Vec3f>& points) {
    Vec3f low = points.front(), high = low;
    for (const Vec3f p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return (low + high) * 0.5f;
}

}  // namespace

Camera framed(Camera camera, Vec3f target, Vec3f away, const std::vector<Vec3f>& points,
              float aspect, bool recentre) {
    camera.target = target;
    camera.eye = target + away;
    const CameraAxes axes = axes_of(camera);
    const float tall =
        std::tan(0.5f * camera.field_of_view_degrees * kPi / 180) * (1 - kPictureMargin);
    const float wide = tall * aspect;
    const int rounds = recentre ? 4 : 1;  // each round leaves a small share of the imbalance
    for (int round = 0; round < rounds; ++round) {
        float distance = 0.01f;
        for (const Vec3f p : points) {
            const Vec3f q = p - camera.target;
            distance = std::max(distance, std::max(std::abs(dot(q, axes.right)) / wide,
                                                   std::abs(dot(q, axes.up)) / tall) -
                                              dot(q, axes.forward));
        }
        camera.eye = camera.target - axes.forward * distance;
        if (round + 1 == rounds) break;
        float left = 0, right = 0, low = 0, high = 0;  // tangents of angles
        for (const Vec3f p : points) {
            const Vec3f q = p - camera.eye;
            const float x = dot(q, axes.right) / dot(q, axes.forward),
                        y = dot(q, axes.up) / dot(q, axes.forward);
            left = std::min(left, x);
            right = std::max(right, x);
            low = std::min(low, y);
            high = std::max(high, y);
        }
        camera.target += (axes.right * (left + right) + axes.up * (low + high)) * (distance / 2);
    }
    return camera;
}

float middle_x(const HeadMesh& head) { return head.landmarks ? head.landmarks->centre.x : 0; }

void choose_motion_values(const HeadMesh& head, Scene& scene) {
    if (scene.automatic.substeps)
        scene.sim.substeps = all_models()[static_cast<std::size_t>(scene.sim.model)].substeps;
    if (!scene.automatic.pivot) return;
    scene.world.head.pivot = HeadMotion{}.pivot;
    if (!head.landmarks) return;
    const Landmarks& at = *head.landmarks;
    scene.world.head.pivot = {at.centre.x, at.neck.y, (at.centre.z + at.nape.z) / 2};
}

// The landmarks of the whole mesh: the shoulders may belong to a part on which no hair grows.
static const Landmarks& body_landmarks(HeadMesh& head) {
    if (head.landmarks && head.landmarks->shoulder.measured) return *head.landmarks;
    if (!head.body_landmarks) head.body_landmarks = find_landmarks(head.mesh);
    return *head.body_landmarks;
}

// The border between head and neck runs from the chin to the nape, which is this much higher (in
// head heights).
static constexpr float kNapeAboveChin = 0.14f;

static std::optional<Neck> neck_between(const Landmarks& at, Vec3f pivot) {
    if (!at.is_head || !at.neck.measured || !at.shoulder.measured) return std::nullopt;
    const float depth = max(at.forehead.z - at.nape.z, 0.1f * at.head_height);
    Neck out{.pivot = pivot, .tilt = kNapeAboveChin * at.head_height / depth};
    out.high = out.height_of({0, at.chin.y, at.forehead.z});
    out.low = out.height_of({0, at.shoulder.y, pivot.z});
    if (!(out.high - out.low > 0.05f * at.head_height)) return std::nullopt;
    return out;
}

void choose_neck(HeadMesh& head, Scene& scene, Messages& messages) {
    scene.world.neck.reset();
    if (scene.world.head.neck == NeckKind::rigid || head.mesh.triangle_count() == 0) return;
    const bool has_shells =
        scene.fur.style != FurStyle::none && scene.fur.style != FurStyle::strands;
    if (scene.world.shapes || has_shells) return;
    scene.world.neck = neck_between(body_landmarks(head), scene.world.head.pivot);
    if (!scene.world.neck)
        messages.assumptions.push_back(
            scene.groom.mesh +
            ": no shoulders were found, so the whole mesh moves with the head (set head.neck = "
            "\"rigid\")");
}

// Whether the usual view, which suits the built-in head and its styles, may miss the actor.
static bool is_foreign(const Actor& actor) {
    return !actor.scene.groom.import.file.empty() || actor.head_mesh->landmarks.has_value();
}

void choose_view(const std::vector<Actor>& actors, const TaskPool& pool, Scene& scene) {
    const AutomaticValues& automatic = scene.automatic;
    const Camera usual;
    if (automatic.camera_eye) scene.camera.eye = usual.eye;
    if (automatic.camera_target) scene.camera.target = usual.target;
    if (automatic.camera_focus) scene.camera.focus = usual.focus;
    if (automatic.ground_height) scene.render.ground_height = RenderSettings{}.ground_height;
    const bool is_own = std::ranges::any_of(actors, is_foreign);
    if (!is_own || !(automatic.camera_eye || automatic.camera_target || automatic.ground_height))
        return;
    const ViewedPoints viewed = points_of(actors, pool);
    if (viewed.points.empty()) return;
    if (automatic.ground_height) scene.render.ground_height = viewed.lowest;
    const float aspect =
        static_cast<float>(scene.record.width) / static_cast<float>(scene.record.height);
    const Vec3f middle = middle_of(viewed.points);
    if (automatic.camera_eye)
        scene.camera =
            framed(scene.camera, automatic.camera_target ? middle : scene.camera.target,
                   usual.eye - usual.target, viewed.points, aspect, automatic.camera_target);
    else if (automatic.camera_target)
        scene.camera.target = middle;
}

}  // namespace ringlet
