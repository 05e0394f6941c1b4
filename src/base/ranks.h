// The processes that simulate one scene together, each a part of the strands. A launcher such as
// mpirun starts them on one or several machines. Each process is a rank; rank 0, the first, runs
// the job and writes its outputs, and the others help it (docs/many_machines.md).
//
// A collective function must be called by all ranks in the same order. Functions are not
// thread-safe. A failed connection ends the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ringlet {

// Bytes to or from another rank.
struct Parcel {
    int rank;
    std::vector<std::byte> bytes;
};

// Counts how much a process has sent with these functions so far.
struct RankTraffic {
    std::int64_t bytes_sent = 0;  // those of collective functions once, however they travel
    double seconds = 0;           // inside them, waiting included
};

class Ranks {
public:
    virtual ~Ranks() = default;

    virtual int rank() const = 0;
    virtual int count() const = 0;

    // Collective. Copies the first rank's bytes to the others.
    virtual void broadcast(std::span<std::byte> bytes) = 0;
    // Collective. Replace each value by its sum, or its maximum, over all ranks.
    virtual void sum(std::span<std::int64_t> values) = 0;
    virtual void maximum(std::span<std::int64_t> values) = 0;
    // Collective. `all` receives the bytes of every rank in order; each has as many as `own`.
    virtual void gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;
    // Send to one rank, or receive from it, as many bytes as the other side expects.
    virtual void send(int to, std::span<const std::byte> bytes) = 0;
    virtual void receive(int from, std::span<std::byte> bytes) = 0;
    // Sends a parcel to each of some ranks, which send one to this rank at the same time. Returns
    // theirs in the same order.
    virtual std::vector<Parcel> exchange(std::span<const Parcel> parcels) = 0;
    // Collective. The ranks [first, first + count) as ranks of their own; null for the other ones.
    virtual std::unique_ptr<Ranks> group(int first, int count) = 0;

    // Groups count in the traffic of all ranks.
    virtual RankTraffic traffic() const = 0;
};

// The ranks to which this process belongs; null: it is alone. Set it at the start of a program.
// Not owned.
Ranks* process_ranks();
void set_process_ranks(Ranks* ranks);

// Whether this process only helps the first rank.
inline bool is_helper() { return process_ranks() && process_ranks()->rank() > 0; }

}  // namespace ringlet
