// An image of floats with named channels: linear light and the layers that compositing programs
// use.
#pragma once

#include <string>
#include <vector>

namespace ringlet {

struct LinearChannel {
    std::string name;           // "R", "albedo.R"; unique
    std::vector<float> values;  // row by row from the upper left corner, width * height of them
    bool is_precise = false;    // stored with 32 bits instead of 16
};

struct LinearImage {
    int width = 0, height = 0;
    std::vector<LinearChannel> channels;
};

}  // namespace ringlet
