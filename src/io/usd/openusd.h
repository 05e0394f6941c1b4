// Binary USD layers (.usdc), which OpenUSD's Python package reads and writes in a child process:
// its format is not published. The package is searched by the python3 of the user's PATH.
#pragma once

#include <filesystem>
#include <functional>

#include "ringlet/result.h"

namespace ringlet {

// Succeeds if python3 can import the package; otherwise the Error states the remedy.
Result<void> check_openusd();

// The files of a layer in text with its large arrays beside it (UsdBlob), and of its result.
struct UsdParts {
    std::filesystem::path text, index, bytes;
    std::filesystem::path output;  // .usdc; an existing file is replaced
};

// Makes a binary layer. `more` is another layer in text that becomes the binary layer `more_output`
// by the same process; both may be empty.
Result<void> assemble_usd(const UsdParts& parts, const std::filesystem::path& more = {},
                          const std::filesystem::path& more_output = {});

// Writes the stage of a file, with its references, sublayers and value clips resolved, as one text
// layer.
Result<void> flatten_usd(const std::filesystem::path& input, const std::filesystem::path& output,
                         const std::function<bool()>& is_stopped = {});

}  // namespace ringlet
