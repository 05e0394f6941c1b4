#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "viewer/parameter_widget.h"
#include "viewer/side_panels.h"

namespace ringlet {

namespace {

ImVec4 to_colour(Vec3f linear) {
    const auto encode = [](float c) { return std::pow(std::clamp(c, 0.0f, 1.0f), 1 / 2.2f); };
    return {encode(linear.x), encode(linear.y), encode(linear.z), 1};
}

void plot(const char* id, const Series& series, const std::string& text, float least) {
    const std::vector<float>& values = series.values();
    ImGui::PlotLines(id, values.data(), static_cast<int>(values.size()), 0, text.c_str(), 0,
                     std::max(series.highest() * 1.7f, least),
                     {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 2.8f});
}

void draw_stages(const Statistics& statistics) {
    const float all = std::max(statistics.step_ms.mean(), 1e-3f);
    for (const Statistics::Stage& stage : statistics.stages) {
        const float ms = stage.ms.mean();
        ImGui::ProgressBar(ms / all, {-1, ImGui::GetFontSize() * 1.2f},
                           fmt::format("{}  {:.2f} ms", stage.name, ms).c_str());
    }
}

void draw_passes(const Statistics& statistics) {
    float all = 1e-3f;
    for (const Statistics::Pass& pass : statistics.passes) all += pass.gpu_ms.mean();
    for (const Statistics::Pass& pass : statistics.passes)
        ImGui::ProgressBar(pass.gpu_ms.mean() / all, {-1, ImGui::GetFontSize() * 1.2f},
                           fmt::format("{}  {:.2f} ms, CPU {:.2f}", pass.name, pass.gpu_ms.mean(),
                                       pass.cpu_ms.mean())
                               .c_str());
}

void draw_statistics(Document& document, const Statistics& statistics) {
    SessionControl& control = document.control();
    const float frame = statistics.frame_ms.mean();
    const float fps = frame > 0 ? 1000 / frame : 0;
    ImGui::Text("%d strands, %lld vertices", control.strand_count(),
                static_cast<long long>(control.vertex_count()));
    plot("##frame", statistics.frame_ms,
         fmt::format("{:.{}f} fps, frame {:.1f} ms", fps, fps < 10 ? 1 : 0, frame), 20);
    const FrameLimit limit = statistics.limit();
    if (limit.ms > 0)
        ImGui::TextWrapped("limited by %s; the work allows %.0f fps", limit.what.c_str(),
                           static_cast<double>(1000 / limit.ms));
    plot("##draw", statistics.draw_ms, fmt::format("drawing {:.1f} ms", statistics.draw_ms.mean()),
         5);
    draw_passes(statistics);
    ImGui::TextDisabled("%s", statistics.drawn_from_gpu ? "strands drawn from the GPU"
                                                        : "strands copied through the host");
    plot("##step", statistics.step_ms, fmt::format("a step {:.1f} ms", statistics.step_ms.mean()),
         5);
    draw_stages(statistics);
    plot("##stretch", statistics.stretch_percent,
         fmt::format("stretch {:.3f} % at most", statistics.stretch_percent.last()), 0.1f);
    plot("##inside", statistics.penetrating,
         fmt::format("{:.0f} vertices inside colliders", statistics.penetrating.last()), 5);
    ImGui::Text("deepest %.2f mm", control.statistics().max_penetration * 1000);
}

void draw_legend(ColourBy what) {
    const ColourScale scale = scale_of(what);
    if (scale.low == scale.high) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFontSize() * 0.8f;
    constexpr int kPieces = 32;
    for (int k = 0; k < kPieces; ++k) {
        const float a = static_cast<float>(k) / kPieces, b = static_cast<float>(k + 1) / kPieces;
        const ImU32 from = ImGui::GetColorU32(to_colour(colour_at(what, a)));
        const ImU32 to = ImGui::GetColorU32(to_colour(colour_at(what, b)));
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
            {at.x + a * width, at.y}, {at.x + b * width, at.y + height}, from, to, to, from);
    }
    ImGui::Dummy({width, height});
    const std::string high = fmt::format("{:g} {}", scale.high, scale.unit);
    ImGui::TextDisabled("%g", static_cast<double>(scale.low));
    ImGui::SameLine(ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(high.c_str()).x);
    ImGui::TextDisabled("%s", high.c_str());
    ImGui::TextDisabled("%s", scale.title);
}

void draw_debug(Document& document, Ui& ui) {
    const ParameterTable table = document.table();
    ImGui::PushID("debug");
    for (const char* key :
         {"render.colour_by", "render.grid", "render.strand_axes", "render.show_colliders"})
        for (const Parameter& p : table.parameters) {
            if (p.key != key) continue;
            if (edit_parameter(p, nullptr, p.key, ui)) document.changed(p.key);
            if (p.key == "render.colour_by") draw_legend(document.scene().render.colour_by);
        }
    ImGui::PopID();
}

void row(const char* name, const std::string& value) {
    ImGui::TextDisabled("%s", name);
    ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.45f);
    ImGui::TextUnformatted(value.c_str());
}

std::string point(Vec3f a) { return fmt::format("{:.3f} {:.3f} {:.3f}", a.x, a.y, a.z); }

void draw_strand(const Document& document, const RunState& run) {
    const std::optional<StrandInfo> info = document.control().inspect(run.selected);
    if (!info) {
        ImGui::TextDisabled("click a strand");
        return;
    }
    row("strand", fmt::format("{} of {}", run.selected.strand, info->strand_count));
    row("length", fmt::format("{:.4f} m ({:+.3f} %)", info->length,
                              (info->length / info->rest_length - 1) * 100));
    row("root at", point(info->root));
    row("vertex", fmt::format("{} of {}", info->vertex, info->vertex_count));
    row("at", point(info->position));
    row("diameter", fmt::format("{:.0f} um", info->diameter * 1e6f));
    row("stretch", fmt::format("{:.3g} %", info->stretch));
    row("speed", fmt::format("{:.3g} m/s", info->speed));
    row("to a collider", fmt::format("{:.3g} mm", info->distance));
    row("model's force", fmt::format("{:.3g} m/s^2", info->acceleration));
    ImGui::PlotHistogram("##along", info->speeds.data(), info->vertex_count, 0,
                         "speed, root to tip", 0, FLT_MAX,
                         {ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() * 3});
}

}  // namespace

void draw_right_panel(Document& document, const RunState& run, const Statistics& statistics,
                      Ui& ui) {
    if (begin_panel("Statistics", ui)) draw_statistics(document, statistics);
    if (begin_panel("Debug view", ui)) draw_debug(document, ui);
    if (begin_panel("Strand", ui)) draw_strand(document, run);
    if (begin_panel("Paint", ui)) draw_paint_panel(ui);
}

}  // namespace ringlet
