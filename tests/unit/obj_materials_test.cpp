// Colours and textures of material libraries as other programs write them.
#include <gtest/gtest.h>

#include <random>

#include "base/files.h"
#include "io/image/image_file.h"
#include "io/obj/obj_reader.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

const std::string kFace = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";

// A folder with a.obj, whose only triangle has the material m of a.mtl, and skin.png, 3 x 2.
class obj_materials : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(write_file(folder_ / "a.obj", "mtllib a.mtl\n" + kFace));
        ASSERT_TRUE(write_image(folder_ / "skin.png", {3, 2, std::vector<std::uint8_t>(24, 200)}));
    }

    Mesh read(const std::string& mtl) {
        EXPECT_TRUE(write_file(folder_ / "a.mtl", mtl));
        const Result<Mesh> mesh = read_obj(folder_ / "a.obj");
        if (mesh && mesh->materials.size() == 1) return *mesh;
        ADD_FAILURE() << (mesh ? "no material" : mesh.error().text());
        Mesh none;
        none.materials.resize(1);
        return none;
    }
    bool has_skin(const std::string& mtl) {
        const Mesh mesh = read(mtl);
        for (const std::string& warning : mesh.warnings) ADD_FAILURE() << mtl << ": " << warning;
        const Image* texture = mesh.materials[0].texture.get();
        return texture && texture->width == 3 && texture->height == 2;
    }

    TempFolder folder_;
};

void expect_colour(const Material& material, Vec3f colour) {
    EXPECT_FLOAT_EQ(material.colour.x, colour.x);
    EXPECT_FLOAT_EQ(material.colour.y, colour.y);
    EXPECT_FLOAT_EQ(material.colour.z, colour.z);
}

TEST_F(obj_materials, a_material_without_colour_is_light_grey) {
    for (const char* mtl : {"newmtl m\n", "newmtl m\nKa 1 0 0\nKs 1 1 1\n", "newmtl m\nKd\n",
                            "newmtl m\nKd spectral file.rfl\n", "newmtl x\nKd 1 0 0\nnewmtl m\n"})
        expect_colour(read(mtl).materials[0], Material{}.colour);
    expect_colour(read("newmtl m\nKd 0 0 0\n").materials[0], {0, 0, 0});
}

TEST_F(obj_materials, reads_colours_in_all_forms) {
    expect_colour(read("\xef\xbb\xbfnewmtl m\r\n\tKd  0.5\t0.25 1e0 \r\n").materials[0],
                  {0.5f, 0.25f, 1});
    expect_colour(read("newmtl m\nKd 0.5\n").materials[0], {0.5f, 0.5f, 0.5f});
    expect_colour(read("newmtl m\nKd 7 -3 0.5\n").materials[0], {1, 0, 0.5f});
    expect_colour(read("newmtl m\nKd 0.5 0 0\nnewmtl m\nKd 0 1 0\n").materials[0], {0.5f, 0, 0});
}

TEST_F(obj_materials, reads_opacity_and_prefers_d_to_tr) {
    for (const auto& [mtl, opacity] :
         {std::pair{"", 1.0f}, std::pair{"d 0.25\n", 0.25f}, std::pair{"Tr 0.25\n", 0.75f},
          std::pair{"d 0.25\nTr 0.25\n", 0.25f}, std::pair{"Tr 0.25\nd 0.25\n", 0.25f},
          std::pair{"d -halo 0.25\n", 0.25f}, std::pair{"d nan\n", 1.0f}, std::pair{"d 9\n", 1.0f}})
        EXPECT_FLOAT_EQ(read(std::string("newmtl m\n") + mtl).materials[0].opacity, opacity) << mtl;
}

TEST_F(obj_materials, finds_the_texture_in_the_folder_of_the_library) {
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_kd   skin.png  \r\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd \"skin.png\"\n"));
    EXPECT_FALSE(has_skin("newmtl m\nmap_Ks skin.png\nmap_Bump skin.png\n"));
}

TEST_F(obj_materials, finds_textures_with_blanks_in_folders_and_by_windows_paths) {
    std::filesystem::create_directory(folder_ / "my maps");
    std::filesystem::rename(folder_ / "skin.png", folder_ / "my maps/the skin.png");
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd my maps/the skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd my maps\\the skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd .\\my maps\\\\the skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd " + (folder_ / "my maps/the skin.png").string()));
}

TEST_F(obj_materials, falls_back_to_the_name_in_the_folder_of_the_library) {
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd /home/someone/maps/skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd C:\\Users\\someone\\maps\\skin.png\n"));
    EXPECT_TRUE(has_skin("newmtl m\nmap_Kd textures/skin.png\n"));
}

TEST_F(obj_materials, searches_the_folder_of_a_library_elsewhere) {
    std::filesystem::create_directory(folder_ / "materials");
    std::filesystem::rename(folder_ / "skin.png", folder_ / "materials/skin.png");
    ASSERT_TRUE(write_file(folder_ / "materials/b.mtl", "newmtl m\nmap_Kd skin.png\n"));
    ASSERT_TRUE(write_file(folder_ / "a.obj", "mtllib materials/b.mtl\n" + kFace));
    EXPECT_TRUE(has_skin(""));
}

TEST_F(obj_materials, ignores_options_but_scale_and_offset) {
    for (const char* options :
         {"-s 2 3 1", "-s 2 3", "-s 2 3 1 -o 0.25 0.5", "-o 0.25 0.5 0 -s 2 3 1", "-bm 1.5 -s 2 3",
          "-clamp on -blendu off -blendv on -s 2 3 -mm 0 1", "-type sphere -s 2 3 -texres 512",
          "-t 1 1 1 -imfchan m -boost 2 -cc on -s 2 3 -colorspace sRGB"}) {
        const Mesh mesh = read("newmtl m\nmap_Kd " + std::string(options) + " skin.png\n");
        ASSERT_TRUE(mesh.materials[0].texture) << options;
        EXPECT_FLOAT_EQ(mesh.materials[0].texture_scale.x, 2) << options;
        EXPECT_FLOAT_EQ(mesh.materials[0].texture_scale.y, 3) << options;
        const bool moved = std::string(options).find("-o") != std::string::npos;
        EXPECT_FLOAT_EQ(mesh.materials[0].texture_offset.x, moved ? 0.25f : 0) << options;
        EXPECT_FLOAT_EQ(mesh.materials[0].texture_offset.y, moved ? 0.5f : 0) << options;
    }
    // A single number applies to u only.
    const Mesh mesh = read("newmtl m\nmap_Kd -s 2 skin.png\n");
    ASSERT_TRUE(mesh.materials[0].texture);
    EXPECT_FLOAT_EQ(mesh.materials[0].texture_scale.y, 1);
}

TEST_F(obj_materials, a_textured_material_is_white_unless_a_colour_is_given) {
    const std::string map = "map_Kd skin.png\n";
    expect_colour(read("newmtl m\n" + map).materials[0], {1, 1, 1});
    expect_colour(read("newmtl m\nKd 0 0 0\n" + map).materials[0], {1, 1, 1});
    expect_colour(read("newmtl m\n" + map + "Kd 0.5 0.25 1\n").materials[0], {0.5f, 0.25f, 1});
}

TEST_F(obj_materials, warns_about_a_missing_texture_and_keeps_the_colour) {
    const Mesh mesh = read("newmtl m\nKd 0.5 0.25 0\nmap_Kd maps\\gone.png\n");
    EXPECT_FALSE(mesh.materials[0].texture);
    expect_colour(mesh.materials[0], {0.5f, 0.25f, 0});
    ASSERT_EQ(mesh.warnings.size(), 1u);
    EXPECT_NE(mesh.warnings[0].find("\"gone.png\""), std::string::npos) << mesh.warnings[0];
    EXPECT_NE(mesh.warnings[0].find("\"m\""), std::string::npos) << mesh.warnings[0];
    expect_colour(read("newmtl m\nmap_Kd gone.png\n").materials[0], Material{}.colour);
}

TEST_F(obj_materials, warns_about_textures_that_are_not_images_or_files) {
    ASSERT_TRUE(write_file(folder_ / "text.png", "not a picture"));
    std::filesystem::create_directory(folder_ / "folder.png");
    for (const char* name : {"text.png", "folder.png", "/dev/zero", ".", "..", "/", "-s", "\\"}) {
        const Mesh mesh = read("newmtl m\nmap_Kd " + std::string(name) + "\n");
        EXPECT_FALSE(mesh.materials[0].texture) << name;
        ASSERT_EQ(mesh.warnings.size(), 1u) << name;
        EXPECT_EQ(mesh.warnings[0].find('\n'), std::string::npos);
    }
}

TEST_F(obj_materials, warns_about_a_missing_library) {
    ASSERT_TRUE(write_file(folder_ / "a.obj", "mtllib gone.mtl\n" + kFace));
    const Mesh mesh = read("");
    ASSERT_EQ(mesh.warnings.size(), 1u);
    EXPECT_NE(mesh.warnings[0].find("\"gone.mtl\""), std::string::npos) << mesh.warnings[0];
}

TEST_F(obj_materials, reads_an_image_once_and_only_if_a_face_uses_it) {
    ASSERT_TRUE(write_file(folder_ / "a.obj", "mtllib a.mtl\n" + kFace + "usemtl n\nf 1 2 3\n"));
    ASSERT_TRUE(write_file(folder_ / "a.mtl",
                           "newmtl m\nmap_Kd skin.png\nnewmtl n\nmap_Kd ./skin.png\n"
                           "newmtl unused\nmap_Kd gone.png\n"));
    const Result<Mesh> mesh = read_obj(folder_ / "a.obj");
    ASSERT_TRUE(mesh) << mesh.error().text();
    ASSERT_EQ(mesh->materials.size(), 2u);
    EXPECT_TRUE(mesh->materials[0].texture);
    EXPECT_EQ(mesh->materials[0].texture, mesh->materials[1].texture);
    EXPECT_TRUE(mesh->warnings.empty());
}

TEST_F(obj_materials, limits_the_number_of_warnings) {
    std::string obj = "mtllib a.mtl\n" + kFace, mtl;
    for (int i = 0; i < 500; ++i) {
        const std::string name = "m" + std::to_string(i);
        obj += "usemtl " + name + "\nf 1 2 3\n";
        mtl += "newmtl " + name + "\nmap_Kd gone" + name + ".png\n";
    }
    ASSERT_TRUE(write_file(folder_ / "a.obj", obj));
    ASSERT_TRUE(write_file(folder_ / "a.mtl", mtl));
    const Result<Mesh> mesh = read_obj(folder_ / "a.obj");
    ASSERT_TRUE(mesh);
    EXPECT_GT(mesh->warnings.size(), 10u);
    EXPECT_LT(mesh->warnings.size(), 30u);
}

TEST_F(obj_materials, survives_truncation_and_flipped_bits) {
    const std::string whole =
        "newmtl m\nKd 0.5 0.25 1\nd 0.75\nTr 0.25\nmap_Kd -s 1 2 3 -o 1 -mm 0 1 -bm 1 skin.png\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) read(whole.substr(0, length));
    std::mt19937 random(3);
    int textures = 0;
    for (int round = 0; round < 2000; ++round) {
        std::string mtl = whole;
        for (int flips = 0; flips < 1 + round % 3; ++flips) {
            char& byte = mtl[random() % mtl.size()];
            byte = static_cast<char>(byte ^ (1 << random() % 8));
        }
        const Material material = read(mtl).materials[0];
        for (const float channel : {material.colour.x, material.colour.y, material.colour.z})
            ASSERT_TRUE(channel >= 0 && channel <= 1);
        ASSERT_TRUE(material.opacity >= 0 && material.opacity <= 1);
        textures += material.texture ? 1 : 0;
    }
    EXPECT_GT(textures, 100);
    EXPECT_LT(textures, 1990);
}

}  // namespace
}  // namespace ringlet
