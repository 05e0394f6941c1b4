// Numbers that C++ and the shaders share are written once, in shaders/constants.glsl.
#include "render_gl/shader_constants.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "render_gl/shader_source.h"
#include "test_paths.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The number of files in a folder; reports every match of the pattern as a failure.
int search(const fs::path& folder, const std::regex& pattern) {
    int files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        ++files;
        const std::string text = text_of(entry.path());
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end;
             ++match)
            ADD_FAILURE() << entry.path().filename() << ": " << match->str();
    }
    return files;
}

const fs::path kRenderer = fs::path(kSourceFolder) / "src/render_gl";

TEST(shader_constants, are_the_only_binding_numbers_in_shaders) {
    // Bindings, workgroup sizes and uniform locations. Locations of varyings are not shared.
    const std::regex literal(
        R"((binding|local_size_x)\s*=\s*\d+|location\s*=\s*\d+\s*\)\s*uniform)");
    EXPECT_GT(search(kRenderer / "shaders", literal), 50);
}

TEST(shader_constants, are_the_only_binding_numbers_in_calls) {
    const std::regex literal(
        R"(\bglUniform\w+\(\s*\d|\bgl(BindTextureUnit|BindImageTexture)\(\s*\d|)"
        R"(\bglBindBuffer(Base|Range)\(\s*\w+,\s*\d|\bbind_storage\(\s*\d)");
    EXPECT_GT(search(kRenderer, literal), 30);
}

TEST(shader_constants, begin_every_shader) {
    const std::string constants = text_of(kRenderer / "shaders/constants.glsl");
    ASSERT_NE(constants.find("kFrameBinding = " + std::to_string(shader::kFrameBinding)),
              std::string::npos);
    int shaders = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kRenderer / "shaders")) {
        if (entry.path().extension() == ".glsl") continue;
        ++shaders;
        const std::string_view source = shader_source(entry.path().filename().string());
        EXPECT_EQ(source.find(constants), std::string_view("#version 450 core\n").size())
            << entry.path().filename();
    }
    EXPECT_GT(shaders, 30);
}

}  // namespace
}  // namespace ringlet
