#include "kernels/device_arithmetic.h"

#include <gtest/gtest.h>

TEST(device_arithmetic, rounds_as_the_cpu_does) {
#if RINGLET_HAS_CUDA
    if (!has_device()) GTEST_SKIP() << "no CUDA device";
    const WronglyRounded wrong = count_wrongly_rounded();
    EXPECT_EQ(wrong.roots, 0u);
    EXPECT_EQ(wrong.reciprocals, 0u);
    EXPECT_EQ(wrong.of_normals, 0u);
    EXPECT_LT(wrong.excepted, 1u << 23);
#else
    GTEST_SKIP() << "built without CUDA";
#endif
}
