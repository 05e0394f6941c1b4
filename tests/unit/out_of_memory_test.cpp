// Jobs return an Error when an allocation fails, whichever it is. Scene files, JSON and the listing
// of folders are not tested: their libraries end the program when a small allocation fails.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "counted_memory.h"
#include "ringlet/ringlet.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

class OutOfMemory : public testing::Test {
protected:
    OutOfMemory() {
        std::ofstream(folder_ / "scene.toml")
            << "[sim]\nsubsteps = 2\n[[groom.strand]]\nroot = [0, 0.3, 0]\n"
               "direction = [1, 0, 0]\nlength = 0.1\nvertices = 8\n";
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    // Calls the function repeatedly, each time failing a later allocation, until none fails. The
    // function must not allocate outside the library.
    static void expect_errors(const std::function<Result<void>()>& call) {
        const Result<void> first = call();  // allocates what is allocated once per process
        ASSERT_TRUE(first) << first.error().text();
        int errors = 0;
        for (long n = 0;; n += 1 + n / 8) {
            counted_memory::until_failure = n;
            const Result<void> done = call();
            const bool failed = counted_memory::until_failure.exchange(-1) < 0;
            if (!failed) break;
            if (done) continue;  // the allocation was optional
            ++errors;
            EXPECT_NE(done.error().message.find("not enough memory"), std::string::npos)
                << done.error().text();
        }
        EXPECT_GT(errors, 3);
    }

    Result<Session> open() const { return Session::open(scene_, options_); }

private:
    TempFolder folder_;
    const std::string scene_ = path("scene.toml");
    SessionOptions options_;
};

template <class T>
Result<void> without_value(const Result<T>& result) {
    return result ? Result<void>() : result.error();
}

TEST_F(OutOfMemory, simulating_returns_an_error) {
    for (const char* output : {"x.hair", "frames/"}) {
        const SimulateOptions options{path(output), 2};
        expect_errors([&] {
            const long left = counted_memory::until_failure.exchange(-1);
            Result<Session> session = open();
            EXPECT_TRUE(session);
            counted_memory::until_failure = left;
            return without_value(simulate(*session, options, {}));
        });
    }
}

TEST_F(OutOfMemory, writing_and_converting_grooms_returns_an_error) {
    Result<Session> session = open();
    ASSERT_TRUE(session);
    const std::string input = path("x.hair"), output = path("y.ply");
    expect_errors([&] { return save_groom(*session, input); });
    expect_errors([&] { return convert(input, output, {1, false, 5}); });
    expect_errors([&] { return check_output(input, OutputKind::strands); });
}

TEST_F(OutOfMemory, a_session_says_that_it_is_lost_until_it_is_reset) {
    Result<Session> session = open();
    ASSERT_TRUE(session);
    session->step();
    const std::string expected = session->hash();
    int lost = 0;
    for (long n = 0;; n += 1 + n / 8) {
        counted_memory::until_failure = n;
        session->reset();
        const bool failed = counted_memory::until_failure.exchange(-1) < 0;
        if (!failed) break;
        if (session->status()) continue;  // the allocation was optional
        ++lost;
        const std::string text = session->status().error().text();
        EXPECT_NE(text.find("not enough memory"), std::string::npos) << text;
        EXPECT_EQ(session->report().failure, text);
        session->step();
        EXPECT_TRUE(session->positions().empty());
        EXPECT_TRUE(session->hash().empty());
        EXPECT_FALSE(simulate(*session, {"", 1}, {}));
        session->reset();
        ASSERT_TRUE(session->status());
        session->step();
        EXPECT_EQ(session->hash(), expected);
        EXPECT_TRUE(session->report().failure.empty());
    }
    EXPECT_GT(lost, 3);
}

}  // namespace
}  // namespace ringlet
