// Writes a small FBX file for tests, as text or binary.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "unit/glb_sample.h"

namespace ringlet {

// A node of an FBX file: a name, properties and children.
struct FbxNode {
    using Property =
        std::variant<std::int32_t, std::int64_t, double, std::string, std::vector<double>,
                     std::vector<std::int32_t>, std::vector<std::int64_t>>;
    std::string name;
    std::vector<Property> properties{};
    std::vector<FbxNode> children{};
};

// Version 7.4.
class FbxBinary {
public:
    static std::string write(const std::vector<FbxNode>& nodes) {
        FbxBinary file;
        file.out_ = std::string("Kaydara FBX Binary  \0\x1a\0", 23);
        file.append(std::uint32_t{7400});
        for (const FbxNode& node : nodes) file.add(node);
        file.out_ += std::string(13, '\0');
        return file.out_;
    }

private:
    template <class T>
    void append(T value) {
        out_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    template <class T>
    void append_array(char type, const std::vector<T>& values) {
        out_ += type;
        append(static_cast<std::uint32_t>(values.size()));
        append(std::uint32_t{0});  // not compressed
        append(static_cast<std::uint32_t>(values.size() * sizeof(T)));
        for (const T value : values) append(value);
    }
    void add(const FbxNode& node) {
        const std::size_t start = out_.size();
        out_ += std::string(12, '\0');
        out_ += static_cast<char>(node.name.size());
        out_ += node.name;
        const std::size_t before = out_.size();
        for (const FbxNode::Property& property : node.properties) add(property);
        const std::size_t length = out_.size() - before;
        for (const FbxNode& child : node.children) add(child);
        if (!node.children.empty()) out_ += std::string(13, '\0');
        const std::uint32_t header[3] = {static_cast<std::uint32_t>(out_.size()),
                                         static_cast<std::uint32_t>(node.properties.size()),
                                         static_cast<std::uint32_t>(length)};
        std::memcpy(out_.data() + start, header, sizeof header);
    }
    void add(const FbxNode::Property& property) {
        if (const auto* i = std::get_if<std::int32_t>(&property)) {
            out_ += 'I';
            append(*i);
        } else if (const auto* l = std::get_if<std::int64_t>(&property)) {
            out_ += 'L';
            append(*l);
        } else if (const auto* d = std::get_if<double>(&property)) {
            out_ += 'D';
            append(*d);
        } else if (const auto* s = std::get_if<std::string>(&property)) {
            out_ += 'S';
            // A name with its class: "Class::name" in text is "name", 0, 1, "Class" here.
            const std::size_t colon = s->find("::");
            const std::string text =
                colon == std::string::npos
                    ? *s
                    : s->substr(colon + 2) + std::string("\0\1", 2) + s->substr(0, colon);
            append(static_cast<std::uint32_t>(text.size()));
            out_ += text;
        } else if (const auto* da = std::get_if<std::vector<double>>(&property)) {
            append_array('d', *da);
        } else if (const auto* ia = std::get_if<std::vector<std::int32_t>>(&property)) {
            append_array('i', *ia);
        } else if (const auto* la = std::get_if<std::vector<std::int64_t>>(&property)) {
            append_array('l', *la);
        }
    }
    std::string out_;
};

class FbxText {
public:
    static std::string write(const std::vector<FbxNode>& nodes) {
        std::string out = "; FBX 7.4.0 project file\n";
        for (const FbxNode& node : nodes) add(node, out);
        return out;
    }

private:
    template <class T>
    static std::string array(const std::vector<T>& values) {
        std::string out = "*" + std::to_string(values.size()) + " {\na: ";
        for (std::size_t k = 0; k < values.size(); ++k)
            out += (k == 0 ? "" : ",") + std::to_string(values[k]);
        return out + "\n}";
    }
    static std::string text_of(const FbxNode::Property& property) {
        if (const auto* s = std::get_if<std::string>(&property)) return "\"" + *s + "\"";
        if (const auto* da = std::get_if<std::vector<double>>(&property)) return array(*da);
        if (const auto* ia = std::get_if<std::vector<std::int32_t>>(&property)) return array(*ia);
        if (const auto* la = std::get_if<std::vector<std::int64_t>>(&property)) return array(*la);
        if (const auto* i = std::get_if<std::int32_t>(&property)) return std::to_string(*i);
        if (const auto* l = std::get_if<std::int64_t>(&property)) return std::to_string(*l);
        return std::to_string(std::get<double>(property));
    }
    static void add(const FbxNode& node, std::string& out) {
        out += node.name + ": ";
        for (std::size_t k = 0; k < node.properties.size(); ++k)
            out += (k == 0 ? "" : ", ") + text_of(node.properties[k]);
        if (!node.children.empty()) {
            out += " {\n";
            for (const FbxNode& child : node.children) add(child, out);
            out += "}";
        }
        out += "\n";
    }
};

// A property of the list Properties70.
inline FbxNode fbx_value(const std::string& name, const std::string& type,
                         std::vector<FbxNode::Property> values) {
    FbxNode out{"P", {name, type, std::string(), std::string("A")}};
    for (FbxNode::Property& value : values) out.properties.push_back(std::move(value));
    return out;
}

inline FbxNode fbx_object(const std::string& kind, std::int64_t id, const std::string& name,
                          const std::string& type, std::vector<FbxNode> children) {
    return {kind, {id, name, type}, std::move(children)};
}

inline std::vector<double> fbx_matrix(double up) {
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, up, 0, 1};
}

// A bone of the skin: the vertices that it moves, and its bind pose at height `up`.
inline FbxNode fbx_cluster(std::int64_t id, const std::vector<std::int32_t>& vertices, double up) {
    return fbx_object("Deformer", id, "SubDeformer::cluster", "Cluster",
                      {{"Indexes", {vertices}},
                       {"Weights", {std::vector<double>(vertices.size(), 1.0)}},
                       {"Transform", {fbx_matrix(-up)}},
                       {"TransformLink", {fbx_matrix(up)}}});
}

inline FbxNode fbx_bone(std::int64_t id, const std::string& name, double up) {
    return fbx_object(
        "Model", id, "Model::" + name, "LimbNode",
        {{"Properties70", {}, {fbx_value("Lcl Translation", "Lcl Translation", {0.0, up, 0.0})}}});
}

// The strip of glb_sample.h, bent by the same two bones in one second. States centimetres and Z up.
inline std::vector<FbxNode> fbx_sample_nodes() {
    std::vector<double> positions;
    for (const float p : strip_positions()) positions.push_back(static_cast<double>(p));
    std::vector<std::int32_t> faces;  // the last corner of a polygon is written as -index - 1
    for (int r = 0; r < kStripRows; ++r)
        faces.insert(faces.end(), {2 * r, 2 * r + 1, 2 * r + 3, -(2 * r + 2) - 1});
    std::vector<std::int32_t> lower, upper;
    for (int v = 0; v < 2 * (kStripRows + 1); ++v)
        (v / 2 > kStripRows / 2 ? upper : lower).push_back(v);
    constexpr std::int64_t kSecond = 46186158000;
    std::vector<FbxNode> out;
    out.push_back({"FBXHeaderExtension", {}, {{"FBXVersion", {std::int32_t{7400}}}}});
    out.push_back({"GlobalSettings",
                   {},
                   {{"Properties70",
                     {},
                     {fbx_value("UpAxis", "int", {std::int32_t{2}}),
                      fbx_value("UpAxisSign", "int", {std::int32_t{1}}),
                      fbx_value("FrontAxis", "int", {std::int32_t{1}}),
                      fbx_value("FrontAxisSign", "int", {std::int32_t{-1}}),
                      fbx_value("UnitScaleFactor", "double", {1.0}),
                      fbx_value("TimeMode", "enum", {std::int32_t{6}})}}}});
    out.push_back(
        {"Objects",
         {},
         {fbx_object("Geometry", 10, "Geometry::strip", "Mesh",
                     {{"Vertices", {positions}}, {"PolygonVertexIndex", {faces}}}),
          fbx_object("Model", 20, "Model::strip", "Mesh", {{"Version", {std::int32_t{232}}}}),
          fbx_bone(21, "lower", 0), fbx_bone(22, "upper", 1),
          fbx_object("Deformer", 30, "Deformer::skin", "Skin", {{"Version", {std::int32_t{101}}}}),
          fbx_cluster(31, lower, 0), fbx_cluster(32, upper, 1),
          fbx_object("AnimationStack", 40, "AnimStack::bend", "",
                     {{"Properties70", {}, {fbx_value("LocalStop", "KTime", {kSecond})}}}),
          fbx_object("AnimationLayer", 41, "AnimLayer::base", "", {{"Version", {std::int32_t{1}}}}),
          fbx_object("AnimationCurveNode", 42, "AnimCurveNode::R", "",
                     {{"Properties70", {}, {fbx_value("d|Z", "Number", {0.0})}}}),
          fbx_object("AnimationCurve", 43, "AnimCurve::", "",
                     {{"KeyTime", {std::vector<std::int64_t>{0, kSecond}}},
                      {"KeyValueFloat", {std::vector<double>{0, 90}}}})}});
    const auto connect = [](std::int64_t child, std::int64_t parent, const std::string& to = "") {
        FbxNode node{"C", {std::string(to.empty() ? "OO" : "OP"), child, parent}};
        if (!to.empty()) node.properties.emplace_back(to);
        return node;
    };
    out.push_back(
        {"Connections",
         {},
         {connect(20, 0), connect(21, 0), connect(22, 21), connect(10, 20), connect(30, 10),
          connect(31, 30), connect(32, 30), connect(21, 31), connect(22, 32), connect(41, 40),
          connect(42, 41), connect(42, 22, "Lcl Rotation"), connect(43, 42, "d|Z")}});
    return out;
}

}  // namespace ringlet
