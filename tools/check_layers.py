#!/usr/bin/env python3
"""Checks who includes whom against the table of docs/architecture.md, and where third-party headers live.

Exits 1 and names file and line for every include that points against the one arrow.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]')

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
    "epoxy/": ["src/render_gl/", "apps/viewer/", "tests/render/"],
    "EGL/": ["src/render_gl/"],
    "glm/": ["src/render_gl/"],
    "tiny_obj_loader.h": ["src/io/obj/"],
    "stb": ["src/io/image/"],
    "jpeglib.h": ["src/io/image/", "tests/unit/"],
    "jerror.h": ["src/io/image/"],
    "setjmp.h": ["src/io/image/"],
    "libav": ["src/io/video/", "tests/unit/"],
    "libsw": ["src/io/video/"],
    "oneapi/": ["src/base/parallel.cpp"],
    "gtest/": ["tests/"],
    "immintrin.h": ["src/math/"],
    "cuda_runtime_api.h": ["src/sim/cuda/"],
    "cuda_gl_interop.h": ["src/sim/cuda/"],
    "GL/": ["src/sim/cuda/"],
}


def read_table(text):
    """Rows `| modules | may include |` of docs/architecture.md."""
    table = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 2 and re.fullmatch(r"[a-z_, ]+", cells[0]) and cells[0] != "module":
            allowed = set(re.findall(r"[a-z_]+", cells[1])) - {"nothing"}
            for module in cells[0].split(","):
                table[module.strip()] = allowed
    return table


def is_standard(header):
    return "/" not in header and not header.endswith(".h") or header.startswith("sys/") or header in {
        "unistd.h", "fcntl.h", "spawn.h", "dirent.h", "signal.h"}


def complaints(path, table, modules):
    relative = path.relative_to(ROOT).as_posix()
    parts = relative.split("/")
    module = parts[1] if parts[0] == "src" else None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        first = header.split("/")[0]
        home = next((HOMES[prefix] for prefix in HOMES if header.startswith(prefix)), None)
        if home is not None:
            if not any(relative.startswith(place) for place in home):
                yield f"{relative}:{number}: <{header}> belongs in {', '.join(home)}"
        elif first == "ringlet":
            if module and module != "session" and header in ("ringlet/ringlet.h", "ringlet/jobs.h"):
                yield f"{relative}:{number}: a module below session includes {header}"
        elif first in modules:
            if parts[0] == "include":
                yield f"{relative}:{number}: a public header includes {header}"
            elif module and first != module and first not in table[module]:
                yield f"{relative}:{number}: {module} may not include {first}"
            elif relative.startswith("apps/ringlet/"):
                yield f"{relative}:{number}: the command line may include only ringlet/ and viewer/"
        elif not is_standard(header) and parts[0] in ("src", "include"):
            yield f"{relative}:{number}: unknown header {header}; give it a home in tools/check_layers.py"


def main():
    table = read_table((ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
    modules = {path.name for path in (ROOT / "src").iterdir() if path.is_dir()}
    bad = [f"docs/architecture.md: the table lacks {module}" for module in sorted(modules - set(table))]
    if not bad:
        for folder in ("src", "include", "apps", "tests"):
            for ending in ("h", "cpp", "cu"):
                for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
                    bad.extend(complaints(path, table, modules))
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
