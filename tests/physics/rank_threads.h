// Ranks (base/ranks.h) that are threads of one process, so that divided work can be tested without
// a launcher.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "base/ranks.h"

namespace ringlet {

// The bytes on their way between the threads. Keys: first rank of the group, its size, sender,
// receiver.
class ThreadMail {
public:
    using Key = std::tuple<int, int, int, int>;

    void put(const Key& key, std::span<const std::byte> bytes) {
        const std::lock_guard lock(mutex_);
        boxes_[key].emplace_back(bytes.begin(), bytes.end());
        arrived_.notify_all();
    }
    std::vector<std::byte> take(const Key& key) {
        std::unique_lock lock(mutex_);
        std::deque<std::vector<std::byte>>& box = boxes_[key];
        arrived_.wait(lock, [&] { return !box.empty(); });
        std::vector<std::byte> out = std::move(box.front());
        box.pop_front();
        return out;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::map<Key, std::deque<std::vector<std::byte>>> boxes_;
};

class ThreadRanks final : public Ranks {
public:
    ThreadRanks(ThreadMail& mail, int first, int count, int rank)
        : mail_(mail), first_(first), count_(count), rank_(rank) {}

    int rank() const override { return rank_; }
    int count() const override { return count_; }
    void broadcast(std::span<std::byte> bytes) override {
        if (rank_ > 0) return receive(0, bytes);
        for (int to = 1; to < count_; ++to) send(to, bytes);
    }
    void sum(std::span<std::int64_t> values) override {
        reduce(values, [](std::int64_t a, std::int64_t b) { return a + b; });
    }
    void maximum(std::span<std::int64_t> values) override {
        reduce(values, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
    }
    void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
        for (int to = 0; to < count_; ++to) send(to, own);
        for (int from = 0; from < count_; ++from)
            receive(from, all.subspan(static_cast<std::size_t>(from) * own.size(), own.size()));
    }
    void send(int to, std::span<const std::byte> bytes) override {
        sent_ += static_cast<std::int64_t>(bytes.size());
        mail_.put({first_, count_, rank_, to}, bytes);
    }
    void receive(int from, std::span<std::byte> bytes) override {
        const std::vector<std::byte> got = mail_.take({first_, count_, from, rank_});
        std::memcpy(bytes.data(), got.data(), bytes.size());
    }
    std::vector<Parcel> exchange(std::span<const Parcel> parcels) override {
        for (const Parcel& parcel : parcels) send(parcel.rank, parcel.bytes);
        std::vector<Parcel> out;
        for (const Parcel& parcel : parcels)
            out.push_back({parcel.rank, mail_.take({first_, count_, parcel.rank, rank_})});
        return out;
    }
    std::unique_ptr<Ranks> group(int first, int count) override {
        if (rank_ < first || rank_ >= first + count) return nullptr;
        return std::make_unique<ThreadRanks>(mail_, first, count, rank_ - first);
    }
    RankTraffic traffic() const override { return {sent_, 0}; }

private:
    void reduce(std::span<std::int64_t> values,
                const std::function<std::int64_t(std::int64_t, std::int64_t)>& merge) {
        std::vector<std::int64_t> other(values.size());
        for (int from = 1; from < count_ && rank_ == 0; ++from) {
            receive(from, std::as_writable_bytes(std::span(other)));
            for (std::size_t k = 0; k < values.size(); ++k) values[k] = merge(values[k], other[k]);
        }
        if (rank_ > 0) send(0, std::as_bytes(values));
        broadcast(std::as_writable_bytes(values));
    }

    ThreadMail& mail_;
    int first_, count_, rank_;
    std::int64_t sent_ = 0;
};

// Calls work(ranks) on `count` threads at the same time, and waits for them.
inline void run_on_ranks(int count, const std::function<void(Ranks&)>& work) {
    ThreadMail mail;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] {
            // A group of all ranks would share the mail of all; no group has this first rank.
            ThreadRanks own(mail, -1, count, rank);
            work(own);
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace ringlet
