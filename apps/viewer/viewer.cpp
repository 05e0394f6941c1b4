#include "viewer/viewer.h"

#include "base/files.h"
#include "session/boundary.h"
#include "viewer/app.h"

namespace ringlet {

namespace {

Result<void> run_window(const std::string& scene, const SessionOptions& options,
                        const std::vector<ScriptCommand>* script, const Listener& listener) {
    Result<Document> document = Document::open(scene, options, listener);
    if (!document) return document.error();
    // A script starts with the default layout, so its result does not depend on earlier runs.
    const std::filesystem::path stored = layout_file();
    const Layout layout = script || stored.empty() ? Layout{} : load_layout(stored);
    Window window;
    const Result<void> opened = window.open(layout.width, layout.height, "Ringlet: " + scene);
    if (!opened) return opened;
    Result<RendererGl> renderer = RendererGl::create();
    if (!renderer) return renderer.error();
    App app(window, *renderer, std::move(*document), options, layout, listener);
    if (script) {
        Result<void> done = app.run(*script);
        for (const std::string& message : renderer->messages())
            if (done) done = Error{"OpenGL: " + message};
        return done;
    }
    app.run();
    if (listener.stop_requested && listener.stop_requested()) return Error{"stopped"};
    Layout left = app.layout();
    window.size(left.width, left.height);
    left.width = static_cast<int>(static_cast<float>(left.width) / window.scale());
    left.height = static_cast<int>(static_cast<float>(left.height) / window.scale());
    // A layout that cannot be stored is not an error.
    if (!stored.empty()) (void)save_layout(stored, left);
    return {};
}

}  // namespace

Result<void> view(const std::string& scene, const SessionOptions& options,
                  const std::string& script_file, const Listener& listener) try {
    if (script_file.empty()) return run_window(scene, options, nullptr, listener);
    const Result<std::string> text = read_file(script_file, 1 << 20);
    if (!text) return text.error();
    const Result<std::vector<ScriptCommand>> script = parse_script(*text, script_file);
    if (!script) return script.error();
    Result<void> done = run_window(scene, options, &*script, listener);
    if (!done && done.error().line > 0)
        return Error{done.error().message, script_file, done.error().line};
    return done;
} catch (...) {
    return error_from_exception();
}

std::string view_script_commands() { return describe_script(); }

}  // namespace ringlet
