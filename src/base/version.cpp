#include "ringlet/version.h"

#define RINGLET_TEXT_OF(number) #number
#define RINGLET_VERSION_TEXT(major, minor, patch) \
    RINGLET_TEXT_OF(major) "." RINGLET_TEXT_OF(minor) "." RINGLET_TEXT_OF(patch)

namespace ringlet {

const char* version() {
    return RINGLET_VERSION_TEXT(RINGLET_VERSION_MAJOR, RINGLET_VERSION_MINOR,
                                RINGLET_VERSION_PATCH);
}

}  // namespace ringlet
