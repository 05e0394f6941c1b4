#include "ringlet/session.h"

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
    Result<Scene> loaded = load_scene(scene, options.overrides);
    if (!loaded) return loaded.error();
    Result<std::unique_ptr<Impl>> impl = Impl::make(std::move(*loaded), options, listener);
    if (!impl) return impl.error();
    return Session(std::move(*impl));
} catch (...) {
    return error_from_exception();
}

void Session::step() { impl_->step(); }
void Session::reset() { impl_->restart(); }
double Session::time() const { return impl_->time(); }
int Session::strand_count() const { return impl_->layout()->strand_count(); }
int Session::vertex_count(int strand) const { return impl_->layout()->vertex_count(strand); }

std::vector<float> Session::positions() const {
    std::vector<float> out;
    for (const Vec3f& p : unpack(impl_->strands(When::now).on_host()))
        out.insert(out.end(), {p.x, p.y, p.z});
    return out;
}

std::string Session::hash() const {
    const std::vector<Actor>& actors = impl_->actors;
    if (actors.size() == 1) return actors.front().hash().hex();
    Hash all;
    for (const Actor& actor : actors) {
        const std::uint64_t own = actor.hash().value();
        all.add(static_cast<std::uint32_t>(own));
        all.add(static_cast<std::uint32_t>(own >> 32));
    }
    return all.hex();
}

}  // namespace ringlet
