// A channel owns its copy on a device: values are copied only when the other side has newer ones.
#include <gtest/gtest.h>

#include <stdexcept>

#include "strand/channel.h"
#include "strand/strand_channel.h"

namespace ringlet {
namespace {

// Keeps "device" memory on the host and counts transfers.
class FakeMemory final : public DeviceMemory {
public:
    std::unique_ptr<DeviceBuffer> allocate(const LayoutRef& layout, int components,
                                           Per per) override {
        ++allocations;
        const int rows = per == Per::row ? layout->row_count() : layout->block_count();
        return std::make_unique<Buffer>(*this,
                                        static_cast<std::size_t>(rows * components * kLanes));
    }
    void add_traffic(std::int64_t bytes) override { traffic += bytes; }

    int allocations = 0, uploads = 0, downloads = 0;
    std::int64_t traffic = 0;

private:
    struct Buffer final : DeviceBuffer {
        Buffer(FakeMemory& owner, std::size_t floats)
            : memory(owner), values(floats), spare(floats) {}
        bool belongs_to(const DeviceMemory& other) const override { return &other == &memory; }
        std::size_t byte_count() const override { return values.size() * sizeof(float); }
        float* data() override { return values.data(); }
        float* second() override { return spare.data(); }
        void swap() override { std::swap(values, spare); }
        void upload(const float* host) override {
            ++memory.uploads;
            std::copy_n(host, values.size(), values.data());
        }
        void download(float* host) override {
            ++memory.downloads;
            std::copy_n(values.data(), values.size(), host);
        }
        int count_above(float limit) override {
            return static_cast<int>(
                std::count_if(values.begin(), values.end(), [&](float a) { return a > limit; }));
        }
        void fill_with_zeros() override { std::fill(values.begin(), values.end(), 0.0f); }
        FakeMemory& memory;
        std::vector<float> values, spare;
    };
};

LayoutRef one_strand() {
    const int counts[] = {2};
    return std::make_shared<const StrandLayout>(counts);
}

class DeviceCopyTest : public testing::Test {
protected:
    // A launch that sets the first value.
    void launch(Channel<1>& channel, float value) { channel.edit_on(device_)[0] = value; }

    FakeMemory device_;
};

TEST_F(DeviceCopyTest, values_are_uploaded_once_until_the_host_edits_them) {
    Channel<1> channel(one_strand(), 1.0f);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(channel.on(device_)[0], 1);
    EXPECT_EQ(device_.uploads, 1);
    channel.edit().at(0, 0) = 2;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(channel.on(device_)[0], 2);
    EXPECT_EQ(device_.uploads, 2);
    EXPECT_EQ(device_.downloads, 0);
    EXPECT_EQ(device_.allocations, 1);
}

TEST_F(DeviceCopyTest, values_are_downloaded_once_after_a_launch) {
    Channel<1> channel(one_strand());
    launch(channel, 3);
    launch(channel, 4);
    EXPECT_EQ(device_.downloads, 0);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(channel.read().at(0, 0), 4);
    EXPECT_EQ(device_.downloads, 1);
    EXPECT_EQ(channel.on(device_)[0], 4);
    EXPECT_EQ(device_.uploads, 1) << "reading on the host needs no further upload";
}

TEST_F(DeviceCopyTest, flags_are_counted_and_reset_where_they_are_newer) {
    StrandChannel<1> flags(one_strand());
    flags.at(0) = 1;
    EXPECT_EQ(flags.count_above(0), 1) << "on the host, without padding";
    flags.edit_on(device_)[0] = 2;
    EXPECT_EQ(flags.count_above(1), 1);
    EXPECT_EQ(flags.count_above(2), 0);
    flags.fill_with_zeros();
    EXPECT_EQ(flags.count_above(0), 0);
    EXPECT_EQ(device_.downloads, 0);
    EXPECT_EQ(device_.uploads, 1);
    EXPECT_EQ(flags.read().at(0), 0);
    flags.edit().at(0) = 1;
    flags.fill_with_zeros();
    EXPECT_EQ(flags.count_above(0), 0);
}

TEST_F(DeviceCopyTest, overwriting_on_the_device_uploads_nothing) {
    Channel<1> channel(one_strand(), 1.0f);
    channel.overwrite_on(device_)[0] = 5;
    EXPECT_EQ(device_.uploads, 0);
    EXPECT_EQ(channel.read().at(0, 0), 5);
}

TEST_F(DeviceCopyTest, a_copy_has_the_current_values_and_no_device_copy) {
    Channel<1> channel(one_strand());
    launch(channel, 6);
    Channel<1> copy = channel, assigned;
    assigned = channel;
    EXPECT_EQ(copy.at(0, 0), 6);
    EXPECT_EQ(assigned.at(0, 0), 6);
    EXPECT_EQ(copy.device_buffer(), nullptr);
    EXPECT_EQ(device_.downloads, 1);
    launch(copy, 7);
    EXPECT_EQ(channel.read().at(0, 0), 6);
    channel = copy;
    EXPECT_EQ(channel.at(0, 0), 7);
    EXPECT_EQ(channel.on(device_)[0], 7);
}

TEST_F(DeviceCopyTest, a_moved_channel_keeps_its_device_copy) {
    Channel<1> channel(one_strand());
    launch(channel, 8);
    const Channel<1> moved = std::move(channel);
    EXPECT_EQ(moved.on(device_)[0], 8);
    EXPECT_EQ(device_.allocations, 1);
    EXPECT_EQ(moved.read().at(0, 0), 8);
}

TEST_F(DeviceCopyTest, a_second_device_gets_the_values_of_the_first) {
    FakeMemory other;
    Channel<1> channel(one_strand());
    launch(channel, 9);
    EXPECT_EQ(channel.on(other)[0], 9);
    EXPECT_EQ(other.uploads, 1);
}

TEST_F(DeviceCopyTest, buffers_of_a_double_buffered_channel_are_swapped) {
    Channel<1> channel(one_strand(), 1.0f);
    channel.edit_on(device_);
    channel.device_buffer()->second()[0] = 10;
    channel.device_buffer()->swap();
    EXPECT_EQ(channel.read().at(0, 0), 10);
}

TEST_F(DeviceCopyTest, outdated_host_values_are_not_accessible) {
    const AssertionHandler before = set_assertion_handler(
        [](const AssertionFailure& failure) { throw std::runtime_error(failure.message); });
    Channel<3> channel(one_strand());
    channel.on(device_);
    EXPECT_EQ(channel.vec3(0, 0).x, 0);
    EXPECT_THROW(channel.set_vec3(0, 0, {1, 2, 3}), std::runtime_error) << "without edit()";
    channel.edit_on(device_);
    EXPECT_THROW(channel.vec3(0, 0), std::runtime_error) << "without read()";
    EXPECT_EQ(channel.read().vec3(0, 0).x, 0);
    set_assertion_handler(before);
}

TEST_F(DeviceCopyTest, strand_channels_follow_the_same_rules) {
    StrandChannel<4> channel(one_strand());
    channel.set_quat(0, {1, 2, 3, 4});
    EXPECT_EQ(channel.on(device_)[3 * kLanes], 4);
    channel.edit_on(device_)[3 * kLanes] = 5;
    EXPECT_EQ(channel.read().quat(0).w, 5);
    channel.fill({0, 0, 0, 1});
    EXPECT_EQ(channel.on(device_)[3 * kLanes], 1);
    EXPECT_EQ(device_.uploads, 2);
}

}  // namespace
}  // namespace ringlet
