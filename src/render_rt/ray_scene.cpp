#include "render_rt/ray_scene.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>

#include "picture/shape_mesh.h"
#include "picture/studio.h"
#include "render_rt/mesh_paint.h"
#include "render_rt/strand_curves.h"

namespace ringlet {

namespace {

struct ReleaseDevice {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using Device = std::unique_ptr<RTCDeviceTy, ReleaseDevice>;
using Scene = std::unique_ptr<RTCSceneTy, ReleaseScene>;

// The triangles of a mesh that share a texture.
struct TracedPart {
    const Mesh* mesh = nullptr;
    const std::vector<Vec3f>*points = nullptr, *open = nullptr;  // see MovedMesh
    Quatf rotation{0, 0, 0, 1}, open_rotation{0, 0, 0, 1};
    bool has_inside = false;
    MeshPart part;
};

// The vertices of a mesh in world space, with one more behind the last, because Embree reads 16
// bytes of each.
struct MovedMesh {
    std::vector<Vec3f> points;
    std::vector<Vec3f> open;  // when the shutter opened; empty: it does not move
};

// Strands wider than this are round if the settings leave it open.
constexpr float kRoundPixels = 2;

// Decides whether strands are round, by their width on screen.
class RoundStrands {
public:
    RoundStrands(const Picture& picture, int image_height)
        : shape_(picture.settings.curves), camera_(picture.camera) {
        if (image_height > 0)
            least_ = kRoundPixels * camera_.half_height / static_cast<float>(image_height);
    }

    bool operator()(std::span<const CurveVertex> strand) const {
        if (shape_ != CurveShape::automatic) return shape_ == CurveShape::round;
        return std::ranges::any_of(strand, [&](const CurveVertex& vertex) {
            const float depth = dot(vertex.position - camera_.eye, camera_.forward);
            return depth > 0 && vertex.radius > least_ * depth;
        });
    }

private:
    CurveShape shape_;
    CameraFrame camera_;
    float least_ = std::numeric_limits<float>::infinity();  // radius over depth
};

// Discards hits of tubes from inside, where light leaves a fibre. The scattering function of the
// fibre contains all that happens within.
void skip_exits(const RTCFilterFunctionNArguments* arguments) {
    const unsigned count = arguments->N;
    for (unsigned i = 0; i < count; ++i) {
        if (arguments->valid[i] != -1) continue;
        const Vec3f normal{RTCHitN_Ng_x(arguments->hit, count, i),
                           RTCHitN_Ng_y(arguments->hit, count, i),
                           RTCHitN_Ng_z(arguments->hit, count, i)};
        const Vec3f direction{RTCRayN_dir_x(arguments->ray, count, i),
                              RTCRayN_dir_y(arguments->ray, count, i),
                              RTCRayN_dir_z(arguments->ray, count, i)};
        if (dot(normal, direction) > 0) arguments->valid[i] = 0;
    }
}

// Discards hits in the holes of a texture.
void skip_holes(const RTCFilterFunctionNArguments* arguments) {
    const auto* const own = static_cast<const TracedPart*>(arguments->geometryUserPtr);
    const unsigned count = arguments->N;
    for (unsigned i = 0; i < count; ++i) {
        if (arguments->valid[i] != -1) continue;
        const std::uint32_t triangle =
            own->part.triangles[RTCHitN_primID(arguments->hit, count, i)];
        const Vec2f uv = mesh_uv(*own->mesh, triangle, RTCHitN_u(arguments->hit, count, i),
                                 RTCHitN_v(arguments->hit, count, i));
        if (sample_texture(own->part, uv).alpha < 0.5f) arguments->valid[i] = 0;
    }
}

Vec3f moved(const Rigidf& transform, Vec3f p) {
    return rotate(normalise(transform.rotation), p) + transform.translation;
}

void include(Bounds& all, Vec3f p) {
    if (!std::isfinite(p.x + p.y + p.z)) return;
    all.low = {min(all.low.x, p.x), min(all.low.y, p.y), min(all.low.z, p.z)};
    all.high = {max(all.high.x, p.x), max(all.high.y, p.y), max(all.high.z, p.z)};
}

RTCRay embree_ray(const Ray& ray) {
    RTCRay out{};
    out.org_x = ray.origin.x;
    out.org_y = ray.origin.y;
    out.org_z = ray.origin.z;
    out.tnear = ray.near;
    out.dir_x = ray.direction.x;
    out.dir_y = ray.direction.y;
    out.dir_z = ray.direction.z;
    out.tfar = ray.far;
    out.time = ray.time;
    out.mask = ~0u;
    return out;
}

}  // namespace

struct RayScene::Impl {
    Device device;
    Scene scene;
    Scene insides;  // the meshes in which light travels; null: there are none
    StrandCurves curves;
    unsigned flat_geometry = RTC_INVALID_GEOMETRY_ID, round_geometry = RTC_INVALID_GEOMETRY_ID;
    std::deque<TracedPart> parts;  // by geometry; their addresses do not change
    std::deque<MovedMesh> moved_meshes;
    Mesh shapes;
    Bounds bounds{{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

    void add_strands(const Picture& picture, int image_height);
    // Returns the geometry of some of the segments of `curves`.
    unsigned add_curves(RTCGeometryType type, const std::vector<std::uint32_t>& segments);
    // `open` is the pose when the shutter opened; null: the mesh does not move.
    void add_mesh(const Mesh& mesh, const Rigidf& transform, const OpenShutter::MeshPose* open,
                  bool has_inside);
    void add_part(TracedPart added);
    void measure(const Picture& picture);
    void fill_mesh_hit(const RTCHit& hit, const Ray& ray, RayHit& out) const;
    void fill_strand_hit(const RTCHit& hit, const Ray& ray, RayHit& out) const;
};

void RayScene::Impl::add_strands(const Picture& picture, int image_height) {
    const OpenShutter* const shutter = picture.open_shutter.get();
    const bool moves = shutter && picture.strands.layout &&
                       shutter->positions.layout_ref().get() == picture.strands.layout;
    curves = curves_of(picture.strands, picture.settings.width,
                       moves ? &shutter->positions : nullptr, RoundStrands(picture, image_height));
    flat_geometry = add_curves(RTC_GEOMETRY_TYPE_FLAT_CATMULL_ROM_CURVE, curves.flat_segments);
    round_geometry = add_curves(RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE, curves.round_segments);
}

unsigned RayScene::Impl::add_curves(RTCGeometryType type,
                                    const std::vector<std::uint32_t>& segments) {
    if (segments.empty()) return RTC_INVALID_GEOMETRY_ID;
    RTCGeometry geometry = rtcNewGeometry(device.get(), type);
    static_assert(sizeof(CurveVertex) == 16);
    const auto set_vertices = [&](unsigned step, const std::vector<CurveVertex>& vertices) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT4,
                                   vertices.data(), 0, sizeof(CurveVertex), vertices.size());
    };
    if (curves.open.empty()) {
        set_vertices(0, curves.vertices);
    } else {
        rtcSetGeometryTimeStepCount(geometry, 2);
        set_vertices(0, curves.open);
        set_vertices(1, curves.vertices);
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, segments.data(),
                               0, sizeof(std::uint32_t), segments.size());
    if (type == RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE) {
        rtcSetGeometryIntersectFilterFunction(geometry, skip_exits);
        rtcSetGeometryOccludedFilterFunction(geometry, skip_exits);
    }
    rtcCommitGeometry(geometry);
    const unsigned number = rtcAttachGeometry(scene.get(), geometry);
    rtcReleaseGeometry(geometry);
    return number;
}

void RayScene::Impl::add_part(TracedPart added) {
    RTCGeometry geometry = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    const Mesh& mesh = *added.mesh;
    auto* const corners = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), added.part.triangles.size()));
    if (corners)
        for (std::size_t i = 0; i < added.part.triangles.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k)
                corners[i * 3 + k] = mesh.indices[added.part.triangles[i] * std::size_t{3} + k];
    const auto set_vertices = [&](unsigned step, const std::vector<Vec3f>& vertices) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT3,
                                   vertices.data(), 0, sizeof(Vec3f), vertices.size() - 1);
    };
    if (added.open) rtcSetGeometryTimeStepCount(geometry, 2);
    set_vertices(0, added.open ? *added.open : *added.points);
    if (added.open) set_vertices(1, *added.points);
    parts.push_back(std::move(added));
    if (parts.back().part.texture && has_holes(*parts.back().part.texture)) {
        rtcSetGeometryUserData(geometry, &parts.back());
        rtcSetGeometryIntersectFilterFunction(geometry, skip_holes);
        rtcSetGeometryOccludedFilterFunction(geometry, skip_holes);
    }
    rtcCommitGeometry(geometry);
    const auto number = static_cast<unsigned>(parts.size() - 1);
    rtcAttachGeometryByID(scene.get(), geometry, number);
    if (parts.back().has_inside) rtcAttachGeometryByID(insides.get(), geometry, number);
    rtcReleaseGeometry(geometry);
}

void RayScene::Impl::add_mesh(const Mesh& mesh, const Rigidf& transform,
                              const OpenShutter::MeshPose* open, bool has_inside) {
    if (mesh.indices.empty()) return;
    const auto points_of = [](const std::vector<Vec3f>& positions, const Rigidf& pose) {
        std::vector<Vec3f> out;
        out.reserve(positions.size() + 1);
        for (const Vec3f p : positions) out.push_back(moved(pose, p));
        out.push_back({0, 0, 0});
        return out;
    };
    MovedMesh& own = moved_meshes.emplace_back();
    own.points = points_of(mesh.positions, transform);
    const bool moves = open && open->positions.size() == mesh.positions.size();
    if (moves) own.open = points_of(open->positions, open->transform);
    const Quatf rotation = normalise(transform.rotation);
    for (MeshPart& part : split_by_texture(mesh))
        if (!part.triangles.empty())
            add_part({&mesh, &own.points, moves ? &own.open : nullptr, rotation,
                      moves ? normalise(open->transform.rotation) : rotation, has_inside,
                      std::move(part)});
}

// The extent that camera and light fit, as the real-time renderer has it.
void RayScene::Impl::measure(const Picture& picture) {
    for (const DrawnMesh& drawn : picture.meshes) {
        if (!drawn.mesh || drawn.mesh->indices.empty()) continue;
        const Bounds box = bounds_of(*drawn.mesh);
        for (int corner = 0; corner < 8; ++corner)
            include(bounds, moved(drawn.transform, {corner & 1 ? box.high.x : box.low.x,
                                                    corner & 2 ? box.high.y : box.low.y,
                                                    corner & 4 ? box.high.z : box.low.z}));
    }
    if (!curves.flat_segments.empty() || !curves.round_segments.empty()) {
        include(bounds, curves.bounds.low);
        include(bounds, curves.bounds.high);
    }
    for (const DrawnShape& shape : picture.shapes) {
        if (shape.is_ground) continue;
        for (const float reach : {-shape.radius, shape.radius})
            for (const Vec3f end : {shape.a, shape.b})
                include(bounds, end + Vec3f{reach, reach, reach});
    }
    if (bounds.low.x > bounds.high.x) bounds = {{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}};
}

RayScene::RayScene(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;

Result<RayScene> RayScene::build(const Picture& picture, int image_height) {
    RayScene out(std::make_unique<Impl>());
    Impl* const impl = out.impl_.get();
    impl->device.reset(rtcNewDevice(nullptr));
    if (!impl->device) return Error{"Embree cannot start on this processor", {}};
    impl->scene.reset(rtcNewScene(impl->device.get()));
    const bool has_insides = picture.settings.subsurface > 0;
    if (has_insides) impl->insides.reset(rtcNewScene(impl->device.get()));
    impl->shapes = mesh_of(picture.shapes);
    const OpenShutter* const shutter = picture.open_shutter.get();
    for (std::size_t k = 0; k < picture.meshes.size(); ++k) {
        const DrawnMesh& drawn = picture.meshes[k];
        const bool moves = shutter && k < shutter->meshes.size();
        if (drawn.mesh)
            impl->add_mesh(*drawn.mesh, drawn.transform, moves ? &shutter->meshes[k] : nullptr,
                           has_insides);
    }
    impl->add_mesh(impl->shapes, {}, nullptr, false);
    impl->add_strands(picture, image_height);
    impl->measure(picture);
    rtcCommitScene(impl->scene.get());
    if (has_insides) rtcCommitScene(impl->insides.get());
    const RTCError error = rtcGetDeviceError(impl->device.get());
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return Error{"not enough memory to trace " + std::to_string(out.segment_count()) +
                         " segments: draw fewer strands (groom.strands)",
                     {}};
    if (error != RTC_ERROR_NONE)
        return Error{"Embree failed with error " + std::to_string(error), {}};
    return out;
}

void RayScene::Impl::fill_mesh_hit(const RTCHit& hit, const Ray& ray, RayHit& out) const {
    const TracedPart& own = parts[hit.geomID];
    const Mesh& mesh = *own.mesh;
    const std::uint32_t triangle = own.part.triangles[hit.primID];
    const std::uint32_t* const corner = &mesh.indices[triangle * std::size_t{3}];
    out.kind = RayHit::Kind::mesh;
    out.colour = mesh_colour(mesh, own.part, triangle, hit.u, hit.v);
    out.has_inside = own.has_inside;
    const auto place = [&](std::size_t k) {
        const Vec3f p = (*own.points)[corner[k]];
        return own.open ? (*own.open)[corner[k]] * (1 - ray.time) + p * ray.time : p;
    };
    if (own.open) {
        const auto way = [&](std::size_t k) {
            return (*own.points)[corner[k]] - (*own.open)[corner[k]];
        };
        out.motion = way(0) * (1 - hit.u - hit.v) + way(1) * hit.u + way(2) * hit.v;
    }
    const Vec3f a = place(0);
    Vec3f face = unit_or(cross(place(1) - a, place(2) - a), Vec3f{0, 1, 0});
    Vec3f smooth = face;
    const Quatf rotation =
        own.open ? between({own.open_rotation, {}}, {own.rotation, {}}, ray.time).rotation
                 : own.rotation;
    if (mesh.normals.size() == mesh.positions.size())
        smooth = unit_or(
            rotate(rotation, mesh.normals[corner[0]] * (1 - hit.u - hit.v) +
                                 mesh.normals[corner[1]] * hit.u + mesh.normals[corner[2]] * hit.v),
            face);
    if (dot(face, ray.direction) > 0) {
        face = -face;
        smooth = -smooth;
    }
    // A smooth normal may point away from the eye near the outline: bends it until it does not.
    const float away = dot(smooth, ray.direction);
    if (away > -0.01f) smooth = unit_or(smooth - ray.direction * (away + 0.01f), face);
    out.face_normal = face;
    out.normal = smooth;
}

void RayScene::Impl::fill_strand_hit(const RTCHit& hit, const Ray& ray, RayHit& out) const {
    out.kind = RayHit::Kind::strand;
    out.is_round = hit.geomID == round_geometry;
    const std::uint32_t segment =
        (out.is_round ? curves.round_segments : curves.flat_segments)[hit.primID];
    const CurvePoint point = curves.point(segment, hit.u, ray.time);
    out.tangent = point.tangent;
    out.colour = point.colour;
    out.radius = point.radius;
    out.motion = point.motion;
    const Vec3f across =
        unit_or(point.tangent * dot(ray.direction, point.tangent) - ray.direction, -ray.direction);
    if (!out.is_round) {
        out.normal = across;
        // Embree counts across the curve in the direction of the azimuth.
        out.h = std::clamp(-hit.v, -1.0f, 1.0f);
        return;
    }
    out.normal = unit_or(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z}, across);
    // The normal of a tapered or bent tube is not quite perpendicular to its centre line.
    const Vec3f outwards =
        unit_or(out.normal - point.tangent * dot(out.normal, point.tangent), across);
    out.h = std::clamp(-dot(outwards, cross(point.tangent, across)), -1.0f, 1.0f);
}

namespace {

// The nearest hit; geomID is RTC_INVALID_GEOMETRY_ID if there is none.
RTCRayHit nearest_in(RTCScene scene, const Ray& ray) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = embree_ray(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, &query);
    return query;
}

RayHit hit_at(const RTCRayHit& query, const Ray& ray) {
    RayHit out;
    out.distance = query.ray.tfar;
    out.time = ray.time;
    out.position = ray.origin + ray.direction * out.distance;
    return out;
}

}  // namespace

RayHit RayScene::hit(const Ray& ray) const {
    const RTCRayHit query = nearest_in(impl_->scene.get(), ray);
    const unsigned geometry = query.hit.geomID;
    if (geometry == RTC_INVALID_GEOMETRY_ID) return {};
    RayHit out = hit_at(query, ray);
    if (geometry == impl_->flat_geometry || geometry == impl_->round_geometry)
        impl_->fill_strand_hit(query.hit, ray, out);
    else
        impl_->fill_mesh_hit(query.hit, ray, out);
    return out;
}

RayHit RayScene::exit(const Ray& ray) const {
    if (!impl_->insides) return {};
    const RTCRayHit query = nearest_in(impl_->insides.get(), ray);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    RayHit out = hit_at(query, ray);
    impl_->fill_mesh_hit(query.hit, ray, out);
    out.normal = -out.normal;
    out.face_normal = -out.face_normal;
    return out;
}

bool RayScene::is_blocked(const Ray& ray) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay query = embree_ray(ray);
    rtcOccluded1(impl_->scene.get(), &context, &query);
    return query.tfar < 0;
}

const Bounds& RayScene::bounds() const { return impl_->bounds; }
std::size_t RayScene::segment_count() const {
    return impl_->curves.flat_segments.size() + impl_->curves.round_segments.size();
}

std::string ray_library() {
    return "Embree " + std::to_string(RTC_VERSION_MAJOR) + "." + std::to_string(RTC_VERSION_MINOR) +
           "." + std::to_string(RTC_VERSION_PATCH);
}

}  // namespace ringlet
