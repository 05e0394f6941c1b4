// Writes shots as USD: one file if the shot is short, otherwise one layer per frame (value clips)
// beside a stage that is replaced after each frame.
#include <optional>

#include "base/files.h"
#include "io/extensions.h"
#include "io/groom_format.h"
#include "io/progress_bytes.h"
#include "io/usd/openusd.h"
#include "io/usd/shot_prims.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Shots whose text would be longer are written as clips: a single file is kept in memory until its
// last frame.
constexpr double kLongestSingleFile = 16e6;  // bytes
// Mean length of a vector in text, "(0.0123456, 0.123456, -0.0123456), ".
constexpr double kVectorText = 36;

// A layer, in text or binary as its extension says.
class UsdLayerFile {
public:
    explicit UsdLayerFile(fs::path path)
        : path_(std::move(path)), is_binary_(lower_case_extension(path_) == ".usdc") {
        fs::path text = path_;
        if (is_binary_) text.replace_extension(".usda");
        text_.emplace(text);
        if (!is_binary_) return;
        index_.emplace(text.replace_extension(".index"));
        bytes_.emplace(text.replace_extension(".bytes"));
        blob_.bytes = UsdStream(&bytes_->file());
        output_.emplace(path_);
    }

    UsdStream& text() { return text_->stream(); }
    // Null for a text layer.
    UsdBlob* blob() { return is_binary_ ? &blob_ : nullptr; }

    // Completes the file. `stage` is the text of another layer that is replaced afterwards; empty:
    // none.
    Result<void> commit(const std::string& stage_text = {}, const fs::path& stage = {}) {
        Result<void> done = is_binary_ ? commit_binary(stage_text, stage) : text_->commit();
        if (!done || stage_text.empty() || is_binary_) return done;
        return write_file(stage, stage_text);
    }

private:
    Result<void> commit_binary(const std::string& stage_text, const fs::path& stage) {
        blob_.bytes.flush();
        index_->stream().text(blob_.index);
        for (UsdFile* file : {&*text_, &*index_, &*bytes_})
            if (Result<void> done = file->close(); !done) return done;
        const UsdParts parts{text_->temporary(), index_->temporary(), bytes_->temporary(),
                             output_->temporary()};
        std::optional<UsdFile> more;
        std::optional<PendingFile> more_output;
        if (!stage_text.empty()) {
            more.emplace(fs::path(stage).replace_extension(".usda"));
            more->stream().text(stage_text);
            if (Result<void> done = more->close(); !done) return done;
            more_output.emplace(stage);
        }
        const Result<void> made =
            more ? assemble_usd(parts, more->temporary(), more_output->temporary())
                 : assemble_usd(parts);
        if (!made) return Error{made.error().message, path_.string()};
        Result<void> done = output_->commit();
        if (!done || !more_output) return done;
        return more_output->commit();
    }

    fs::path path_;
    bool is_binary_;
    std::optional<UsdFile> text_, index_, bytes_;  // the last two for binary layers only
    UsdBlob blob_;
    std::optional<PendingFile> output_;
};

// Keeps the frames in memory as text.
class UsdSingleFile : public ShotWriter {
public:
    UsdSingleFile(fs::path path, ShotDescription shot)
        : path_(std::move(path)), shot_(std::move(shot)), root_(shot_prims(shot_)) {}

    Result<void> add_frame(const ShotFrame& frame) override {
        if (shot_.frame_count > 1) {
            add_samples(root_, frame, samples_);
            last_frame_ = frame.number;
            return {};
        }
        UsdLayerFile layer(path_);
        layer.text().text(usd_header(shot_, frame.number));
        write_still_prims(root_, frame, layer.text(), layer.blob());
        return layer.commit();
    }

    Result<std::string> save_progress() override {
        ProgressOut out;
        out.add(last_frame_);
        out.add(std::uint64_t{samples_.size()});
        for (const UsdStream& samples : samples_) out.add_text(samples.str());
        return out.take();
    }
    Result<void> continue_from(const std::string& progress) {
        ProgressIn in(progress);
        last_frame_ = in.take<int>();
        const auto count = in.take<std::uint64_t>();
        for (std::uint64_t k = 0; k < count && in.is_good(); ++k)
            samples_.emplace_back().text(in.take_text());
        if (in.is_complete()) return {};
        return Error{"the progress of the shot does not fit it", path_.string()};
    }

    Result<void> finish() override {
        if (shot_.frame_count == 1) return {};
        UsdLayerFile layer(path_);
        layer.text().text(usd_header(shot_, last_frame_));
        write_all_prims(root_, samples_, layer.text(), layer.blob());
        return layer.commit();
    }

private:
    fs::path path_;
    ShotDescription shot_;
    UsdPrim root_;
    UsdSamples samples_;
    int last_frame_ = 0;
};

// shot.usdc, shot.clips/constants.usdc, shot.clips/manifest.usda, shot.clips/frame.0000.usdc, ...
class UsdClips : public ShotWriter {
public:
    UsdClips(fs::path path, ShotDescription shot)
        : path_(std::move(path)),
          folder_(fs::path(path_).replace_extension(".clips")),
          extension_(lower_case_extension(path_)),
          shot_(std::move(shot)),
          root_(shot_prims(shot_)) {}

    // Removes the files of an earlier shot of the same name, but not the first `kept_frames`, and
    // writes what is constant.
    Result<void> begin(int kept_frames) {
        std::error_code ignored;
        for (int k = 0; k < kept_frames; ++k)
            if (!fs::exists(folder_ / frame_name(shot_.first_frame + k), ignored))
                return Error{"a frame of the earlier run is missing", path_.string()};
        if (kept_frames == 0) {
            fs::remove(path_, ignored);
            remove_old_frames();
        }
        remove_leftovers(folder_ / "", false);
        UsdFile manifest(folder_ / "manifest.usda");
        manifest.stream().text("#usda 1.0\n\n");
        write_animated_names(root_, manifest.stream());
        if (Result<void> done = manifest.commit(); !done) return done;
        UsdLayerFile constants(folder_ / ("constants" + extension_));
        constants.text().text(usd_header(shot_, last_frame()));
        write_constant_prims(root_, constants.text(), constants.blob());
        return constants.commit();
    }

    Result<void> add_frame(const ShotFrame& frame) override {
        frame_.emplace(folder_ / frame_name(frame.number));
        frame_->text().text("#usda 1.0\n\n");
        write_frame_prims(root_, frame, frame_->text(), frame_->blob());
        frame_number_ = frame.number;
        return {};
    }
    Result<void> complete_frame() override {
        Result<void> done = frame_->commit(stage_text(frame_number_), path_);
        frame_.reset();
        return done;
    }
    // OpenUSD holds an array of the frame.
    bool needs_memory_to_complete() const override { return extension_ == ".usdc"; }
    Result<void> finish() override { return {}; }
    // All is in the files of the frames.
    Result<std::string> save_progress() override { return std::string(); }
    std::string remark() const override {
        return "one layer per frame in " + folder_.filename().string() + "/, which belongs to " +
               path_.filename().string() + ": move both together";
    }
    bool has_written_appearance() const override { return true; }
    bool keeps_frames() const override { return true; }

private:
    int last_frame() const { return shot_.first_frame + shot_.frame_count - 1; }

    // OpenUSD replaces # by digits.
    std::string frame_name(int number) const {
        std::string digits = std::to_string(number);
        digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
        return "frame." + digits + extension_;
    }

    void remove_old_frames() const {
        std::error_code ignored;
        std::vector<fs::path> old;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("frame.") && (name.ends_with(".usda") || name.ends_with(".usdc")))
                old.push_back(entry.path());
        }
        for (const fs::path& path : old) fs::remove(path, ignored);
    }

    // The stage up to a frame: a few lines that name the layers.
    std::string stage_text(int last) const {
        const std::string folder = "./" + folder_.filename().string() + "/";
        std::string out =
            usd_header(shot_, last, {"subLayers = [@" + folder + "constants" + extension_ + "@]"});
        const auto line = [&out](const std::string& text) { out += "            " + text + "\n"; };
        out += "over \"" + std::string(kUsdRoot) + "\" (\n    clips = {\n";
        out += "        dictionary default = {\n";
        line("string primPath = \"/" + std::string(kUsdRoot) + "\"");
        line("asset manifestAssetPath = @" + folder + "manifest.usda@");
        line("string templateAssetPath = \"" + folder + "frame.####" + extension_ + "\"");
        line("double templateStartTime = " + std::to_string(shot_.first_frame));
        line("double templateEndTime = " + std::to_string(last));
        line("double templateStride = 1");
        return out + "        }\n    }\n)\n{\n}\n";
    }

    fs::path path_, folder_;
    std::string extension_;
    ShotDescription shot_;
    UsdPrim root_;
    std::optional<UsdLayerFile> frame_;  // from add_frame() to complete_frame()
    int frame_number_ = 0;
};

Result<std::unique_ptr<ShotWriter>> open_usd_shot(const fs::path& path, const ShotDescription& shot,
                                                  const OutputStart& start) {
    double vectors =
        static_cast<double>(shot.strands.layout->vertex_total()) * (shot.has_velocities ? 2 : 1);
    for (const ShotMesh& mesh : shot.meshes)
        if (mesh.deforms) vectors += static_cast<double>(mesh.mesh->positions.size());
    if (shot.frame_count == 1 || vectors * kVectorText * shot.frame_count <= kLongestSingleFile) {
        auto file = std::make_unique<UsdSingleFile>(path, shot);
        if (start.progress)
            if (const Result<void> ready = file->continue_from(*start.progress); !ready)
                return ready.error();
        return std::unique_ptr<ShotWriter>(std::move(file));
    }
    auto clips = std::make_unique<UsdClips>(path, shot);
    if (const Result<void> begun = clips->begin(start.next_frame); !begun) return begun.error();
    return std::unique_ptr<ShotWriter>(std::move(clips));
}

}  // namespace

extern const ShotFormat kShotFormatUsda, kShotFormatUsdc;
constinit const ShotFormat kShotFormatUsda{
    .name = "USD, text",
    .extension = ".usda",
    .description = "curves, meshes, camera and lights over time",
    .open = open_usd_shot,
};
constinit const ShotFormat kShotFormatUsdc{
    .name = "USD, binary",
    .extension = ".usdc",
    .description = "the same, smaller and faster; needs OpenUSD's Python package",
    .check = check_openusd,
    .open = open_usd_shot,
};

}  // namespace ringlet
