#include <gtest/gtest.h>
TEST(ftl, x) {}
