// The random numbers of one sample of one pixel: points of Sobol's sequence, scrambled as Owen 1995
// does it, so that the samples of a pixel cover every dimension evenly.
#pragma once

#include <array>
#include <cstdint>

namespace ringlet {

// Numbers come in sets of four. The samples of a pixel are well distributed in the four dimensions
// of a set; different sets and different pixels are independent. Numbers are addressed by their
// set, so a path does not depend on how many numbers another one used. The same (pixel, sample,
// set) gives the same numbers on any thread, however many samples there are.
class RandomStream {
public:
    using Four = std::array<float, 4>;
    // The samples of a pixel repeat after this many.
    static constexpr int kSamples = 65536;

    RandomStream(std::uint32_t pixel, std::uint32_t sample);

    // Uniform in [0, 1).
    Four set(std::uint32_t number) const;

private:
    std::uint32_t seed_;
    std::uint32_t reversed_sample_;  // its bits in reverse order
};

}  // namespace ringlet
