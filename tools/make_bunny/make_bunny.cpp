// Generates a furry animal of the example scenes: make_bunny bunny|creature FOLDER writes NAME.obj,
// NAME.mtl, NAME_colour.png and NAME_length.png to FOLDER.

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

// Adds an ellipsoid of quads that degenerate at the poles.
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
    std::string uv_text(int chart, Vec3 p) const {
        const ChartPoint at = animal_.to_chart(chart, p);
        const double u = (at.x - animal_.low.z) / (animal_.high.z - animal_.low.z);
        const double v = (at.y - animal_.low.y) / (animal_.high.y - animal_.low.y);
        return fixed((u + chart) / animal_.chart_count, 3) + ' ' + fixed(v, 3);
    }

    // Returns the one-based index of the texture coordinate of a vertex on a chart; appends it to
    // `text` on first use.
    int texcoord(int vertex, int chart, const QuadMesh& mesh, std::string& text) {
        const auto [known, is_new] =
            texcoords_.try_emplace({vertex, chart}, static_cast<int>(texcoords_.size()) + 1);
        if (is_new)
            text += "vt " + uv_text(chart, mesh.positions[static_cast<std::size_t>(vertex)]) + '\n';
        return known->second;
    }

    void write_obj(const QuadMesh& mesh,
                   const std::map<std::string, std::vector<std::array<int, 4>>>& faces) {
        std::ofstream out(folder_ / (name_ + ".obj"), std::ios::binary);
        out << "mtllib " << name_ << ".mtl\n";
        for (const Vec3& p : mesh.positions)
            out << "v " << fixed(p.x, 4) << ' ' << fixed(p.y, 4) << ' ' << fixed(p.z, 4) << '\n';
        std::string coordinates, text;
        for (const std::string& material : animal_.materials) {
            const auto found = faces.find(material);
            if (found == faces.end()) continue;
            text += "g " + material + "\nusemtl " + material + '\n';
            for (const std::array<int, 4>& quad : found->second) {
                Vec3 middle{};
                for (const int i : quad) middle += mesh.positions[static_cast<std::size_t>(i)] / 4;
                const int chart = animal_.chart(middle, surface_normal(animal_, middle));
                text += 'f';
                for (const int i : quad)
                    text += ' ' + std::to_string(i + 1) + '/' +
                            std::to_string(texcoord(i, chart, mesh, coordinates));
                text += '\n';
            }
        }
        out << coordinates << text;
    }

    void write_materials() const {
        std::ofstream out(folder_ / (name_ + ".mtl"), std::ios::binary);
        for (std::size_t k = 0; k < animal_.materials.size(); ++k)
            out << "newmtl " << animal_.materials[k] << "\nKd " << animal_.colours[k][0] << ' '
                << animal_.colours[k][1] << ' ' << animal_.colours[k][2] << "\n\n";
    }

    void paint() const {
        const int width = kPaintSide * animal_.chart_count;
        ringlet::Image colour{width, kPaintSide, {}}, length = colour;
        for (ringlet::Image* image : {&colour, &length})
            image->rgba.assign(static_cast<std::size_t>(4 * width * kPaintSide), 255);
        for (int row = 0; row < kPaintSide; ++row)
            for (int column = 0; column < width; ++column) {
                const double across = (column % kPaintSide + 0.5) / kPaintSide;
                const double down = (row + 0.5) / kPaintSide;
                const Paint here = animal_.paint(column / kPaintSide,
                                                 {std::lerp(animal_.low.z, animal_.high.z, across),
                                                  std::lerp(animal_.high.y, animal_.low.y, down)});
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
    std::map<std::pair<int, int>, int> texcoords_;  // by vertex and chart
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
