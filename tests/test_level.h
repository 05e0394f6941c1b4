// Three levels of testing: `./test quick`, `./test` (full) and `./test all`. A test that takes long
// states the lowest level that runs it in its first line: RINGLET_TEST_FROM(full) or
// RINGLET_TEST_FROM(all). What it covers must be covered in small by a test of the level below.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace ringlet {

enum class TestLevel { quick, full, all };

// Whether a sanitizer checks the program, which then takes several times as long.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitizesThreads = true, kSanitized = true;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitizesThreads = false, kSanitized = true;
#else
inline constexpr bool kSanitizesThreads = false, kSanitized = false;
#endif

// The values that a test runs through: with a sanitizer only the first, where the same code handles
// all of them.
template <class T>
std::vector<T> first_if_sanitized(std::vector<T> values) {
    if (kSanitized) values.resize(1);
    return values;
}

// The level that runs now: RINGLET_TEST_LEVEL, or all, so that a program run by hand runs every
// test.
inline TestLevel test_level() {
    const char* const variable = std::getenv("RINGLET_TEST_LEVEL");
    const std::string_view name = variable ? variable : "all";
    return name == "quick" ? TestLevel::quick : name == "full" ? TestLevel::full : TestLevel::all;
}

// The values that a test runs through: at the level quick only the first.
template <class T>
std::vector<T> first_if_quick(std::vector<T> values) {
    if (test_level() == TestLevel::quick) values.resize(1);
    return values;
}

// Whether ./test did not start the program. A test may then measure more than ./test has time for,
// for example every row of a table of docs/.
inline bool is_run_by_hand() { return !std::getenv("RINGLET_TEST_LEVEL"); }

}  // namespace ringlet

#define RINGLET_TEST_FROM(level)                               \
    if (::ringlet::test_level() < ::ringlet::TestLevel::level) \
    GTEST_SKIP() << "too long for this level of ./test"
