// The file of a checkpoint: what a run was, how far it came, and its whole state.
//
// A file has a magic, a version, its length and a checksum, then these, each preceded by its size:
// facts about the run, the next frame, the progress of the output, and the pieces of the state.
// Numbers and pieces have the byte order of the machine.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "ringlet/result.h"
#include "sim/channel_access.h"

namespace ringlet {

// Names and values that must be equal for a run to be continued: {"--frames", "48"}.
using RunFacts = std::vector<std::pair<std::string, std::string>>;

struct CheckpointContent {
    RunFacts facts;
    int next_frame = 0;    // the first frame that is not part of the state
    std::string progress;  // of the output: what its writer needs to continue
};

// Writes a checkpoint to a file of this name, which is not a temporary: a torn file is recognized.
// Blocks until the file is on the disk. On an error the file is removed.
Result<void> write_checkpoint(const std::filesystem::path& path, const CheckpointContent& content,
                              const MemorySpans& state);

// A complete, undamaged checkpoint.
class CheckpointFile {
public:
    // Reads everything but the state. Fails for a file that is torn, cut short, damaged or of
    // another version. Checks sizes before it allocates; the memory in use depends on the facts and
    // the progress, not on the state.
    static Result<CheckpointFile> open(const std::filesystem::path& path);

    const CheckpointContent& content() const { return content_; }
    // Whether the state consists of pieces of these sizes.
    bool fits(const MemorySpans& state) const;
    // Overwrites `state`. Precondition: fits(). On an error its values are undefined.
    Result<void> read_state(const MemorySpans& state) const;

private:
    std::filesystem::path path_;
    CheckpointContent content_;
    std::vector<std::uint64_t> piece_sizes_;
    std::uint64_t state_at_ = 0;  // position of the first piece in the file
};

}  // namespace ringlet
