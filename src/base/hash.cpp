#include "base/hash.h"

namespace ringlet {

std::string Hash::hex() const {
    std::string out(16, '0');
    for (int digit = 0; digit < 16; ++digit)
        out[static_cast<std::size_t>(digit)] =
            "0123456789abcdef"[(state_ >> (60 - 4 * digit)) & 15];
    return out;
}

}  // namespace ringlet
