// Where the sources and the program are on the machine that built the tests. Only test_paths.cpp is
// compiled with these paths, so that clones share the compiler's cache for all other files.
#pragma once

namespace ringlet {

extern const char* const kSourceFolder;  // the root of the repository
extern const char* const kProgramPath;   // the program `ringlet` of this build

}  // namespace ringlet
