#include "gpu_of_rank.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace {

// The driver has a file /dev/nvidiaN for each GPU.
int installed_gpus() {
    const auto is_gpu = [](const std::filesystem::directory_entry& entry) {
        const std::string name = entry.path().filename().string(), prefix = "nvidia";
        return name.size() > prefix.size() && name.starts_with(prefix) &&
               std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                           [](char c) { return c >= '0' && c <= '9'; });
    };
    std::error_code ignored;
    const std::filesystem::directory_iterator devices("/dev", ignored);
    return static_cast<int>(std::count_if(begin(devices), end(devices), is_gpu));
}

}  // namespace

std::string gpu_of_rank(int rank_on_machine, const std::string& visible, int installed) {
    std::vector<std::string> gpus;
    std::istringstream list(visible);
    for (std::string one; std::getline(list, one, ',');) gpus.push_back(one);
    if (visible.empty())
        for (int k = 0; k < installed; ++k) gpus.push_back(std::to_string(k));
    if (gpus.size() < 2) return {};
    return gpus[static_cast<std::size_t>(rank_on_machine) % gpus.size()];
}

void choose_gpu_of_rank(int rank_on_machine) {
    const char* const name = "CUDA_VISIBLE_DEVICES";
    const char* const before = std::getenv(name);
    const std::string own = gpu_of_rank(rank_on_machine, before ? before : "", installed_gpus());
    if (!own.empty()) ::setenv(name, own.c_str(), 1);
}
