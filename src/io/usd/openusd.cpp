#include "io/usd/openusd.h"

#include <cstdlib>
#include <vector>

#include "base/child_process.h"
#include "base/files.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInstall =
    "install OpenUSD's Python package (python3 -m pip install usd-core, in a virtual environment "
    "that is active), or name a .usda file";

// Prints "done", or one line about what is wrong.
constexpr const char* kScript = R"python(
import sys

# Reads in pieces and saves large arrays at once, so that memory holds one of them at a time.
PIECE, UNSAVED = 1 << 16, 1 << 22

def read_array(file, kind, count):
    from pxr import Vt
    array, code, width = {"float1": (Vt.FloatArray, "f", 1), "float2": (Vt.Vec2fArray, "f", 2),
                          "float3": (Vt.Vec3fArray, "f", 3), "int1": (Vt.IntArray, "i", 1)}[kind]
    value = array(count)
    for at in range(0, count, PIECE):
        some = min(PIECE, count - at)
        shape = [some] if width == 1 else [some, width]
        piece = memoryview(file.read(4 * width * some)).cast(code, shape=shape)
        value[at:at + some] = array.FromBuffer(piece)
    return value, 4 * width * count

def save(layer, output):
    if not layer.Save():
        raise RuntimeError("OpenUSD cannot write " + output)

def assemble(text, index, blob, output):
    from pxr import Sdf
    layer = Sdf.Layer.CreateNew(output)
    layer.TransferContent(Sdf.Layer.FindOrOpen(text))
    unsaved = 0
    with open(blob, "rb") as file, open(index) as lines:
        for line in lines:
            prim, name, time, kind, count = line.rstrip("\n").split("\t")
            value, size = read_array(file, kind, int(count))
            path = prim + "." + name
            if time == "-":
                layer.GetAttributeAtPath(path).default = value
            else:
                layer.SetTimeSample(path, float(time), value)
            del value
            unsaved += size
            if unsaved > UNSAVED:
                save(layer, output)
                unsaved = 0
    save(layer, output)

def flatten(source, output):
    from pxr import Usd
    stage = Usd.Stage.Open(source)
    if not stage.Flatten().Export(output):
        raise RuntimeError("OpenUSD cannot write " + output)

def convert(source, output):
    from pxr import Sdf
    if not Sdf.Layer.FindOrOpen(source).Export(output):
        raise RuntimeError("OpenUSD cannot write " + output)

try:
    word, rest = sys.argv[1], sys.argv[2:]
    if word == "check":
        from pxr import Sdf, Usd, Vt
    elif word == "assemble":
        assemble(*rest[:4])
        if len(rest) > 4:
            convert(*rest[4:])
    else:
        flatten(*rest)
    print("done")
except ImportError:
    print("missing")
except Exception as error:
    print(str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__)
)python";

Result<fs::path> find_python() {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    std::error_code ignored;
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        const fs::path program = fs::path(folder.empty() ? "." : folder) / "python3";
        if (fs::is_regular_file(program, ignored)) return program;
    }
    return Error{std::string("needs OpenUSD, and there is no python3 in PATH; ") + kInstall};
}

// Runs the script. `bytes` is the size of the input, which bounds memory and time.
Result<void> run_openusd(const std::vector<std::string>& words, std::uint64_t bytes,
                         const std::function<bool()>& is_stopped = {}) {
    const Result<fs::path> python = find_python();
    if (!python) return python.error();
    std::vector<std::string> arguments{"-c", kScript};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProcessLimits limits{
        .seconds = 60 + static_cast<double>(bytes) / 2e6,
        .memory_bytes = (std::uint64_t{4} << 30) + 24 * bytes,
        .output_bytes = 1 << 16,
    };
    const Result<std::string> said = run_program(*python, arguments, limits, is_stopped);
    if (!said) return Error{"OpenUSD (" + python->string() + ") " + said.error().message};
    if (*said == "done\n") return {};
    if (*said == "missing\n")
        return Error{"needs OpenUSD, which " + python->string() + " does not have; " + kInstall};
    return Error{"OpenUSD: " + said->substr(0, said->find('\n'))};
}

std::uint64_t size_of(const fs::path& path) {
    const Result<std::uint64_t> size = regular_file_size(path);
    return size ? *size : 0;
}

}  // namespace

Result<void> check_openusd() { return run_openusd({"check"}, 0); }

Result<void> assemble_usd(const UsdParts& parts, const fs::path& more,
                          const fs::path& more_output) {
    std::vector<std::string> words{"assemble", parts.text, parts.index, parts.bytes, parts.output};
    if (!more.empty()) words.insert(words.end(), {more.string(), more_output.string()});
    return run_openusd(words, size_of(parts.text) + size_of(parts.bytes));
}

Result<void> flatten_usd(const fs::path& input, const fs::path& output,
                         const std::function<bool()>& is_stopped) {
    return run_openusd({"flatten", fs::absolute(input).string(), output.string()}, size_of(input),
                       is_stopped);
}

}  // namespace ringlet
