// Files appear complete or not at all; parallel loops visit every index once.
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <set>

#include "base/parallel.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

// Everything below a folder, by relative path.
std::set<std::string> listing(const fs::path& folder) {
    std::set<std::string> out;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        out.insert(fs::relative(entry.path(), folder).string());
    return out;
}

void put(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

TEST(write_file, leaves_the_file_and_nothing_else) {
    const TempFolder folder;
    const std::string bytes("a\0b\r\n\xff", 6);
    ASSERT_TRUE(write_file(folder / "out.bin", bytes));
    EXPECT_EQ(listing(folder / ""), std::set<std::string>{"out.bin"});
    const Result<std::string> back = read_file(folder / "out.bin");
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, bytes);
}

TEST(write_file, replaces_what_was_there_and_makes_folders) {
    const TempFolder folder;
    put(folder / "out.txt", "old and long");
    ASSERT_TRUE(write_file(folder / "out.txt", "new"));
    EXPECT_EQ(*read_file(folder / "out.txt"), "new");
    ASSERT_TRUE(write_file(folder / "a/b/out.txt", ""));
    EXPECT_EQ(*read_file(folder / "a/b/out.txt"), "");
    EXPECT_EQ(listing(folder / "").size(), 4u);
}

TEST(write_file, that_fails_says_why_and_changes_nothing) {
    const TempFolder folder;
    put(folder / "file", "keep");
    fs::create_directory(folder / "taken");
    const std::set<std::string> before = listing(folder / "");
    // A file where a folder is needed, and a folder where a file is needed.
    for (const char* name : {"file/out.txt", "taken"}) {
        const Result<void> done = write_file(folder / name, "x");
        ASSERT_FALSE(done) << name;
        EXPECT_NE(done.error().message.find("cannot be written"), std::string::npos);
        EXPECT_EQ(done.error().file, (folder / name).string());
        EXPECT_EQ(listing(folder / ""), before) << name;
    }
    EXPECT_EQ(*read_file(folder / "file"), "keep");
}

TEST(pending_file, without_commit_leaves_nothing) {
    const TempFolder folder;
    put(folder / "out.mp4", "old");
    {
        const PendingFile pending(folder / "out.mp4");
        EXPECT_EQ(pending.temporary().parent_path(), (folder / "out.mp4").parent_path());
        EXPECT_EQ(pending.temporary().extension(), ".mp4");
        put(pending.temporary(), "half of it");
        EXPECT_EQ(listing(folder / "").size(), 2u);
        EXPECT_EQ(*read_file(folder / "out.mp4"), "old");
    }
    EXPECT_EQ(listing(folder / ""), std::set<std::string>{"out.mp4"});
    EXPECT_EQ(*read_file(folder / "out.mp4"), "old");
}

TEST(pending_file, without_commit_leaves_no_folders_either) {
    const TempFolder folder;
    {
        const PendingFile pending(folder / "new/folder/out.txt");
        put(pending.temporary(), "half of it");
    }
    EXPECT_TRUE(folder.is_empty()) << *listing(folder / "").begin();
}

TEST(pending_file, keeps_folders_that_were_there) {
    const TempFolder folder;
    fs::create_directory(folder / "mine");
    { const PendingFile pending(folder / "mine/out.txt"); }
    EXPECT_TRUE(fs::exists(folder / "mine"));
}

TEST(pending_file, appears_with_commit) {
    const TempFolder folder;
    PendingFile pending(folder / "out.txt");
    put(pending.temporary(), "all of it");
    EXPECT_FALSE(fs::exists(folder / "out.txt"));
    ASSERT_TRUE(pending.commit());
    EXPECT_EQ(listing(folder / ""), std::set<std::string>{"out.txt"});
    PendingFile empty(folder / "never_written.txt");
    EXPECT_FALSE(empty.commit());
}

TEST(write_file, follows_links_and_keeps_them) {
    const TempFolder folder;
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("elsewhere/out.txt", folder / "link");
    for (const char* text : {"first", "second"}) {  // the target is missing, then there
        ASSERT_TRUE(write_file(folder / "link", text));
        EXPECT_TRUE(fs::is_symlink(folder / "link"));
        EXPECT_EQ(*read_file(folder / "elsewhere/out.txt"), text);
    }
    // The listing resolves links.
    EXPECT_EQ(listing(folder / ""), (std::set<std::string>{"elsewhere", "elsewhere/out.txt"}));
}

TEST(write_file, writes_into_devices_and_pipes_and_does_not_replace_them) {
    EXPECT_TRUE(write_file("/dev/null", "text"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    const Result<void> full = write_file("/dev/full", "text");
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("No space left on device"), std::string::npos);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    const TempFolder folder;
    const std::string pipe = (folder / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { std::ifstream(pipe) >> received; });
    EXPECT_TRUE(write_file(pipe, "text"));
    reader.join();
    EXPECT_EQ(received, "text");
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(write_file, writes_into_open_streams) {
    const TempFolder folder;
    const std::string path = (folder / "stream").string();
    const int stream = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_GE(stream, 0);
    const auto inode = [&] {
        struct stat status {};
        stat(path.c_str(), &status);
        return status.st_ino;
    };
    const auto before = inode();
    EXPECT_TRUE(write_file("/dev/fd/" + std::to_string(stream), "text"));
    close(stream);
    EXPECT_EQ(*read_file(path), "text");
    EXPECT_EQ(inode(), before) << "the file was replaced";
}

TEST(write_file, says_why_a_folder_cannot_be_created) {
    const Result<void> done = write_file("/sys/ringlet/out.txt", "x");  // refused to root, too
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().file, "/sys/ringlet/out.txt");
    EXPECT_NE(done.error().message.find("the folder /sys/ringlet cannot be created"),
              std::string::npos)
        << done.error().message;
    EXPECT_EQ(done.error().message.find("No such file"), std::string::npos);
}

TEST(check_writable, accepts_what_can_be_created_and_creates_nothing) {
    const TempFolder folder;
    put(folder / "file.txt", "old");
    const std::set<std::string> before = listing(folder / "");
    for (const char* name : {"file.txt", "new.txt", "new/folder/out.txt", "new/", ""})
        EXPECT_TRUE(check_writable(folder / name)) << name;
    EXPECT_TRUE(check_writable("relative.txt"));
    EXPECT_TRUE(check_writable("/dev/null"));
    EXPECT_EQ(listing(folder / ""), before);
}

TEST(check_writable, refuses_folders_and_files_used_as_folders) {
    const TempFolder folder;
    put(folder / "file", "keep");
    fs::create_directory(folder / "taken");
    const Result<void> taken = check_writable(folder / "taken");
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find("is a folder"), std::string::npos);
    for (const char* name : {"file/out.txt", "file/", "file/a/b.txt"}) {
        const Result<void> inside = check_writable(folder / name);
        ASSERT_FALSE(inside) << name;
        EXPECT_NE(inside.error().message.find("is not a folder"), std::string::npos)
            << inside.error().message;
    }
}

TEST(read_file, names_the_cause_of_a_failure) {
    const TempFolder folder;
    const Result<std::string> missing = read_file(folder / "nothing.txt");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("no such file"), std::string::npos);
    EXPECT_EQ(missing.error().file, (folder / "nothing.txt").string());
    const Result<std::string> directory = read_file(folder / "");
    ASSERT_FALSE(directory);
    EXPECT_NE(directory.error().message.find("folder"), std::string::npos);
    put(folder / "large", std::string(3 << 20, 'x'));
    const Result<std::string> large = read_file(folder / "large", 2 << 20);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("larger than 2 MiB"), std::string::npos);
    EXPECT_EQ(read_file(folder / "large", 3 << 20)->size(), std::size_t{3} << 20);
}

TEST(read_file, reads_an_empty_file) {
    const TempFolder folder;
    put(folder / "empty", "");
    EXPECT_EQ(*read_file(folder / "empty"), "");
}

// Nobody writes to the pipe, so opening it would block; then the alarm ends the test.
TEST(read_file, refuses_a_named_pipe_without_opening_it) {
    const TempFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    alarm(20);
    const Result<std::string> bytes = read_file(folder / "pipe");
    alarm(0);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().text(),
              (folder / "pipe").string() +
                  ": is a named pipe, not a regular file; save its contents to a file and name "
                  "that");
}

TEST(read_file, refuses_devices_and_sockets) {
    const Result<std::string> device = read_file("/dev/null");
    ASSERT_FALSE(device);
    EXPECT_NE(device.error().message.find("is a device, not a regular file"), std::string::npos);

    const TempFolder folder;
    const std::string path = (folder / "socket").string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.size(), sizeof address.sun_path);
    path.copy(address.sun_path, path.size());
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const Result<std::string> bytes = read_file(path);
    close(listener);
    ASSERT_FALSE(bytes);
    EXPECT_NE(bytes.error().message.find("is a socket, not a regular file"), std::string::npos);
}

TEST(error_text, omits_unknown_parts) {
    EXPECT_EQ((Error{"wrong"}.text()), "wrong");
    EXPECT_EQ((Error{"wrong", "a.obj"}.text()), "a.obj: wrong");
    EXPECT_EQ((Error{"wrong", "a.obj", 3}.text()), "a.obj:3: wrong");
    EXPECT_EQ((Error{"wrong", "a.obj", 3, 7}.text()), "a.obj:3:7: wrong");
}

TEST(task_pool, visits_every_index_once) {
    for (const int threads : {1, 2, 8}) {
        const TaskPool pool(threads);
        EXPECT_EQ(pool.thread_count(), threads);
        for (const int count : {0, 1, 7, 100000}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
            pool.for_each(count, [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
            for (const std::atomic<int>& visit : visits) ASSERT_EQ(visit.load(), 1);
        }
    }
}

TEST(task_pool, has_a_thread_at_least_and_may_be_moved) {
    TaskPool pool;
    EXPECT_GE(pool.thread_count(), 1);
    pool = TaskPool(2);
    TaskPool other = std::move(pool);
    std::atomic<int> sum = 0;
    other.for_each(100, [&](int i) { sum += i; });
    EXPECT_EQ(sum.load(), 4950);
}

TEST(task_pool, passes_on_an_exception_of_a_call) {
    for (const int threads : {1, 4}) {
        const TaskPool pool(threads);
        EXPECT_THROW(pool.for_each(1000,
                                   [](int i) {
                                       if (i == 700) throw std::bad_alloc();
                                   }),
                     std::bad_alloc);
        std::atomic<int> calls = 0;
        pool.for_each(10, [&](int) { ++calls; });
        EXPECT_EQ(calls.load(), 10);
    }
}

TEST(task_pool, stops_when_asked) {
    TaskPool pool(2);
    bool stop = false;
    int calls = 0;
    pool.stop_when([&] { return stop; });
    pool.for_each(1, [&](int) { ++calls; });
    stop = true;
    EXPECT_THROW(pool.for_each(1, [&](int) { ++calls; }), Stopped);
    pool.stop_when({});
    pool.for_each(1, [&](int) { ++calls; });
    EXPECT_EQ(calls, 2);
}

TEST(task_pool, loops_may_hold_loops) {
    const TaskPool pool(2);
    std::atomic<int> sum = 0;
    pool.for_each(20, [&](int) { pool.for_each(20, [&](int) { ++sum; }); });
    EXPECT_EQ(sum.load(), 400);
}

}  // namespace
}  // namespace ringlet
