#include "viewer/gui.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <filesystem>

namespace ringlet {

namespace {

constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
constexpr float kFontSize = 14;  // px at scale 1

ImVec4 grey(float light, float alpha = 1) { return {light, light, light * 1.04f, alpha}; }

// Neutral greys that do not compete with the hair's colour; copper marks active widgets.
void set_style(float scale) {
    ImGui::StyleColorsDark();
    ImGuiStyle& style = ImGui::GetStyle();
    style.WindowRounding = 0;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = 3;
    style.WindowBorderSize = 0;
    style.FramePadding = {6, 3};
    style.ItemSpacing = {6, 4};
    style.WindowPadding = {8, 8};
    style.IndentSpacing = 12;
    style.ScrollbarSize = 11;
    style.GrabMinSize = 8;
    const ImVec4 copper{0.80f, 0.45f, 0.26f, 1}, dim{0.80f, 0.45f, 0.26f, 0.45f};
    ImVec4* colours = style.Colors;
    colours[ImGuiCol_WindowBg] = grey(0.125f, 0.98f);
    colours[ImGuiCol_PopupBg] = grey(0.11f, 0.98f);
    colours[ImGuiCol_TitleBg] = colours[ImGuiCol_TitleBgActive] = grey(0.2f);
    colours[ImGuiCol_MenuBarBg] = grey(0.10f);
    colours[ImGuiCol_FrameBg] = grey(0.20f);
    colours[ImGuiCol_FrameBgHovered] = grey(0.25f);
    colours[ImGuiCol_FrameBgActive] = grey(0.28f);
    colours[ImGuiCol_Header] = grey(0.185f);
    colours[ImGuiCol_HeaderHovered] = grey(0.25f);
    colours[ImGuiCol_HeaderActive] = grey(0.28f);
    colours[ImGuiCol_Button] = grey(0.24f);
    colours[ImGuiCol_ButtonHovered] = grey(0.32f);
    colours[ImGuiCol_ButtonActive] = dim;
    colours[ImGuiCol_SliderGrab] = dim;
    colours[ImGuiCol_SliderGrabActive] = copper;
    colours[ImGuiCol_CheckMark] = copper;
    colours[ImGuiCol_PlotLines] = copper;
    colours[ImGuiCol_PlotHistogram] = dim;
    colours[ImGuiCol_TextSelectedBg] = dim;
    colours[ImGuiCol_ResizeGrip] = grey(0.3f, 0.4f);
    colours[ImGuiCol_Text] = grey(0.88f);
    colours[ImGuiCol_TextDisabled] = grey(0.55f);
    style.ScaleAllSizes(scale);
}

}  // namespace

Gui::Gui(Window& window) : scale_(window.scale()) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // layout.h stores the layout instead.
    io.LogFilename = nullptr;
    std::error_code none;
    if (std::filesystem::exists(kFont, none)) {
        io.Fonts->AddFontFromFileTTF(kFont, kFontSize * scale_);
    } else {
        ImFontConfig config;
        config.SizePixels = 13 * scale_;
        io.Fonts->AddFontDefault(&config);
    }
    set_style(scale_);
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    ImGui_ImplOpenGL3_Init("#version 450 core");
}

Gui::~Gui() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void Gui::begin_frame(const std::optional<ScriptedMouse>& mouse) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    if (mouse) {
        ImGuiIO& io = ImGui::GetIO();
        io.MousePos = {mouse->at.x, mouse->at.y};
        io.MouseDown[0] = mouse->left;
        io.MouseDown[1] = mouse->right;
        io.MouseDown[2] = false;
    }
    ImGui::NewFrame();
}

void Gui::end_frame() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Gui::wants_text() const { return ImGui::GetIO().WantTextInput; }

}  // namespace ringlet
