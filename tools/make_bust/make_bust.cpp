// Generates the mannequin bust of the example scenes and writes it as OUT.obj and OUT.mtl.

#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep_mesh.h"

namespace {

// A tenth of a millimetre in positions is below what a render shows, and keeps the file small.
constexpr int kPositionDecimals = 4;
constexpr int kNormalDecimals = 3;
constexpr int kTexCoordDecimals = 4;

std::string fixed(double value, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    std::string result = text;
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') {
        result.pop_back();
    }
    return result == "-0" ? "0" : result;
}

void write_vector(std::ostream& out, const char* tag, Vec3 v, int decimals) {
    out << tag << ' ' << fixed(v.x, decimals) << ' ' << fixed(v.y, decimals) << ' '
        << fixed(v.z, decimals) << '\n';
}

void write_group(std::ostream& out, const std::string& name, const std::vector<Face>& faces) {
    out << "g " << name << "\nusemtl " << name << '\n';
    for (const Face& face : faces) {
        out << 'f';
        for (const Corner corner : face) {
            out << ' ' << corner.position + 1 << '/' << corner.texcoord + 1 << '/'
                << corner.position + 1;
        }
        out << '\n';
    }
}

std::ofstream open_for_writing(const std::filesystem::path& path) {
    std::ofstream out(path, std::ios::binary);
    if (!out) {
        throw std::runtime_error("cannot write " + path.string());
    }
    return out;
}

void finish(std::ofstream& out, const std::filesystem::path& path) {
    out.close();
    if (!out) {
        throw std::runtime_error("failed while writing " + path.string());
    }
}

void write_obj(const std::filesystem::path& path, const std::filesystem::path& mtl_path,
               const BustMesh& mesh) {
    std::ofstream out = open_for_writing(path);
    out << "mtllib " << mtl_path.filename().string() << '\n';
    for (const Vec3& position : mesh.positions) {
        write_vector(out, "v", position, kPositionDecimals);
    }
    for (const Vec3& normal : mesh.normals) {
        write_vector(out, "vn", normal, kNormalDecimals);
    }
    for (const TexCoord& texcoord : mesh.texcoords) {
        out << "vt " << fixed(texcoord.u, kTexCoordDecimals) << ' '
            << fixed(texcoord.v, kTexCoordDecimals) << '\n';
    }
    write_group(out, "skin", mesh.skin);
    write_group(out, "scalp", mesh.scalp);
    finish(out, path);
}

void write_mtl(const std::filesystem::path& path) {
    std::ofstream out = open_for_writing(path);
    out << "newmtl skin\nKd 0.80 0.66 0.58\nKs 0.04 0.04 0.04\nNs 20\n\n"
           "newmtl scalp\nKd 0.66 0.52 0.45\nKs 0.03 0.03 0.03\nNs 15\n";
    finish(out, path);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: make_bust OUT.obj\n", stderr);
        return 2;
    }
    try {
        const std::filesystem::path obj_path = argv[1];
        std::filesystem::path mtl_path = obj_path;
        mtl_path.replace_extension(".mtl");
        write_obj(obj_path, mtl_path, make_bust_mesh());
        write_mtl(mtl_path);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_bust: %s\n", error.what());
        return 1;
    }
    return 0;
}
