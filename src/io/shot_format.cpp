#include "io/shot_format.h"

#include "io/extensions.h"

namespace ringlet {

#define RINGLET_SHOT_FORMAT(NAME) extern const ShotFormat kShotFormat##NAME;
#include "io/shot_formats.def"
#undef RINGLET_SHOT_FORMAT

std::span<const ShotFormat* const> all_shot_formats() {
    static constexpr const ShotFormat* kAll[] = {
#define RINGLET_SHOT_FORMAT(NAME) &kShotFormat##NAME,
#include "io/shot_formats.def"
#undef RINGLET_SHOT_FORMAT
    };
    return kAll;
}

const ShotFormat* shot_format_of(const std::filesystem::path& path) {
    return find_by_extension(all_shot_formats(), path);
}

ShotDescription describe_still(const StrandView& strands, std::span<const Vec2f> root_uv,
                               std::string_view title) {
    ShotDescription out;
    out.title = title;
    out.strands = strands;
    out.root_uv = root_uv;
    out.groups = {{"hair", 0, strands.layout ? strands.layout->strand_count() : 0}};
    return out;
}

Result<void> write_still(const ShotFormat& format, const std::filesystem::path& path,
                         const ShotDescription& shot, const Channel<3>& positions) {
    const Result<std::unique_ptr<ShotWriter>> writer = format.open(path, shot, {});
    if (!writer) return writer.error();
    ShotFrame frame;
    frame.number = shot.first_frame;
    frame.positions = &positions;
    Result<void> done = (*writer)->add_frame(frame);
    if (done) done = (*writer)->complete_frame();
    return done ? (*writer)->finish() : done;
}

}  // namespace ringlet
