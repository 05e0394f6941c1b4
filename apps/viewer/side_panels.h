// The panels left and right of the picture, the menu bar above and the status bar below it.
#pragma once

#include "session/control/document.h"
#include "viewer/gui.h"
#include "viewer/statistics.h"

namespace ringlet {

// State of the running scene that the panels display.
struct RunState {
    bool paused = false, recording = false, gravity = true;
    int recorded_frames = 0;
    double time = 0;          // s
    StrandVertex selected{};  // a vertex of a simulated strand
};

// Heights of the bars and widths of the side panels as drawn, in pixels. Hidden panels are 0.
struct PanelSizes {
    float top = 0, bottom = 0, left = 0, right = 0;
};

PanelSizes draw_side_panels(Document& document, const RunState& run, const Statistics& statistics,
                            Ui& ui, float scale);

// The contents of the two side panels.
void draw_left_panel(Document& document, Ui& ui);
void draw_right_panel(Document& document, const RunState& run, const Statistics& statistics,
                      Ui& ui);

// The brush that paints where hair grows.
void draw_paint_panel(Ui& ui);

// Begins a collapsible panel whose open state is stored in the layout. Returns true if it is open.
bool begin_panel(const std::string& name, Ui& ui);

}  // namespace ringlet
