// The scene that is open: edited as a draft, brought to the running session, undone, saved. Knows
// no window.
#pragma once

#include "ringlet/session.h"
#include "scene/history.h"
#include "scene/parameters.h"

namespace ringlet {

class Document {
public:
    static Result<Document> open(const std::string& scene, const SessionOptions& options,
                                 const Listener& listener);

    Session& session() { return session_; }
    const Session& session() const { return session_; }
    const Scene& scene() const { return *draft_; }
    // As it was when it was opened; not to be written through.
    ParameterTable original_table() const { return parameters_of(*original_); }

    // The table of the draft: write through its targets, then say so. Its addresses stay for as
    // long as the document, except those of list entries.
    ParameterTable table() { return parameters_of(*draft_); }
    // Key by key: the same key again is part of the same change until finish_change().
    void changed(const std::string& key);
    void finish_change() { history_.finish(); }
    bool is_pending() const { return pending_; }
    // Brings the draft to the session. What cannot be is taken back, and the Error says why.
    Result<void> apply();
    // The same if it is time: at once where that is quick, less often the longer it takes while
    // the change is still going on. `now` in s.
    Result<void> apply_when_due(double now, bool going_on);

    // "key=value", as --set; applied at once, one change.
    Result<void> set(const std::string& assignment);
    Result<void> set_all(const std::vector<std::string>& assignments, const std::string& what);
    // A scene by name or file, as it would be on the command line, or only its hairstyle.
    Result<void> take_preset(const std::string& name);

    // What was undone or redone; empty where there was nothing.
    Result<std::string> undo();
    Result<std::string> redo();
    const History& history() const { return history_; }

    // One collider, dragged: part of the same change until finish_change().
    template <class Change>
    void change_collider(std::size_t which, const Change& change) {
        change(draft_->world.colliders[which]);
        changed("collider");
    }

    // The camera moves all the time: no change to be undone.
    void look_from(const Camera& camera);

    // Writes TOML that opens as what is shown now.
    Result<void> save(const std::string& path);
    // Where Ctrl+S goes: where it was saved last, or a new name beside the file it came from. What
    // somebody wrote by hand, with comments, is not written over unasked.
    std::string save_path() const;
    bool is_saved() const { return is_saved_; }

private:
    explicit Document(Session session);
    Result<void> go_to(Scene scene);
    void compare_with_saved();

    Session session_;
    std::unique_ptr<Scene> draft_, settled_, original_, saved_;
    History history_;
    std::string saved_path_;
    bool pending_ = false, is_saved_ = true;
    double cost_ = 0, last_apply_ = -1e9;  // s
};

// What to set so that a dropped file is shown; a scene is to be opened instead. An OBJ with faces
// is a head, one with lines a hairstyle.
Result<std::vector<std::string>> assignments_for(const std::string& file, const Scene& scene);

}  // namespace ringlet
