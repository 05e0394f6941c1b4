// Interactive control of a running session: time, editing, display, picking, dragging and
// inspection. Together with Document this is all that the viewer uses of the session module.
#pragma once

#include "base/messages.h"
#include "picture/picture.h"
#include "ringlet/session.h"
#include "scene/scene.h"
#include "session/colour_scale.h"
#include "session/control/growth_view.h"
#include "session/control/ray_cast.h"

namespace ringlet {

// The kind of object that a mouse ray hits.
enum class GrabTarget {
    none,
    background,  // nothing was hit
    hair,
    head,
    collider,
    skin  // of the head, which is being painted
};

// One vertex of a simulated strand. Negative: none.
struct StrandVertex {
    int actor = -1;
    int strand = -1;  // index among the actor's simulated strands
    int vertex = -1;
};

struct Grab {
    GrabTarget target = GrabTarget::none;
    Vec3f point{0, 0, 0};  // m, world space
    int actor = -1;
    int collider = -1;    // index of the collider; -1: none
    StrandVertex hair{};  // the strand that was hit, or the guide with the most influence on it
};

// Quantities of a strand and of one of its vertices after the last step. Positions are in the
// actor's frame.
struct StrandInfo {
    int strand_count = 0;               // simulated strands of the actor
    int vertex = 0, vertex_count = 0;   // vertex: limited to the strand's vertices
    float length = 0, rest_length = 0;  // m
    Vec3f root, position;               // m
    float diameter = 0;                 // m
    float stretch = 0;                  // %, see debug_value()
    float speed = 0;                    // m/s
    float distance = 0;                 // mm, to the nearest collider
    float acceleration = 0;             // m/s^2, by the model beyond gravity
    std::vector<float> speeds;          // m/s, of all vertices from root to tip
};

// A point of the skin of the first head.
struct SkinHit {
    Vec3f world;  // m, as displayed
    Vec3f rest;   // m, on groom.mesh in its rest shape, in the head's frame
};

// Measurements since the session was opened or reset, and of the last step.
struct StepStatistics {
    int steps = 0;       // since the start
    double seconds = 0;  // wall-clock time of these steps
    struct Stage {
        std::string name;
        double ms = 0;
    };
    std::vector<Stage> stages;              // of the last step, summed over actors
    double max_stretch = 0;                 // of the last step, as Report
    double max_penetration = 0;             // m, of the last step
    std::int64_t penetrating_vertices = 0;  // of the last step
};

// Owns a session. Movable. Not thread-safe.
class SessionControl {
public:
    explicit SessionControl(Session session);
    static Result<SessionControl> open(const std::string& scene, const SessionOptions& options,
                                       const Listener& listener);

    // The running scene. Valid until change_scene().
    const Scene& scene() const;
    // Applies an edited scene with as little interruption as possible. On failure nothing changes.
    Result<void> change_scene(const Scene& edited);
    // Assumptions and warnings about the running scene. Valid until change_scene().
    const Messages& messages() const;
    // Changes the camera without applying anything else.
    void set_camera(const Camera& camera);

    // Simulated time of the last step, in seconds, and the number of steps.
    double time() const;
    int step_count() const;
    // Advances by one step.
    void step();
    // Steps until `time` (s) is reached and displays the state at exactly that time.
    void advance_to(double time);
    // Returns to time 0 and displays it.
    void reset();
    // False replaces the scene's gravity by zero.
    void set_gravity(bool enabled);

    // See Session.
    std::string hash() const;
    int strand_count() const;
    std::int64_t vertex_count() const;  // of all strands
    // Blocks until a GPU has finished the last step.
    StepStatistics statistics();

    // The displayed state. Borrows from the session: valid until the next call that advances or
    // changes it.
    Picture picture() const;
    // A number that grows whenever picture() may have changed.
    std::int64_t revision() const { return revision_; }
    // Bounds of the displayed heads and strands in metres.
    Bounds bounds() const;
    // Adds lines along a strand to the picture; `width` in pixels. Does nothing if there is no such
    // strand.
    void highlight(const StrandVertex& strand, float width, Picture& picture) const;
    // Returns nullopt if there is no such strand.
    std::optional<StrandInfo> inspect(const StrandVertex& strand) const;

    // The first displayed object along a ray. `slope` as in hit_strand(). Colliders count only if
    // they are displayed.
    Grab pick(const Ray& ray, float slope) const;
    // The skin of the first head along a ray, whatever hair covers it.
    std::optional<SkinHit> surface_at(const Ray& ray) const;
    // x of the symmetry plane of the first head, in the head's frame.
    float mirror_x() const;
    // The painting that the running scene uses; a painting without nodes if there is none.
    GrowthPaint growth_paint() const;
    // Adds points that show where hair grows on the first head if `paint` is its painting.
    void show_growth(const std::shared_ptr<const GrowthPaint>& paint, Picture& picture);
    // Pulls the hair within `radius` (m) of the line of sight through `point` along `way` (m),
    // which the mouse travelled in `seconds`. Stays in effect until stop_combing().
    void comb(const Camera& camera, Vec3f point, Vec3f way, double seconds, float radius);
    void stop_combing();
    // Move or turn an actor's head in addition to its own motion. See drag.h.
    void move_head(int actor, Vec3f way);
    void turn_head(int actor, const Camera& camera, float about_y, float about_right);
    // Moves `collider`, which may belong to an edited copy of the scene, with an actor's frame.
    void move_collider(Collider& collider, int actor, Vec3f way) const;

private:
    void apply_gravity();

    Session session_;
    bool gravity_ = true;
    std::int64_t revision_ = 0;
    double displayed_time_ = -1;  // s; -1: unknown
    // Where hair grows in the running scene. Created when it is first shown, and deleted when the
    // scene changes.
    std::unique_ptr<GrowthView> growth_view_;
};

}  // namespace ringlet
