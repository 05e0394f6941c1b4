#include "render_rt/random_stream.h"

#include "math/noise.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kPictureSeed = 0x7ace;
constexpr std::size_t kDimensions = 4;
constexpr int kIndexBits = 16;
static_assert(RandomStream::kSamples == 1 << kIndexBits);

constexpr std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 16) | (x << 16);
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

// A primitive polynomial and the first direction numbers (Joe and Kuo 2008, "Constructing Sobol
// sequences with better two-dimensional projections").
struct Recurrence {
    int degree;
    std::uint32_t coefficients;
    std::array<std::uint32_t, 3> first;
};
constexpr Recurrence kRecurrences[kDimensions - 1] = {
    {1, 0, {1, 0, 0}}, {2, 1, {1, 3, 0}}, {3, 1, {1, 3, 1}}};

// The directions of a dimension: fractions of 2^32.
constexpr std::array<std::uint32_t, kIndexBits> directions(std::size_t dimension) {
    std::array<std::uint32_t, kIndexBits> out{};
    for (std::size_t i = 0; i < kIndexBits; ++i) {
        if (dimension == 0) {
            out[i] = 0x80000000u >> i;
            continue;
        }
        const Recurrence& own = kRecurrences[dimension - 1];
        const auto s = static_cast<std::size_t>(own.degree);
        if (i < s) {
            out[i] = own.first[i] << (31 - i);
            continue;
        }
        out[i] = out[i - s] ^ (out[i - s] >> s);
        for (std::size_t k = 1; k < s; ++k)
            if (own.coefficients >> (s - 1 - k) & 1u) out[i] ^= out[i - k];
    }
    return out;
}

// Sobol's points with their bits in reverse order, by the low and the high byte of their index.
struct SobolTable {
    std::uint32_t low[256][kDimensions]{}, high[256][kDimensions]{};

    constexpr SobolTable() {
        for (std::size_t d = 0; d < kDimensions; ++d) {
            const std::array<std::uint32_t, kIndexBits> own = directions(d);
            for (std::size_t byte = 0; byte < 256; ++byte)
                for (std::size_t bit = 0; bit < 8; ++bit) {
                    if (!(byte >> bit & 1u)) continue;
                    low[byte][d] ^= reversed(own[bit]);
                    high[byte][d] ^= reversed(own[bit + 8]);
                }
        }
    }
};
constexpr SobolTable kSobol;

// A permutation in which each bit depends on the lower ones only, so that it scrambles numbers with
// reversed bits as a random tree does (Laine and Karras 2011; constants of N. Vegdahl 2021).
constexpr std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= seed >> 16 | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

}  // namespace

RandomStream::RandomStream(std::uint32_t pixel, std::uint32_t sample)
    : seed_(hash_bits(pixel + kPictureSeed)), reversed_sample_(reversed(sample)) {}

// Burley 2020, "Practical Hash-based Owen Scrambling": each set visits the same points in an order
// of its own. The order is scrambled too, so that each run of 2^k samples is well distributed.
RandomStream::Four RandomStream::set(std::uint32_t number) const {
    std::uint32_t seed = hash_bits(seed_ ^ hash_bits(number));
    const std::uint32_t index = reversed(scrambled(reversed_sample_, seed));
    const std::uint32_t *const low = kSobol.low[index & 255u], *const high =
                                                                   kSobol.high[index >> 8 & 255u];
    Four out;
    for (std::size_t d = 0; d < kDimensions; ++d) {
        seed = hash_bits(seed + 0x9e3779b9u);
        const std::uint32_t bits = reversed(scrambled(low[d] ^ high[d], seed));
        out[d] = static_cast<float>(bits >> 8) * 0x1p-24f;
    }
    return out;
}

}  // namespace ringlet
