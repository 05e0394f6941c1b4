// The open scene: an editable draft, undo history, saving, and the running session the draft is
// applied to. Independent of the window.
#pragma once

#include "scene/history.h"
#include "scene/parameters.h"
#include "session/control/control.h"

namespace ringlet {

class Document {
public:
    static Result<Document> open(const std::string& scene, const SessionOptions& options,
                                 const Listener& listener);

    // The running session.
    SessionControl& control() { return control_; }
    const SessionControl& control() const { return control_; }
    const Scene& scene() const { return *draft_; }
    // The scene as it was opened. Read-only: do not write through the table's targets.
    ParameterTable original_table() const { return parameters_of(*original_); }

    // The draft's parameters. Write through the targets, then call changed(). The addresses stay
    // valid for the lifetime of the document, except those of list entries.
    ParameterTable table() { return parameters_of(*draft_); }
    // Records a change of `key`. Repeated changes of one key form one undo step until
    // finish_change().
    void changed(const std::string& key);
    void finish_change() { history_.finish(); }
    bool is_pending() const { return pending_; }
    // Applies the draft to the session. On failure the draft is reverted to the running scene.
    Result<void> apply();
    // Applies pending changes. While a change is still in progress (a slider is held), slow scenes
    // apply less often. `now` in seconds.
    Result<void> apply_when_due(double now, bool going_on);

    // Sets "key=value" as --set does. Applied immediately, as one undo step.
    Result<void> set(const std::string& assignment);
    Result<void> set_all(const std::vector<std::string>& assignments, const std::string& what);
    // Replaces the hairstyle with that of a built-in preset.
    Result<void> apply_preset(const std::string& name);

    // Returns the key that was undone or redone; empty if there was none.
    Result<std::string> undo();
    Result<std::string> redo();
    const History& history() const { return history_; }

    // Changes one collider of the draft. Part of the same undo step until finish_change().
    template <class Change>
    void change_collider(std::size_t which, const Change& change) {
        change(draft_->world.colliders[which]);
        changed("collider");
    }

    // Paints growth weights at a point of the head, and at its mirror image. Part of the same undo
    // step until finish_change().
    void paint(const BrushDab& dab, bool mirrored);
    // The painting of the draft; null: the draft has none of its own.
    const std::shared_ptr<const GrowthPaint>& painting() const { return draft_->paint; }

    // Moves the camera. Not recorded in the undo history.
    void set_camera(const Camera& camera);

    // Writes a TOML file that reproduces the draft, and a painting beside it under the same name
    // with the extension .growth.
    Result<void> save(const std::string& path);
    // The target of Ctrl+S: the file saved last, or an unused name next to the opened file. The
    // opened file itself is not overwritten, because saving drops its comments.
    std::string save_path() const;
    bool is_saved() const { return is_saved_; }

private:
    explicit Document(SessionControl control);
    Result<std::string> restore(std::optional<Scene> scene, const std::string& what);
    void compare_with_saved();
    void adopt_automatic_values();
    Result<void> save_painting(const std::string& path, Scene& saved) const;

    SessionControl control_;
    std::unique_ptr<Scene> draft_, settled_, original_, saved_;
    History history_;
    std::string saved_path_;
    bool pending_ = false, is_saved_ = true;
    double cost_ = 0, last_apply_ = -1e9;  // s
};

// True if the hairstyle of the scene may move to another head: it grows on a mesh, and nothing but
// that mesh is in the way of the hair.
bool fits_other_heads(const Scene& scene);

// Returns the assignments that load a dropped mesh or groom file into `scene`. A file with faces is
// a head, one with lines a hairstyle. Scene files are opened instead, not passed here.
Result<std::vector<std::string>> assignments_for(const std::string& file, const Scene& scene);

}  // namespace ringlet
