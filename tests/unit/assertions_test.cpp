// Mistakes of the program reach the assertion handler, which an embedding program can replace.
#include <gtest/gtest.h>

#include <stdexcept>

#include "ringlet/result.h"
#include "strand/channel.h"
#include "strand/strand_channel.h"

namespace ringlet {
namespace {

// Turns failures into exceptions, as an embedding program may.
class Assertions : public testing::Test {
protected:
    Assertions()
        : before_(set_assertion_handler([](const AssertionFailure& failure) {
              throw std::runtime_error(failure.message);
          })) {}
    ~Assertions() override { set_assertion_handler(before_); }

    template <class Action>
    static std::string failure_of(const Action& action) {
        try {
            action();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    }

private:
    AssertionHandler before_;
};

LayoutRef small_layout() {
    const int counts[] = {3, 1, 2};
    return std::make_shared<const StrandLayout>(counts);
}

TEST_F(Assertions, failed_result_that_is_dereferenced_says_why_it_failed) {
    Result<std::string> result(Error{"no such scene; see ringlet scenes", "curls.toml", 7});
    for (const std::string& text :
         {failure_of([&] { *result += "x"; }), failure_of([&] { result->clear(); })}) {
        EXPECT_NE(text.find("curls.toml:7: no such scene"), std::string::npos) << text;
        EXPECT_NE(text.find("failed"), std::string::npos) << text;
    }
}

TEST_F(Assertions, error_of_a_result_that_succeeded_is_a_mistake) {
    const Result<int> result(3);
    EXPECT_EQ(*result, 3);
    EXPECT_NE(failure_of([&] { result.error().text(); }), "");
    EXPECT_NE(failure_of([] { Result<void>().error().text(); }), "");
}

TEST_F(Assertions, indices_outside_a_layout_are_mistakes) {
    const LayoutRef layout = small_layout();
    EXPECT_EQ(layout->vertex_count(2), 2);
    EXPECT_NE(failure_of([&] { layout->vertex_count(3); }), "");
    EXPECT_NE(failure_of([&] { layout->slot(-1); }), "");
    EXPECT_NE(failure_of([&] { layout->rows(1); }), "");
    EXPECT_NE(failure_of([&] { layout->strand_at(0, kLanes); }), "");
}

TEST_F(Assertions, indices_outside_a_channel_are_mistakes) {
    Channel<3> channel(small_layout());
    channel.set_vec3(0, 2, {1, 2, 3});
    EXPECT_EQ(channel.at(0, 2, 1), 2);
    EXPECT_NE(failure_of([&] { channel.set_vec3(1, 1, {1, 2, 3}); }), "");
    EXPECT_NE(failure_of([&] { channel.at(0, 0, 3) = 1; }), "");
    EXPECT_NE(failure_of([&] { channel.at(0, -1) = 1; }), "");
    EXPECT_NE(failure_of([] { Channel<3>().vec3(0, 0); }), "") << "an empty channel";
}

TEST_F(Assertions, indices_outside_a_strand_channel_are_mistakes) {
    StrandChannel<4> channel(small_layout());
    channel.set_quat(1, {1, 2, 3, 4});
    EXPECT_EQ(channel.at(1, 3), 4);
    EXPECT_EQ(channel.at(2, 3), 0);
    EXPECT_NE(failure_of([&] { channel.at(1, 4) = 0; }), "");
    EXPECT_NE(failure_of([&] { channel.at(3) = 0; }), "");
    EXPECT_NE(failure_of([] { StrandChannel<1>().at(0); }), "") << "an empty channel";
}

TEST(AssertionHandler, null_restores_the_default_which_prints_one_line_and_aborts) {
    const Result<int> failed(Error{"nothing there"});
    set_assertion_handler(nullptr);
    EXPECT_DEATH(static_cast<void>(*failed), "error\\.cpp:.*failed is dereferenced: nothing there");
}

TEST(AssertionHandler, program_aborts_if_the_handler_returns) {
    const AssertionHandler before = set_assertion_handler([](const AssertionFailure&) {});
    const Result<int> failed(Error{"nothing there"});
    EXPECT_DEATH(static_cast<void>(*failed), "");
    set_assertion_handler(before);
}

}  // namespace
}  // namespace ringlet
