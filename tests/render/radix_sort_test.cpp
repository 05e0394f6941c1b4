// Both ways to sort on the GPU give the order of a stable sort on the CPU.
#include "render_gl/radix_sort.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "math/noise.h"
#include "picture_fixture.h"

namespace ringlet {
namespace {

class radix_sort : public PictureTest, public testing::WithParamInterface<SortShader> {};

std::vector<std::uint32_t> read(GLuint buffer, std::size_t count) {
    std::vector<std::uint32_t> out(count);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(count * sizeof(std::uint32_t)),
                            out.data());
    return out;
}

void write(GLuint buffer, const std::vector<std::uint32_t>& values) {
    glNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(values.size() * sizeof(std::uint32_t)),
                         values.data());
}

// Sizes below, at and above the items of a workgroup; keys with and without many equal ones.
TEST_P(radix_sort, keeps_the_order_of_equal_keys) {
    constexpr std::uint32_t kBits = 15;
    Result<RadixSort> sort = RadixSort::create(GetParam());
    ASSERT_TRUE(sort) << sort.error().text();
    for (const std::size_t count : {1, 63, 4095, 4096, 4097, 30'000})
        for (const std::uint32_t distinct : {1u, 5u, 1u << kBits}) {
            std::vector<std::uint32_t> keys(count), order(count);
            std::iota(order.begin(), order.end(), 0u);
            for (std::size_t i = 0; i < count; ++i)
                keys[i] = static_cast<std::uint32_t>(
                    counter_uniform(3, static_cast<std::uint32_t>(i), distinct) *
                    static_cast<float>(distinct));
            sort->reserve(count);
            sort->set_size(count);
            write(sort->keys(), keys);
            write(sort->values(), order);
            sort->sort(kBits);
            std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i]; });
            std::ranges::stable_sort(keys);
            EXPECT_EQ(read(sort->keys(), count), keys) << count << " items, " << distinct;
            EXPECT_EQ(read(sort->values(), count), order) << count << " items, " << distinct;
        }
}

INSTANTIATE_TEST_SUITE_P(of, radix_sort, testing::Values(SortShader::serial, SortShader::parallel),
                         [](const auto& which) {
                             return which.param == SortShader::serial ? "serial" : "parallel";
                         });

}  // namespace
}  // namespace ringlet
