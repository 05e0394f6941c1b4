#include "session/run_checkpoints.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "ringlet/version.h"
#include "session/live/session_impl.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFileFact = "the file ";

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

std::string named(const std::string& value) { return value.empty() ? "nothing" : value; }

}  // namespace

RunCheckpoints::RunCheckpoints(Session& session, const CheckpointOptions& options,
                               const std::string& output, RunFacts job, const Listener& listener)
    : session_(session),
      options_(options),
      output_(output),
      name_(options.beside.empty() ? output : options.beside),
      facts_(std::move(job)),
      listener_(listener) {
    std::error_code ignored;
    const fs::file_status status = fs::status(name_, ignored);
    if (name_.empty() || (fs::exists(status) && fs::is_other(status))) return;
    newest_ = hidden_beside(name_, ".checkpoint");
    before_ = hidden_beside(name_, ".checkpoint-before");
    fresh_ = hidden_beside(name_, ".checkpoint-new");
    image_ = hidden_beside(name_, ".image");
    fresh_image_ = hidden_beside(name_, ".image-new");
}

// Names of files are compared without their folders, so that a run may be continued elsewhere.
void RunCheckpoints::collect_facts() {
    const Session::Impl& impl = session_.impl();
    facts_.insert(facts_.begin(),
                  {{"the version of Ringlet", version()},
                   {"the scene", fs::path(impl.scene.name).filename().string()},
                   {"--set", joined(impl.options.overrides)},
                   {"--backend", impl.options.backend == Backend::cuda ? "cuda" : "cpu"},
                   {"the start", fmt::format("{} s", impl.time())}});
    for (const std::string& path : impl.input_files) {
        const Result<std::uint64_t> hash = hash_of_file(path);
        if (!hash) continue;  // a temporary
        facts_.emplace_back(std::string(kFileFact) + fs::path(path).filename().string(),
                            fmt::format("{:016x}", *hash));
    }
}

Result<void> RunCheckpoints::compare(const RunFacts& then) const {
    const auto refused = [&](const std::string& why) {
        return Error{"cannot be resumed: " + why + "; or leave out --resume to start again", name_};
    };
    for (std::size_t k = 0; k < std::min(then.size(), facts_.size()); ++k) {
        const auto& [name, value] = facts_[k];
        if (name != then[k].first) break;
        if (value == then[k].second) continue;
        if (name.starts_with(kFileFact)) return refused(name + " has changed; restore it");
        return refused(fmt::format("{} was {} and is {} now; use the same", name,
                                   named(then[k].second), named(value)));
    }
    if (!std::ranges::equal(then, facts_, {}, &RunFacts::value_type::first,
                            &RunFacts::value_type::first))
        return refused("the files of the scene, or the kind of output, are others; use the same");
    return {};
}

// Returns false where the output's unfinished files do not fit the checkpoint.
Result<bool> RunCheckpoints::continue_from(
    const CheckpointFile& file, const std::function<Result<void>(const OutputStart&)>& open,
    int frames_before) {
    const CheckpointContent& content = file.content();
    const int written = std::max(0, content.next_frame - frames_before);
    if (const Result<void> opened = open({true, &content.progress, written}); !opened) {
        listener_.notify(opened.error().text() + "; this checkpoint cannot be used");
        return false;
    }
    Session::Impl& impl = session_.impl();
    const MemorySpans state = impl.changing_memory(StateAccess::load);
    if (!file.fits(state))
        return Error{"cannot be resumed: the checkpoint has another layout; leave out --resume",
                     name_};
    if (const Result<void> read = file.read_state(state); !read) return read.error();
    impl.restore();
    resumed_from_ = saved_frame_ = content.next_frame;
    return true;
}

Result<bool> RunCheckpoints::resume(const std::function<Result<void>(const OutputStart&)>& open,
                                    int frames_before) {
    std::error_code ignored;
    bool found = false;
    for (const fs::path& path : {newest_, before_}) {
        if (!fs::exists(path, ignored)) continue;
        found = true;
        const Result<CheckpointFile> file = CheckpointFile::open(path);
        if (!file) {
            listener_.notify(file.error().text() + "; this checkpoint cannot be used");
            continue;
        }
        if (Result<void> same = compare(file->content().facts); !same) return same.error();
        const Result<bool> done = continue_from(*file, open, frames_before);
        if (!done) return done.error();
        if (!*done) continue;
        if (path == before_) fs::rename(before_, newest_, ignored);  // which cannot be used
        listener_.notify(fmt::format("{}: continuing at frame {}", name_, resumed_from_));
        return true;
    }
    if (found || !begun_image_)
        listener_.notify(name_ +
                         (found ? ": no checkpoint can be used" : ": there is no checkpoint") +
                         "; starting from the beginning");
    return false;
}

Result<int> RunCheckpoints::begin(const std::function<Result<void>(const OutputStart&)>& open,
                                  int frames_before) {
    std::error_code ignored;
    const bool resumes = is_on() && options_.resume;
    if (is_on()) collect_facts();
    for (const std::string& path : {output_, options_.beside})
        if (!path.empty()) remove_leftovers(path, resumes);
    if (resumes) {
        if (const Result<void> read = read_image(); !read) return read.error();
        const Result<bool> done = resume(open, frames_before);
        if (!done) return done.error();
        last_ = Clock::now();
        if (*done) return resumed_from_;
        if (!output_.empty()) remove_leftovers(output_, false);
    }
    // Fails where another run is writing the output, whose checkpoints must stay.
    if (const Result<void> opened = open({is_on(), nullptr, 0}); !opened) return opened.error();
    if (!resumes && !newest_.empty() &&
        (fs::exists(newest_, ignored) || fs::exists(before_, ignored) ||
         fs::exists(image_, ignored)))
        listener_.notify(name_ + ": removing the checkpoint of an earlier run");
    remove_checkpoints();
    if (!begun_image_) finish_image();
    last_ = Clock::now();
    return 0;
}

// Each rename leaves a state in which the newest complete checkpoint is found.
Result<void> RunCheckpoints::save(int next_frame, const CheckpointedOutput& output) {
    CheckpointContent content{facts_, next_frame, {}};
    if (output.save_progress) {
        Result<std::string> progress = output.save_progress();
        if (!progress) return progress.error();
        content.progress = std::move(*progress);
    }
    session_.impl().collect_state();
    std::error_code failure;
    fs::create_directories(fresh_.parent_path(), failure);
    fs::remove(before_, failure);
    if (Result<void> done =
            write_checkpoint(fresh_, content, session_.impl().changing_memory(StateAccess::save));
        !done)
        return done;
    fs::rename(newest_, before_, failure);  // fails for the first one
    fs::rename(fresh_, newest_, failure);
    if (failure) return Error{"cannot be written: " + failure.message(), newest_.string()};
    if (output.keep_unfinished) output.keep_unfinished();
    saved_frame_ = next_frame;
    return {};
}

void RunCheckpoints::save_if_due(int next_frame, const CheckpointedOutput& output) {
    if (!is_due(last_)) return;
    warn_unless(save(next_frame, output));
    last_ = Clock::now();
}

bool RunCheckpoints::is_due(Clock::time_point last) const {
    if (newest_.empty() || !(options_.every > 0)) return false;
    const std::chrono::duration<double> since = Clock::now() - last;
    return since.count() >= options_.every;
}

void RunCheckpoints::warn_unless(const Result<void>& done) {
    if (done || !warnings_.empty()) return;
    warnings_.push_back({"no checkpoint could be written: " + done.error().text(), name_,
                         "free space on the disk; the run goes on, and tries again"});
    listener_.notify_of(warnings_.back());
}

// An image that cannot be used is begun again.
Result<void> RunCheckpoints::read_image() {
    std::error_code ignored;
    if (!fs::exists(image_, ignored)) return {};
    const Result<CheckpointFile> file = CheckpointFile::open(image_);
    if (!file) {
        listener_.notify(file.error().text() + "; the image is begun again");
        return {};
    }
    CheckpointContent content = file->content();
    const std::string kind = content.facts.empty() ? "" : content.facts.back().second;
    if (!content.facts.empty()) content.facts.pop_back();
    if (Result<void> same = compare(content.facts); !same) return same;
    content.facts.emplace_back("the image", kind);
    begun_image_ = std::move(content);
    has_image_ = true;
    return {};
}

Result<void> RunCheckpoints::save_image(int frame, const std::string& kind,
                                        const std::function<std::string()>& bytes) {
    CheckpointContent content{facts_, frame, bytes()};
    content.facts.emplace_back("the image", kind);
    std::error_code failure;
    fs::create_directories(image_.parent_path(), failure);
    if (Result<void> done = write_checkpoint(fresh_image_, content, {}); !done) return done;
    fs::rename(fresh_image_, image_, failure);
    if (failure) return Error{"cannot be written: " + failure.message(), image_.string()};
    has_image_ = true;
    return {};
}

ImageStore RunCheckpoints::image_store(int frame, const std::string& kind) {
    ImageStore out;
    if (begun_image_ && begun_image_->next_frame == frame &&
        begun_image_->facts.back().second == kind) {
        out.begun = std::move(begun_image_->progress);
        begun_image_.reset();
        listener_.notify(fmt::format("{}: continuing the image of frame {}", name_, frame));
    }
    out.offer = [this, frame, kind](const std::function<std::string()>& bytes) {
        if (!is_due(last_image_)) return;
        warn_unless(save_image(frame, kind, bytes));
        last_image_ = Clock::now();
    };
    last_image_ = Clock::now();
    return out;
}

void RunCheckpoints::finish_image() {
    std::error_code ignored;
    if (image_.empty()) return;
    for (const fs::path& path : {fresh_image_, image_}) fs::remove(path, ignored);
    has_image_ = false;
}

void RunCheckpoints::remove_checkpoints() const {
    std::error_code ignored;
    if (newest_.empty()) return;
    for (const fs::path& path : {fresh_, before_, newest_}) fs::remove(path, ignored);
}

void RunCheckpoints::finish() {
    remove_checkpoints();
    finish_image();
}

}  // namespace ringlet
