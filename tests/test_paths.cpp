#include "test_paths.h"

namespace ringlet {

const char* const kSourceFolder = RINGLET_SOURCE_FOLDER;
const char* const kProgramPath = RINGLET_PROGRAM_PATH;

}  // namespace ringlet
