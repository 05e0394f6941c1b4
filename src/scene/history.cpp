#include "scene/history.h"

namespace ringlet {

namespace {

constexpr std::size_t kMaxEntries = 200;

}  // namespace

void History::changed(const Scene& before, const std::string& what) {
    if (!last_.empty() && what == last_) return;
    last_ = what;
    future_.clear();
    past_.push_back({before, what});
    if (past_.size() > kMaxEntries) past_.erase(past_.begin());
}

void History::forget_last() {
    if (!past_.empty()) past_.pop_back();
    finish();
}

std::optional<Scene> History::undo(const Scene& now) {
    if (past_.empty()) return std::nullopt;
    Entry entry = std::move(past_.back());
    past_.pop_back();
    future_.push_back({now, entry.what});
    finish();
    return std::move(entry.scene);
}

std::optional<Scene> History::redo(const Scene& now) {
    if (future_.empty()) return std::nullopt;
    Entry entry = std::move(future_.back());
    future_.pop_back();
    past_.push_back({now, entry.what});
    finish();
    return std::move(entry.scene);
}

}  // namespace ringlet
