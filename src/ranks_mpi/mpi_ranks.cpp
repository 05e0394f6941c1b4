#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "ranks_mpi/joined_ranks.h"

namespace ringlet {

namespace {

// MPI counts in int; larger messages travel in pieces.
constexpr std::size_t kMaxMessage = std::size_t{1} << 26;
constexpr int kBytesTag = 1, kParcelTag = 2;
// How long a process that is done waits for the others.
constexpr std::chrono::seconds kPatience{5};

int to_count(std::size_t count) { return static_cast<int>(count); }

// Calls action(piece) for consecutive pieces that MPI can send.
template <class T, class Action>
void for_each_piece(std::span<T> all, const Action& action) {
    for (std::size_t at = 0; at < all.size(); at += kMaxMessage)
        action(all.subspan(at, std::min(kMaxMessage, all.size() - at)));
}

// Counts bytes, and the time while it exists.
class Counted {
public:
    Counted(RankTraffic& traffic, std::size_t bytes) : traffic_(traffic) {
        traffic.bytes_sent += static_cast<std::int64_t>(bytes);
    }
    ~Counted() {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        traffic_.seconds += spent.count();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

private:
    RankTraffic& traffic_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class MpiRanks final : public Ranks {
public:
    MpiRanks(MPI_Comm communicator, RankTraffic& traffic)
        : communicator_(communicator), traffic_(traffic) {
        MPI_Comm_rank(communicator, &rank_);
        MPI_Comm_size(communicator, &count_);
    }
    ~MpiRanks() override {
        if (communicator_ != MPI_COMM_WORLD) MPI_Comm_free(&communicator_);
    }
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    int rank() const override { return rank_; }
    int count() const override { return count_; }

    void broadcast(std::span<std::byte> bytes) override {
        const Counted counted(traffic_, rank_ == 0 ? bytes.size() : 0);
        for_each_piece(bytes, [&](std::span<std::byte> piece) {
            MPI_Bcast(piece.data(), to_count(piece.size()), MPI_BYTE, 0, communicator_);
        });
    }
    void sum(std::span<std::int64_t> values) override { reduce(values, MPI_SUM); }
    void maximum(std::span<std::int64_t> values) override { reduce(values, MPI_MAX); }

    void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
        const Counted counted(traffic_, own.size());
        MPI_Allgather(own.data(), to_count(own.size()), MPI_BYTE, all.data(), to_count(own.size()),
                      MPI_BYTE, communicator_);
    }

    void send(int to, std::span<const std::byte> bytes) override {
        const Counted counted(traffic_, bytes.size());
        for_each_piece(bytes, [&](std::span<const std::byte> piece) {
            MPI_Send(piece.data(), to_count(piece.size()), MPI_BYTE, to, kBytesTag, communicator_);
        });
    }
    void receive(int from, std::span<std::byte> bytes) override {
        const Counted counted(traffic_, 0);
        for_each_piece(bytes, [&](std::span<std::byte> piece) {
            MPI_Recv(piece.data(), to_count(piece.size()), MPI_BYTE, from, kBytesTag, communicator_,
                     MPI_STATUS_IGNORE);
        });
    }

    // The size travels first, so that the receiver has memory for the content.
    std::vector<Parcel> exchange(std::span<const Parcel> parcels) override {
        std::size_t bytes = 0;
        for (const Parcel& parcel : parcels) bytes += parcel.bytes.size();
        const Counted counted(traffic_, bytes);
        std::vector<MPI_Request> requests;
        std::vector<std::uint64_t> sizes;
        sizes.reserve(parcels.size());  // requests refer to it
        for (const Parcel& parcel : parcels) {
            sizes.push_back(parcel.bytes.size());
            MPI_Isend(&sizes.back(), sizeof sizes.back(), MPI_BYTE, parcel.rank, kParcelTag,
                      communicator_, &requests.emplace_back());
            for_each_piece(std::span(parcel.bytes), [&](std::span<const std::byte> piece) {
                MPI_Isend(piece.data(), to_count(piece.size()), MPI_BYTE, parcel.rank, kParcelTag,
                          communicator_, &requests.emplace_back());
            });
        }
        std::vector<Parcel> out;
        for (const Parcel& parcel : parcels) out.push_back(receive_parcel(parcel.rank));
        MPI_Waitall(to_count(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        return out;
    }

    std::unique_ptr<Ranks> group(int first, int count) override {
        const bool is_member = rank_ >= first && rank_ < first + count;
        MPI_Comm members = MPI_COMM_NULL;
        MPI_Comm_split(communicator_, is_member ? 0 : MPI_UNDEFINED, rank_, &members);
        if (!is_member) return nullptr;
        return std::make_unique<MpiRanks>(members, traffic_);
    }

    RankTraffic traffic() const override { return traffic_; }

private:
    void reduce(std::span<std::int64_t> values, MPI_Op operation) {
        const Counted counted(traffic_, values.size_bytes());
        for_each_piece(values, [&](std::span<std::int64_t> piece) {
            MPI_Allreduce(MPI_IN_PLACE, piece.data(), to_count(piece.size()), MPI_INT64_T,
                          operation, communicator_);
        });
    }
    Parcel receive_parcel(int from) {
        std::uint64_t size = 0;
        MPI_Recv(&size, sizeof size, MPI_BYTE, from, kParcelTag, communicator_, MPI_STATUS_IGNORE);
        Parcel out{from, std::vector<std::byte>(size)};
        for_each_piece(std::span(out.bytes), [&](std::span<std::byte> piece) {
            MPI_Recv(piece.data(), to_count(piece.size()), MPI_BYTE, from, kParcelTag,
                     communicator_, MPI_STATUS_IGNORE);
        });
        return out;
    }

    MPI_Comm communicator_;
    RankTraffic& traffic_;
    int rank_ = 0, count_ = 1;
};

class JoinedMpi final : public JoinedRanks {
public:
    JoinedMpi() : world_(MPI_COMM_WORLD, traffic_) { set_process_ranks(&world_); }
    ~JoinedMpi() override { set_process_ranks(nullptr); }
    JoinedMpi(const JoinedMpi&) = delete;
    JoinedMpi& operator=(const JoinedMpi&) = delete;

    int rank_on_machine() const override {
        MPI_Comm machine = MPI_COMM_NULL;
        int out = 0;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
        MPI_Comm_rank(machine, &out);
        MPI_Comm_free(&machine);
        return out;
    }
    bool leave() override {
        if (all_are_here_ == MPI_REQUEST_NULL) MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here_);
        const auto end = std::chrono::steady_clock::now() + kPatience;
        int done = 0;
        while (!done && std::chrono::steady_clock::now() < end) {
            MPI_Test(&all_are_here_, &done, MPI_STATUS_IGNORE);
            if (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        if (done) MPI_Finalize();
        return done != 0;
    }
    [[noreturn]] void end_all(int exit_code) override {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        std::_Exit(exit_code);
    }

private:
    RankTraffic traffic_;
    MpiRanks world_;
    MPI_Request all_are_here_ = MPI_REQUEST_NULL;  // a barrier, once leave() was called
};

// The variables that launchers set; without one MPI would connect to nothing, and take a second.
bool has_launcher() {
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"})
        if (std::getenv(name)) return true;
    return false;
}

}  // namespace

Result<std::unique_ptr<JoinedRanks>> JoinedRanks::join() {
    if (!has_launcher()) return std::unique_ptr<JoinedRanks>();
    int support = 0, count = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &support);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (count == 1) {
        MPI_Finalize();
        return std::unique_ptr<JoinedRanks>();
    }
    return std::unique_ptr<JoinedRanks>(std::make_unique<JoinedMpi>());
}

}  // namespace ringlet
