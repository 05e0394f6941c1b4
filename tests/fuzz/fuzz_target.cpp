#include "fuzz/fuzz_target.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/files.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Deleted when the program ends.
class ProcessFolder {
public:
    ProcessFolder()
        : path_(fs::temp_directory_path() / ("ringlet_fuzz_" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    ~ProcessFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ProcessFolder(const ProcessFolder&) = delete;
    ProcessFolder& operator=(const ProcessFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

const fs::path& process_folder() {
    static const ProcessFolder folder;
    return folder.path();
}

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::abort();
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

}  // namespace

std::vector<FuzzTarget> all_fuzz_targets() {
    std::vector<FuzzTarget> out;
    for (const auto family :
         {groom_targets, mesh_targets, image_targets, state_targets, text_targets})
        std::ranges::move(family(), std::back_inserter(out));
    return out;
}

FuzzOutcome refused(const Error& error) {
    const std::string text = error.text();
    if (error.message.empty()) return {false, "an error without a message", text};
    if (std::ranges::any_of(text, is_control))
        return {false, "an error that is not one printable line: " + text, text};
    return {false, "", text};
}

fs::path input_file(std::string_view input, const std::string& extension) {
    const fs::path path = process_folder() / ("input" + extension);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, input.data(), input.size()) != std::ssize(input))
        stop("cannot write " + path.string());
    ::close(file);
    return path;
}

std::string written_bytes(const std::string& extension,
                          const std::function<Result<void>(const fs::path&)>& write) {
    const fs::path path = process_folder() / ("seed" + extension);
    if (const Result<void> done = write(path); !done) stop(done.error().text());
    const Result<std::string> bytes = read_file(path);
    if (!bytes) stop(bytes.error().text());
    return *bytes;
}

std::vector<std::string_view> zero_separated(std::string_view input, std::size_t most) {
    std::vector<std::string_view> out;
    while (out.size() + 1 < most) {
        const std::size_t end = input.find('\0');
        out.push_back(input.substr(0, end));
        if (end == std::string_view::npos) return out;
        input.remove_prefix(end + 1);
    }
    out.push_back(input);
    return out;
}

}  // namespace ringlet
