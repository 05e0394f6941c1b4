/* The C interface: own strands, a collider, poses, saved states, and every kind of error. */
#include <math.h>
#include <ringlet/ringlet_c.h>
#include <stdio.h>
#include <string.h>

enum { kStrands = 50, kVertices = 12 };

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, ringlet_last_error());
    return 1;
}

static void make_strands(float *positions, int *counts) {
    for (int s = 0; s < kStrands; ++s) {
        const float angle = 0.1256f * (float)s;
        counts[s] = kVertices;
        for (int i = 0; i < kVertices; ++i) {
            *positions++ = 0.1f * cosf(angle) + 0.004f * (float)i;
            *positions++ = 1 - 0.015f * (float)i;
            *positions++ = 0.1f * sinf(angle);
        }
    }
}

/* Steps 30 frames with a head that turns. */
static int play(ringlet_hair *hair) {
    for (int frame = 0; frame < 30; ++frame) {
        const float turn = 0.02f * (float)frame;
        const ringlet_pose pose = {0, sinf(turn / 2), 0, cosf(turn / 2), {0, 0, 0}};
        ringlet_stepped stepped;
        if (ringlet_hair_set_head(hair, pose) != 0) return 1;
        if (ringlet_hair_step(hair, 1.0 / 60, &stepped) != 0 || stepped.steps != 1) return 1;
    }
    return 0;
}

/* A failure returns NULL or 1, and tells the cause. */
static int check_errors(ringlet_settings *settings, const float *positions, const int *counts) {
    if (ringlet_settings_set_number(settings, "sim.dt", 9) == 0) return 1;
    if (strstr(ringlet_last_error(), "sim.dt: 9 is not") == NULL) return 1;
    if (ringlet_settings_set_word(settings, "sim.model", "none") == 0) return 1;
    if (ringlet_hair_step(NULL, 1, NULL) == 0) return 1;
    if (ringlet_hair_create(NULL, counts, kStrands, NULL, NULL, 0, NULL) != NULL) return 1;
    const int wrong[2] = {3, 0};
    if (ringlet_hair_create(positions, wrong, 2, NULL, NULL, 0, NULL) != NULL) return 1;
    return strstr(ringlet_last_error(), "vertex_counts[1] is 0") == NULL;
}

int main(void) {
    float positions[3 * kStrands * kVertices];
    int counts[kStrands];
    make_strands(positions, counts);

    ringlet_settings *settings = ringlet_settings_create();
    const ringlet_vec3 gravity = {0, -9.81f, 0};
    if (settings == NULL || ringlet_settings_set_word(settings, "sim.model", "rod") != 0 ||
        ringlet_settings_set_number(settings, "sim.rod.radius", 45e-6) != 0 ||
        ringlet_settings_set_flag(settings, "sim.clamp_root", 0) != 0 ||
        ringlet_settings_set_vector(settings, "sim.gravity", gravity) != 0)
        return fail("settings");
    ringlet_collider head = ringlet_collider_default();
    head.motion = RINGLET_WITH_HEAD;
    head.centre.y = 0.95f;
    head.radius = 0.09f;
    ringlet_hair *hair =
        ringlet_hair_create(positions, counts, kStrands, settings, &head, 1, NULL);
    if (hair == NULL) return fail("create");

    const float *const memory = ringlet_hair_positions(hair).memory;
    size_t size = 0;
    void *const start = ringlet_hair_save(hair, &size);
    char first[17], second[17];
    if (start == NULL || play(hair) != 0 || ringlet_hair_hash(hair, first) != 0) return fail("play");
    if (ringlet_hair_load(hair, start, size) != 0 || play(hair) != 0) return fail("load");
    if (ringlet_hair_hash(hair, second) != 0 || strcmp(first, second) != 0) return fail("hash");
    ringlet_bytes_destroy(start);

    const ringlet_view view = ringlet_hair_positions(hair);
    if (view.memory != memory || view.strand_count != kStrands) return fail("view");
    const float *tip = view.memory + view.offsets[7] + (kVertices - 1) * view.vertex_stride;
    ringlet_report report;
    if (ringlet_hair_report(hair, &report) != 0 || report.steps != 30) return fail("report");
    printf("ringlet %s: hash %s, tip of strand 7 at y = %.3f m, largest stretch %.4f %%\n",
           ringlet_version(), first, (double)tip[view.component_stride], 100 * report.max_stretch);
    if (check_errors(settings, positions, counts) != 0) return fail("errors");
    ringlet_hair_destroy(hair);
    ringlet_settings_destroy(settings);
    return 0;
}
