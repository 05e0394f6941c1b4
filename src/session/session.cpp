#include "ringlet/session.h"

#include "base/files.h"
#include "session/assets/scene_source.h"
#include "session/boundary.h"
#include "session/live/session_impl.h"

namespace ringlet {

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<Session> Session::open(const std::string& scene, const SessionOptions& options,
                              const Listener& listener) try {
    if (const Result<void> known = check_backend(options.backend); !known) return known.error();
    const ReadFileLog inputs;
    Result<Scene> loaded = load_scene(scene, options.overrides);
    if (!loaded) return loaded.error();
    Result<std::unique_ptr<Impl>> impl = Impl::make(std::move(*loaded), options, listener);
    if (!impl) return impl.error();
    (*impl)->input_files = inputs.paths();
    return Session(std::move(*impl));
} catch (...) {
    return error_from_exception();
}

void Session::step() {
    if (!impl_->failure) impl_->keep_failure([this] { impl_->step(); });
}

void Session::reset() {
    impl_->failure.reset();
    impl_->keep_failure([this] { impl_->restart(); });
}

Result<void> Session::status() const {
    return impl_->failure ? Result<void>(*impl_->failure) : Result<void>();
}

double Session::time() const { return impl_->time(); }
int Session::strand_count() const { return impl_->layout()->strand_count(); }
int Session::vertex_count(int strand) const { return impl_->layout()->vertex_count(strand); }

std::vector<float> Session::positions() const try {
    std::vector<float> out;
    if (impl_->failure) return out;
    for (const Vec3f& p : unpack(impl_->strands(When::now).on_host()))
        out.insert(out.end(), {p.x, p.y, p.z});
    return out;
} catch (...) {
    return {};
}

std::string Session::hash() const try {
    return impl_->failure ? std::string() : impl_->state_hash().hex();
} catch (...) {
    return {};
}

Report Session::report() const {
    Report out;
    try {
        if (!impl_->failure) return impl_->report();
        out.failure = impl_->failure->text();
    } catch (...) {
        out.failure = error_from_exception().message;
    }
    return out;
}

}  // namespace ringlet
