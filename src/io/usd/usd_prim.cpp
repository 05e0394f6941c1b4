#include "io/usd/usd_prim.h"

#include <algorithm>

namespace ringlet {

void UsdPrim::set(std::string declaration, std::string value) {
    attributes.push_back(
        {std::move(declaration),
         [text = std::move(value)](const ShotFrame&, UsdValueOut& out) { out.text(text); }});
}

bool UsdPrim::is_animated() const {
    return std::ranges::any_of(attributes, &UsdAttribute::is_animated) ||
           std::ranges::any_of(children, &UsdPrim::is_animated);
}

namespace {

// Selects which values a pass writes for an animated attribute.
enum class UsdMotion { name_only, value, sample, stored };

class PrimPass {
public:
    PrimPass(UsdStream& out, UsdMotion motion, bool with_constants, const ShotFrame* frame,
             UsdBlob* blob = nullptr, const UsdSamples* stored = nullptr)
        : out_(out),
          motion_(motion),
          with_constants_(with_constants),
          frame_(frame ? *frame : kNoFrame),
          blob_(blob),
          stored_(stored) {}

    void write(const UsdPrim& prim, const std::string& parent = {}, int depth = 0) {
        if (!with_constants_ && !prim.is_animated()) return;
        const std::string indent(static_cast<std::size_t>(depth) * 4, ' ');
        const std::string path = parent + '/' + prim.name;
        if (with_constants_)
            out_.text(indent + "def " + prim.type + " \"" + prim.name + "\"");
        else
            out_.text(indent + "over \"" + prim.name + "\"");
        if (with_constants_ && !prim.metadata.empty()) {
            out_.text(" (\n");
            for (const std::string& line : prim.metadata) out_.text(indent + "    " + line + '\n');
            out_.text(indent + ")");
        }
        out_.text("\n" + indent + "{\n");
        for (const UsdAttribute& attribute : prim.attributes)
            attribute.is_animated ? write_animated(attribute, path, indent + "    ")
                                  : write_constant(attribute, path, indent + "    ");
        for (const UsdPrim& child : prim.children) write(child, path, depth + 1);
        out_.text(indent + "}\n");
    }

private:
    static const ShotFrame kNoFrame;

    void write_value(const UsdAttribute& attribute, const std::string& path,
                     const std::string& time) {
        if (blob_) blob_->key = path + '\t' + std::string(attribute.name()) + '\t' + time;
        UsdValueOut value(out_, blob_);
        attribute.write(frame_, value);
    }

    void write_constant(const UsdAttribute& attribute, const std::string& path,
                        const std::string& indent) {
        if (!with_constants_) return;
        out_.text(indent + attribute.declaration + " = ");
        write_value(attribute, path, "-");
        if (!attribute.interpolation.empty())
            out_.text(" (\n" + indent + "    interpolation = \"" + attribute.interpolation +
                      "\"\n" + indent + ")");
        out_.text("\n");
    }

    void write_animated(const UsdAttribute& attribute, const std::string& path,
                        const std::string& indent) {
        out_.text(indent + attribute.declaration);
        const std::string time = std::to_string(frame_.number);
        if (motion_ == UsdMotion::value) {
            out_.text(" = ");
            write_value(attribute, path, "-");
        } else if (motion_ == UsdMotion::sample) {
            out_.text(".timeSamples = {\n" + indent + "    " + time + ": ");
            write_value(attribute, path, time);
            out_.text(",\n" + indent + "}");
        } else if (motion_ == UsdMotion::stored) {
            out_.text(".timeSamples = {\n" + (*stored_)[next_stored_++].str() + indent + "}");
        }
        out_.text("\n");
    }

    UsdStream& out_;
    UsdMotion motion_;
    bool with_constants_;
    const ShotFrame& frame_;
    UsdBlob* blob_;
    const UsdSamples* stored_;
    std::size_t next_stored_ = 0;
};

const ShotFrame PrimPass::kNoFrame{};

void add_samples_from(const UsdPrim& prim, const ShotFrame& frame, UsdSamples& samples,
                      std::size_t& next) {
    for (const UsdAttribute& attribute : prim.attributes) {
        if (!attribute.is_animated) continue;
        if (next == samples.size()) samples.emplace_back();
        UsdStream& out = samples[next++];
        out.text("        " + std::to_string(frame.number) + ": ");
        UsdValueOut value(out);
        attribute.write(frame, value);
        out.text(",\n");
    }
    for (const UsdPrim& child : prim.children) add_samples_from(child, frame, samples, next);
}

}  // namespace

void add_samples(const UsdPrim& root, const ShotFrame& frame, UsdSamples& samples) {
    std::size_t next = 0;
    add_samples_from(root, frame, samples, next);
}

void write_still_prims(const UsdPrim& root, const ShotFrame& frame, UsdStream& out, UsdBlob* blob) {
    PrimPass(out, UsdMotion::value, true, &frame, blob).write(root);
}

void write_all_prims(const UsdPrim& root, const UsdSamples& samples, UsdStream& out,
                     UsdBlob* blob) {
    PrimPass(out, UsdMotion::stored, true, nullptr, blob, &samples).write(root);
}

void write_constant_prims(const UsdPrim& root, UsdStream& out, UsdBlob* blob) {
    PrimPass(out, UsdMotion::name_only, true, nullptr, blob).write(root);
}

void write_animated_names(const UsdPrim& root, UsdStream& out) {
    PrimPass(out, UsdMotion::name_only, false, nullptr).write(root);
}

void write_frame_prims(const UsdPrim& root, const ShotFrame& frame, UsdStream& out, UsdBlob* blob) {
    PrimPass(out, UsdMotion::sample, false, &frame, blob).write(root);
}

}  // namespace ringlet
