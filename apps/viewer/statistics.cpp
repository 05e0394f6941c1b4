#include "viewer/statistics.h"

#include <algorithm>
#include <numeric>

namespace ringlet {

void Series::add(float value) {
    if (values_.size() == most_) values_.erase(values_.begin());
    values_.push_back(value);
}

float Series::highest() const {
    return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

float Series::mean(std::size_t count) const {
    const auto among = static_cast<std::ptrdiff_t>(std::min(count, values_.size()));
    if (among == 0) return 0;
    return std::accumulate(values_.end() - among, values_.end(), 0.0f) / static_cast<float>(among);
}

void Statistics::add_stage(const std::string& name, float ms) {
    auto found = std::find_if(stages.begin(), stages.end(),
                              [&](const Stage& stage) { return stage.name == name; });
    if (found == stages.end()) found = stages.insert(found, {name, Series()});
    found->ms.add(ms);
}

}  // namespace ringlet
