// The panels on both sides of the picture, the bar above and the line below it.
#pragma once

#include "viewer/document.h"
#include "viewer/gui.h"
#include "viewer/statistics.h"

namespace ringlet {

// What the panels show of the run.
struct RunState {
    bool paused = false, recording = false, gravity = true;
    int recorded_frames = 0;
    double time = 0;                                                      // s
    float brush = 0;                                                      // m
    int selected_actor = -1, selected_strand = -1, selected_vertex = -1;  // of the simulated ones
};

// Heights of the bars and widths of the sides as drawn, px; sides that find no room are 0.
struct Sides {
    float top = 0, bottom = 0, left = 0, right = 0;
};

Sides draw_sides(Document& document, const RunState& run, const Statistics& statistics, Ui& ui,
                 float scale);

// The two sides' contents.
void draw_left_side(Document& document, Ui& ui);
void draw_right_side(Document& document, const RunState& run, const Statistics& statistics, Ui& ui);

// A panel that remembers whether it is open.
bool begin_panel(const std::string& name, Ui& ui);

}  // namespace ringlet
