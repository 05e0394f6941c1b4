// Sculpts a furry animal of the example scenes: make_bunny bunny|creature FOLDER writes NAME.obj,
// NAME.mtl, NAME_colour.png and NAME_length.png there.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <string>

#include "io/image/image_file.h"
#include "surface_net.h"

namespace {

namespace fs = std::filesystem;

constexpr int kPaintSide = 96;  // px

std::string fixed(double value, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    std::string out = text;
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
    return out == "-0" ? "0" : out;
}

// A ball of its own, closed at the poles by short rows.
void add_ball(const Ball& ball, QuadMesh& mesh) {
    constexpr int kAround = 14, kRings = 8;
    const int first = static_cast<int>(mesh.positions.size());
    for (int r = 0; r <= kRings; ++r)
        for (int k = 0; k < kAround; ++k) {
            const double up = std::numbers::pi * (static_cast<double>(r) / kRings - 0.5);
            const double turn = 2 * std::numbers::pi * k / kAround;
            mesh.positions.push_back(ball.center +
                                     Vec3{ball.radii.x * std::cos(up) * std::sin(turn),
                                          ball.radii.y * std::sin(up),
                                          ball.radii.z * std::cos(up) * std::cos(turn)});
        }
    for (int r = 0; r < kRings; ++r)
        for (int k = 0; k < kAround; ++k) {
            const int a = first + r * kAround + k, b = first + r * kAround + (k + 1) % kAround;
            mesh.quads.push_back({a, b, b + kAround, a + kAround});
        }
}

class Writer {
public:
    Writer(const Animal& animal, const fs::path& folder, const std::string& name)
        : animal_(animal), folder_(folder), name_(name) {}

    void write() {
        QuadMesh mesh = surface_net(animal_);
        std::map<std::string, std::vector<std::array<int, 4>>> faces;
        for (const std::array<int, 4>& quad : mesh.quads) {
            Vec3 middle{};
            for (const int i : quad) middle += mesh.positions[static_cast<std::size_t>(i)] / 4;
            faces[animal_.material(middle)].push_back(quad);
        }
        for (const Ball& ball : animal_.balls) {
            QuadMesh own;
            own.positions = mesh.positions;
            add_ball(ball, own);
            mesh.positions = own.positions;
            auto& list = faces[ball.material];
            list.insert(list.end(), own.quads.begin(), own.quads.end());
        }
        write_obj(mesh, faces);
        write_materials();
        paint();
        std::printf("%zu vertices\n", mesh.positions.size());
    }

private:
    // Both sides of the animal, seen from the side.
    double u(Vec3 p) const { return (p.z - animal_.low.z) / (animal_.high.z - animal_.low.z); }
    double v(Vec3 p) const { return (p.y - animal_.low.y) / (animal_.high.y - animal_.low.y); }

    void write_obj(const QuadMesh& mesh,
                   const std::map<std::string, std::vector<std::array<int, 4>>>& faces) const {
        std::ofstream out(folder_ / (name_ + ".obj"), std::ios::binary);
        out << "mtllib " << name_ << ".mtl\n";
        for (const Vec3& p : mesh.positions)
            out << "v " << fixed(p.x, 4) << ' ' << fixed(p.y, 4) << ' ' << fixed(p.z, 4) << '\n';
        for (const Vec3& p : mesh.positions)
            out << "vt " << fixed(u(p), 3) << ' ' << fixed(v(p), 3) << '\n';
        for (const std::string& material : animal_.materials) {
            const auto found = faces.find(material);
            if (found == faces.end()) continue;
            out << "g " << material << "\nusemtl " << material << '\n';
            for (const std::array<int, 4>& quad : found->second) {
                out << 'f';
                for (const int i : quad) out << ' ' << i + 1 << '/' << i + 1;
                out << '\n';
            }
        }
    }

    void write_materials() const {
        std::ofstream out(folder_ / (name_ + ".mtl"), std::ios::binary);
        for (std::size_t k = 0; k < animal_.materials.size(); ++k)
            out << "newmtl " << animal_.materials[k] << "\nKd " << animal_.colours[k][0] << ' '
                << animal_.colours[k][1] << ' ' << animal_.colours[k][2] << "\n\n";
    }

    void paint() const {
        ringlet::Image colour{kPaintSide, kPaintSide, {}}, length = colour;
        for (ringlet::Image* image : {&colour, &length})
            image->rgba.assign(std::size_t{4} * kPaintSide * kPaintSide, 255);
        for (int row = 0; row < kPaintSide; ++row)
            for (int column = 0; column < kPaintSide; ++column) {
                const double z =
                    std::lerp(animal_.low.z, animal_.high.z, (column + 0.5) / kPaintSide);
                const double y = std::lerp(animal_.high.y, animal_.low.y, (row + 0.5) / kPaintSide);
                const Paint here = animal_.paint(y, z);
                for (int k = 0; k < 3; ++k) {
                    colour.pixel(column, row)[k] = static_cast<unsigned char>(
                        here.colour[static_cast<std::size_t>(k)] * 255 + 0.5);
                    length.pixel(column, row)[k] =
                        static_cast<unsigned char>(here.length * 255 + 0.5);
                }
            }
        (void)ringlet::write_image(folder_ / (name_ + "_colour.png"), colour);
        (void)ringlet::write_image(folder_ / (name_ + "_length.png"), length);
    }

    const Animal& animal_;
    fs::path folder_;
    std::string name_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string name = argc == 3 ? argv[1] : "";
    if (name != "bunny" && name != "creature") {
        std::fputs("usage: make_bunny bunny|creature FOLDER\n", stderr);
        return 2;
    }
    const Animal animal = name == "bunny" ? bunny() : creature();
    Writer(animal, argv[2], name).write();
    return 0;
}
