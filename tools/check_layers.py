#!/usr/bin/env python3
"""Checks every #include against the table of docs/architecture.md, and where third-party headers live.

Exits 1 and prints file and line for every include that the table does not allow.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')
FOLDERS = ("src", "include", "apps", "tools", "bench", "tests", "samples", "python")
ENDINGS = (".h", ".cpp", ".cu")

# Where each third-party header may be included. Anything else outside the C++ and C libraries is
# refused.
HOMES = {
    "toml++/": ["src/scene/"],
    "fmt/": ["src/scene/", "src/session/", "apps/"],
    "nlohmann/": ["src/session/", "tests/"],
    "CLI/": ["apps/ringlet/"],
    "GLFW/": ["apps/viewer/"],
    "imgui": ["apps/viewer/"],
    "backends/imgui": ["apps/viewer/"],
    "epoxy/": ["src/render_gl/", "apps/viewer/", "tests/render/", "tools/time_renderer/", "samples/"],
    "EGL/": ["src/render_gl/", "samples/"],
    "glm/": ["src/picture/studio.cpp", "src/render_gl/"],
    "embree3/": ["src/render_rt/"],
    "mpi.h": ["src/ranks_mpi/"],
    "assimp/": ["apps/read_mesh/"],
    "tiny_obj_loader.h": ["src/io/obj/"],
    "stb": ["src/io/image/"],
    "jpeglib.h": ["src/io/image/", "tests/unit/"],
    "zlib.h": ["src/io/image/", "src/io/numpy/", "tests/unit/"],
    "jerror.h": ["src/io/image/"],
    "setjmp.h": ["src/io/image/"],
    "libav": ["src/io/video/", "tests/unit/"],
    "libsw": ["src/io/video/"],
    "oneapi/": ["src/base/parallel.cpp"],
    "gtest/": ["tests/"],
    "pybind11/": ["python/"],
    "immintrin.h": ["src/math/"],
    "cuda_runtime_api.h": ["src/sim/cuda/"],
    "cuda_gl_interop.h": ["src/sim/cuda/"],
    "GL/": ["src/sim/cuda/"],
    "stddef.h": ["include/ringlet/ringlet_c.h"],
    "stdint.h": ["include/ringlet/ringlet_c.h"],
    # The command line's own headers, which its tests include too.
    "gpu_of_rank.h": ["apps/ringlet/", "tests/cli/"],
    "run_outcome.h": ["apps/ringlet/", "tests/cli/"],
    "terminal.h": ["apps/ringlet/", "tests/cli/"],
}
# Headers of the operating system.
SYSTEM = {"dirent.h", "fcntl.h", "malloc.h", "poll.h", "pthread.h", "signal.h", "spawn.h", "unistd.h"}


def read_table(text, modules):
    """The table `| module | may include |` of docs/architecture.md, by module or folder/."""
    table = {}
    for line in text[text.index("| module | may include |"):].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) != 2:
            break
        allowed = set(re.findall(r"[a-z_]+", cells[1])) - {"nothing"}
        if cells[1] == "every module":
            allowed = modules
        elif cells[1] == "every module below viewer":
            allowed = modules - {"viewer"}
        for name in cells[0].split(","):
            table[name.strip()] = allowed
    return table


def row_of_module(module):
    """Renderers share the row `render_*`."""
    return "render_*" if module.startswith("render_") else module


def row_of(relative, table):
    """The row of the table that a file belongs to, or None: its module, or its longest folder."""
    parts = relative.split("/")
    if parts[0] == "src":
        return row_of_module(parts[1])
    rows = [row for row in table if row.endswith("/") and relative.startswith(row)]
    return max(rows, key=len, default=None)


def is_standard(header):
    return "/" not in header and not header.endswith(".h") or header.startswith("sys/") or header in SYSTEM


def complaint(relative, header, row, table, modules):
    """What is wrong with one include, or None."""
    first = header.split("/")[0]
    home = next((HOMES[prefix] for prefix in HOMES if header.startswith(prefix)), None)
    if home is not None:
        if not any(relative.startswith(place) for place in home):
            return f"<{header}> belongs in {', '.join(home)}"
    elif first == "ringlet":
        if header in ("ringlet/ringlet.h", "ringlet/jobs.h") and relative.startswith("src/") and row != "session":
            return f"a module below session includes {header}"
    elif "/" in header and first in modules:
        own = relative.split("/")[1] if relative.startswith("src/") else row.strip("/").split("/")[-1] if row else None
        if row is None or first != own and first not in table[row]:
            return f"{row or 'this folder'} may not include {first}"
    elif not is_standard(header) and not any(
            (folder / header).exists() for folder in (ROOT / relative).parents if folder != ROOT):
        return f"unknown header {header}; give it a home in tools/check_layers.py"
    return None


def complaints(path, table, modules):
    relative = path.relative_to(ROOT).as_posix()
    row = row_of(relative, table)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        wrong = complaint(relative, match.group(1), row, table, modules) if match else None
        if wrong:
            yield f"{relative}:{number}: {wrong}"


def main():
    modules = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    table = read_table((ROOT / "docs/architecture.md").read_text(encoding="utf-8"), modules | {"viewer"})
    bad = [f"docs/architecture.md: the table lacks {module}" for module in sorted(modules)
           if row_of_module(module) not in table]
    bad += [f"docs/architecture.md: the table names {row}, which does not exist" for row in table
            if not any(path.is_dir() for path in ROOT.glob(row if row.endswith("/") else f"src/{row}"))]
    if not bad:
        files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")))
        for path in files:
            if path.suffix in ENDINGS:
                bad.extend(complaints(path, table, modules | {"viewer"}))
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
