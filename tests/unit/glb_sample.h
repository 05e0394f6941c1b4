// Writes small glTF files for tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ringlet {

// A glTF document and its binary buffer. Tests edit `json` and add accessors.
class GlbSample {
public:
    using Json = nlohmann::json;
    static constexpr int kFloat = 5126, kUint16 = 5123, kUint8 = 5121;

    GlbSample() {
        json["asset"]["version"] = "2.0";
        json["scene"] = 0;
        json["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    }

    // Adds numbers of type T as an accessor and returns its index. `type`: "SCALAR", "VEC3", ...
    template <class T>
    int accessor(const std::vector<T>& values, const char* type, int component, int per_element) {
        const int view = buffer_view(values.data(), values.size() * sizeof(T));
        json["accessors"].push_back(
            {{"bufferView", view},
             {"componentType", component},
             {"count", values.size() / static_cast<std::size_t>(per_element)},
             {"type", type}});
        return static_cast<int>(json["accessors"].size()) - 1;
    }
    int floats(const std::vector<float>& values, const char* type, int per_element) {
        return accessor(values, type, kFloat, per_element);
    }
    int buffer_view(const void* data, std::size_t size) {
        while (bytes_.size() % 4 != 0) bytes_ += '\0';
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}});
        bytes_.append(static_cast<const char*>(data), size);
        return static_cast<int>(json["bufferViews"].size()) - 1;
    }

    // The bytes of a .glb file.
    std::string glb() const {
        Json document = json;
        std::string binary = bytes_;
        while (binary.size() % 4 != 0) binary += '\0';
        document["buffers"] = Json::array({{{"byteLength", binary.size()}}});
        std::string text = document.dump();
        while (text.size() % 4 != 0) text += ' ';
        std::string out = "glTF";
        append(out, 2);
        append(out, 12 + 8 + text.size() + 8 + binary.size());
        append(out, text.size());
        out += "JSON" + text;
        append(out, binary.size());
        return out + std::string("BIN\0", 4) + binary;
    }

    // The bytes of a .gltf file that names `buffer` as its buffer, and the bytes of that buffer.
    std::string gltf(const std::string& buffer) const {
        Json document = json;
        document["buffers"] = Json::array({{{"byteLength", bytes_.size()}, {"uri", buffer}}});
        return document.dump();
    }
    const std::string& buffer() const { return bytes_; }

    Json json;

private:
    static void append(std::string& out, std::size_t number) {
        const auto value = static_cast<std::uint32_t>(number);
        out.append(reinterpret_cast<const char*>(&value), 4);
    }
    std::string bytes_;
};

// A strip of kStripRows + 1 pairs of vertices along +y, from y = 0 to y = 2, in the plane z = 0
// with its front to +z. Vertex 2 r + c is at ((c - 0.5) / 2, 2 r / kStripRows, 0).
inline constexpr int kStripRows = 8;

inline std::vector<float> strip_positions() {
    std::vector<float> out;
    for (int r = 0; r <= kStripRows; ++r)
        for (const float c : {0.0f, 1.0f})
            out.insert(out.end(), {(c - 0.5f) / 2, 2.0f * static_cast<float>(r) / kStripRows, 0});
    return out;
}

// Node 0 is the mesh "strip".
inline GlbSample strip_sample() {
    GlbSample out;
    std::vector<std::uint16_t> indices;
    for (int r = 0; r < kStripRows; ++r)
        for (const int k : {0, 1, 3, 0, 3, 2})
            indices.push_back(static_cast<std::uint16_t>(2 * r + k));
    const int positions = out.floats(strip_positions(), "VEC3", 3);
    const int triangles = out.accessor(indices, "SCALAR", GlbSample::kUint16, 1);
    out.json["meshes"] = GlbSample::Json::array(
        {{{"primitives", GlbSample::Json::array({{{"attributes", {{"POSITION", positions}}},
                                                  {"indices", triangles}}})}}});
    out.json["nodes"] = GlbSample::Json::array({{{"name", "strip"}, {"mesh", 0}}});
    return out;
}

// Adds a channel that moves a property of a node linearly between two values in `seconds`.
inline void add_channel(GlbSample& sample, int node, const char* path, const char* type,
                        std::vector<float> values, float seconds) {
    const int per_key = static_cast<int>(values.size()) / 2;
    const int input = sample.floats({0, seconds}, "SCALAR", 1);
    const int elements = std::strcmp(type, "SCALAR") == 0 ? 1 : per_key;
    const int output = sample.floats(values, type, elements);
    GlbSample::Json& animation = sample.json["animations"][0];
    animation["name"] = "bend";
    animation["samplers"].push_back({{"input", input}, {"output", output}});
    animation["channels"].push_back({{"sampler", animation["samplers"].size() - 1},
                                     {"target", {{"node", node}, {"path", path}}}});
}

// The strip with two bones: the lower at the origin, the upper at y = 1. The vertices above y = 1
// follow the upper one, which turns by 90 degrees about z in one second: (x, y) goes to
// (1 - y, 1 + x).
inline GlbSample skinned_sample() {
    GlbSample out = strip_sample();
    std::vector<std::uint8_t> joints;
    std::vector<float> weights;
    const std::vector<float> positions = strip_positions();
    for (std::size_t v = 0; v < positions.size() / 3; ++v) {
        const std::uint8_t bone = positions[3 * v + 1] > 1 ? 1 : 0;
        joints.insert(joints.end(), {bone, 0, 0, 0});
        weights.insert(weights.end(), {1, 0, 0, 0});
    }
    // Inverse bind matrices, column by column.
    const int binds = out.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
                                 "MAT4", 16);
    auto& attributes = out.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = out.accessor(joints, "VEC4", GlbSample::kUint8, 4);
    attributes["WEIGHTS_0"] = out.floats(weights, "VEC4", 4);
    out.json["nodes"][0]["skin"] = 0;
    out.json["nodes"].push_back({{"name", "lower"}, {"children", {2}}});
    out.json["nodes"].push_back({{"name", "upper"}, {"translation", {0, 1, 0}}});
    out.json["scenes"][0]["nodes"] = {0, 1};
    out.json["skins"].push_back({{"joints", {1, 2}}, {"inverseBindMatrices", binds}});
    const float half = std::sqrt(0.5f);
    add_channel(out, 2, "rotation", "VEC4", {0, 0, 0, 1, 0, 0, half, half}, 1);
    return out;
}

// The strip with a morph target that moves every vertex by 0.3 along z; its weight goes from 0 to 1
// in half a second.
inline GlbSample morph_sample() {
    GlbSample out = strip_sample();
    std::vector<float> offsets;
    for (std::size_t v = 0; v < strip_positions().size() / 3; ++v)
        offsets.insert(offsets.end(), {0, 0, 0.3f});
    const int target = out.floats(offsets, "VEC3", 3);
    out.json["meshes"][0]["primitives"][0]["targets"].push_back({{"POSITION", target}});
    out.json["meshes"][0]["weights"] = {0};
    add_channel(out, 0, "weights", "SCALAR", {0, 1}, 0.5f);
    return out;
}

}  // namespace ringlet
