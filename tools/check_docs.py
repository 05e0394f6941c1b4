#!/usr/bin/env python3
"""Checks that the documentation is consistent with the repository: links, file names and scene keys.

Every relative link must lead to a file or heading. Every file name and identifier in backticks must exist. Every scene key in
backticks, in a TOML sample or after --set must be in docs/scene_keys.md. Every function of the table in docs/architecture.md
that follows a strand must be in the file that the table names. Prints one line per fault and exits with 1 if there is any.
"""
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Scene tables whose keys are checked; a token such as `sim.rod.solves` starts with one of them.
TABLES = ("groom", "sim", "hair_hair", "wind", "head", "fur", "camera", "light", "render", "record", "collider")
FILE_NAME = re.compile(r"[\w./-]+\.(?:h|cpp|cu|comp|frag|vert|glsl|py|md|cmake)")
SOURCES = (".h", ".cpp", ".cu", ".def", ".toml", ".txt", ".cmake", ".py", ".comp", ".frag", ".vert", ".glsl", ".json")
STYLE_EXAMPLES = ("snake_case", "UpperCamel", "kUpperCamel", "trailing_", "strand_at_rest_stays_at_rest")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}(?:_kernel)?\.\w+$|^build/")  # NAME.cpp stands for any name


def pages():
    return [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))


def tracked_files():
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return listing.split()


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(text):
    """The anchors that headings of a page define, as GitHub derives them."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_faults(page, text):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", without_code(text)):
        if re.match(r"\w+://", target):
            continue
        path = (page.parent / target) if target else page
        if not path.exists():
            yield f"link to {target}, which does not exist"
        elif anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield f"link to {target}#{anchor}: there is no such heading"


def file_faults(text, files):
    tails = {"/" + name for name in files}
    for token in re.findall(r"`([^`\n]+)`", without_code(text)):
        if not FILE_NAME.fullmatch(token) or PLACEHOLDER.search(token):
            continue
        if not any(tail.endswith("/" + token) for tail in tails):
            yield f"file {token} does not exist"


def words_of_code(files):
    """All words of the source files, and the names of files and test programs."""
    words = set(STYLE_EXAMPLES)
    for name in files:
        path = pathlib.PurePath(name)
        words.update((path.stem, path.parent.name + "_tests"))
        if name.endswith(SOURCES):
            words.update(re.findall(r"\w+", (ROOT / name).read_text(encoding="utf-8")))
    return words


def identifier_faults(text, words):
    """Identifiers in backticks, with `::`, an underscore or capitals inside, that no source file contains."""
    for token in re.findall(r"`([^`\n]+)`", without_code(text)):
        name = re.fullmatch(r"((?:\w+::)*\w+)(?:\(.*\)|<\w+>)?", token)
        if not name or not re.search(r"::|_|[a-z][A-Z]", name[1]) or "NAME" in token:
            continue
        for part in name[1].split("::"):
            if part not in words:
                yield f"identifier {token} does not exist"


def path_faults(text):
    """Functions of the rows `| number | function | file | ...` that are not in their file."""
    for function, name in re.findall(r"^\| \d+ \| `([^`]+)` \| `([^`]+)` \|", text, flags=re.M):
        path = ROOT / name if name.startswith("apps/") else ROOT / "src" / name
        if path.exists() and not re.search(rf"\b{function.split('::')[-1]}\(", path.read_text(encoding="utf-8")):
            yield f"{name} has no function {function}"


def known_keys(listing):
    """All keys of docs/scene_keys.md; those of a list of tables are prefixed with its name."""
    keys, prefix = set(), ""
    for line in listing.splitlines():
        if table := re.match(r"`\[\[([^\]]+)\]\]`", line):
            prefix = table[1] + "."
        elif row := re.match(r"\| `([^`]+)`", line):
            keys.add(prefix + row[1])
    return keys


def is_known(key, keys):
    return key in keys or any(known.startswith(key + ".") for known in keys)


def sample_keys(table, prefix=""):
    """The dotted keys of a parsed TOML sample."""
    for name, value in table.items():
        tables = value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
        for item in tables:
            if isinstance(item, dict):
                yield from sample_keys(item, f"{prefix}{name}.")
            else:
                yield prefix + name


def key_faults(text, keys):
    found = [re.split(r"[ =]", token)[0] for token in re.findall(r"`([^`\n]+)`", without_code(text))]
    found = [key for key in found if re.fullmatch(r"[a-z_]+(?:\.[a-z_]+)+", key) and key.split(".")[0] in TABLES]
    found += [re.sub(r"\.\d+", "", key) for key in re.findall(r"--set '?([a-z_.\d]+)=", text)]
    for sample in re.findall(r"^```toml\n(.*?)^```", text, flags=re.S | re.M):
        found += sample_keys(tomllib.loads(sample))
    for key in found:
        if not is_known(key, keys):
            yield f"scene key {key} does not exist"


def main():
    files = tracked_files()
    words = words_of_code(files)
    keys = known_keys((ROOT / "docs/scene_keys.md").read_text(encoding="utf-8"))
    faults = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT)
        found = list(link_faults(page, text))
        if name.name != "CHANGELOG.md":  # names files and keys of the past
            found += [*file_faults(text, files), *key_faults(text, keys), *path_faults(text)]
            found += identifier_faults(text, words)
        faults += [f"{name}: {fault}" for fault in found]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
