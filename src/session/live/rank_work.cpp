// The part of a session that works together with the sessions of other ranks.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "session/live/session_impl.h"

namespace ringlet {

Result<void> Session::Impl::divide_over_ranks() {
    Ranks* const ranks = process_ranks();
    if (!ranks) return {};
    const auto touches = [](const Actor& a) { return a.scene.sim.strand_contact.radius > 0; };
    if (std::any_of(actors.begin(), actors.end(), touches))
        return Error{
            "contact between strands runs as one process; start it without mpirun, or set "
            "strand_contact.radius to 0"};
    if (Result<void> same = compare_grooms(); !same) return same;
    const int group = backend().on_gpu ? kDeviceBlocks : 1;
    std::vector<std::int64_t> work;
    for (const Actor& actor : actors)
        work.push_back(actor.groom.simulated_layout().vertex_total() * actor.scene.sim.substeps);
    const std::vector<RankRange> own = ranks_of_heads(work, ranks->count());
    for (std::size_t k = 0; k < actors.size(); ++k)
        actors[k].division = StrandDivision(actors[k].groom.simulated_layout(), *ranks,
                                            own[k].first, own[k].count, group);
    return {};
}

// Fails on all ranks if one of them has grown other strands.
Result<void> Session::Impl::compare_grooms() const {
    ByteHash hash;
    for (const Actor& actor : actors)
        hash.add(std::as_bytes(actor.groom.simulated_rest(pool).position.read().memory()));
    const std::uint64_t own = hash.value();
    std::vector<std::uint64_t> all(static_cast<std::size_t>(process_ranks()->count()));
    process_ranks()->gather(std::as_bytes(std::span(&own, 1)),
                            std::as_writable_bytes(std::span(all)));
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        if (all[rank] != all[0])
            return Error{
                fmt::format("rank {} has other strands than rank 0; use the same program "
                            "and the same files on all machines",
                            rank)};
    return {};
}

void Session::Impl::tell(Order order) const {
    Ranks* const ranks = process_ranks();
    if (ranks && ranks->rank() == 0) ranks->broadcast(std::as_writable_bytes(std::span(&order, 1)));
}

void Session::Impl::help_first_rank() {
    for (Order order{}; order != Order::dismiss;) {
        process_ranks()->broadcast(std::as_writable_bytes(std::span(&order, 1)));
        obey(order);
    }
}

void Session::Impl::obey(Order order) {
    switch (order) {
        case Order::step:
            return step();
        case Order::keep_previous:
            return keep_previous(false);
        case Order::release_previous:
            return release_previous();
        case Order::collect_positions:
            return collect_positions();
        case Order::collect_state:
            return collect_state();
        case Order::restore:
            return restore();
        case Order::describe_exchange:
            describe_exchange();
            return;
        case Order::dismiss:
            return;
    }
}

void Session::Impl::dismiss_helpers() { tell(Order::dismiss); }

void Session::Impl::keep_previous(bool with_velocities) {
    tell(Order::keep_previous);
    for (Actor& actor : actors) actor.live.keep_previous(with_velocities);
}

void Session::Impl::release_previous() {
    tell(Order::release_previous);
    for (Actor& actor : actors) actor.live.release_previous();
}

void Session::Impl::collect_positions() {
    if (!process_ranks() || collected_ != Collected::nothing) return;
    tell(Order::collect_positions);
    for (Actor& actor : actors) actor.simulation().collect(actor.live.positions_memory());
    collected_ = Collected::positions;
}

void Session::Impl::collect_state() {
    if (!process_ranks() || collected_ == Collected::state) return;
    tell(Order::collect_state);
    for (Actor& actor : actors)
        actor.simulation().collect(actor.live.changing_memory(StateAccess::load));
    collected_ = Collected::state;
}

std::string Session::Impl::describe_exchange() {
    Ranks* const ranks = process_ranks();
    if (!ranks) return {};
    tell(Order::describe_exchange);
    const RankTraffic own = ranks->traffic(), &before = traffic_at_start_;
    std::int64_t sums[] = {own.bytes_sent - before.bytes_sent,
                           static_cast<std::int64_t>((own.seconds - before.seconds) * 1e6)};
    ranks->sum(sums);
    const int steps = std::max(statistics.totals().frames, 1);
    return fmt::format(
        "{} ranks have sent {:.3f} MB, {:.1f} kB per step, and each has spent "
        "{:.2f} s sending and waiting",
        ranks->count(), static_cast<double>(sums[0]) / 1e6,
        static_cast<double>(sums[0]) / 1e3 / steps,
        static_cast<double>(sums[1]) / 1e6 / ranks->count());
}

}  // namespace ringlet
