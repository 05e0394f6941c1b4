#!/usr/bin/env python3
"""Checks what a compiler does not: the length of functions, the comments of the public headers, names
that Ringlet has given up, how comments begin, and missing standard headers.

    tools/check_style.py

- A function in src/ or apps/ has at most 60 lines. tools/long_functions.txt lists the exceptions.
- At least 35 % of the lines of include/ringlet are comments.
- No word of tests/old_identifiers.txt stands in the code.
- No comment begins with a bare pronoun: it says who does what.
- A file in src/ or include/ includes the standard headers that it uses, itself or by its own project's
  headers. Every build precompiles these headers, so that no compiler misses them.

Exits 1 and prints file and line of every finding.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST_FUNCTION = 60
LEAST_COMMENTS = 0.35
CODE = (".h", ".cpp", ".cu", ".vert", ".frag", ".comp", ".geom", ".tesc", ".tese", ".glsl", ".cmake",
        ".py", ".toml")
# Where old names may stand: the table of scene keys that are still read, and the list itself.
OLD_NAMES_ALLOWED = {"src/scene/key_aliases.h", "tests/old_identifiers.txt"}
# Names of the precompiled headers (cmake/RingletBuild.cmake).
STANDARD_NAMES = {
    "algorithm": "sort|stable_sort|fill|copy|clamp|lower_bound|upper_bound|find_if|max_element|min_element|"
                 "ranges::(?:sort|any_of|all_of|none_of|find|find_if|max_element|min_element|copy|fill|count)",
    "array": "array", "cmath": "sqrt|sin|cos|tan|pow|exp|log|floor|ceil|round|lround|isfinite|hypot|atan2",
    "cstring": "memcpy|memset|memcmp|strlen|strcmp", "filesystem": "filesystem", "functional": "function",
    "map": "map", "memory": "unique_ptr|shared_ptr|make_unique|make_shared", "optional": "optional|nullopt",
    "span": "span", "string": "string|to_string", "string_view": "string_view", "vector": "vector"}

TOKENS = re.compile(r"""
    //[^\n]* | /\*.*?\*/ |                             # comments
    R"([^(\s]*)\(.*?\)\1" |                            # raw strings
    "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' |        # strings and characters
    ^[ \t]*\#(?:\\\n|[^\n])*                           # preprocessor lines
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
NOT_FUNCTIONS = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
CONTROL = re.compile(r"^\W*(if|else|for|while|switch|do|try|catch)\b")


def without_comments(text):
    """The code with comments, strings and preprocessor lines blanked, line breaks kept."""
    return TOKENS.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def functions(text):
    """(name, first line, number of lines) of every function body, from its signature to its brace.

    A brace opens a function where the text since the last `;`, `{` or `}` has a parameter list and
    is neither a class, a namespace nor a control statement. What is inside a function belongs to it.
    """
    code = without_comments(text)
    head_start, depth_of_function, depth, found = 0, None, 0, []
    for match in re.finditer(r"[{};]", code):
        head, at = code[head_start:match.start()], match.start()
        head_start = match.end()
        if match.group(0) == "{":
            depth += 1
            is_function = "(" in head and not CONTROL.match(head.strip()) and not re.search(r"=\s*$", head)
            if NOT_FUNCTIONS.search(head.split("(")[0]) or not is_function:
                continue
            if depth_of_function is None:
                depth_of_function = depth
                first = code.count("\n", 0, at - len(head.lstrip())) + 1
                before = head[:head.index("(")].split()
                name = before[-1] if before else "?"
        elif match.group(0) == "}":
            if depth == depth_of_function:
                found.append((name, first, code.count("\n", 0, at) + 2 - first))
                depth_of_function = None
            depth -= 1
    return found


def sources(*folders, endings):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings and path.is_file():
                yield path, path.relative_to(ROOT).as_posix()


def long_functions():
    accepted = {}
    for line in (ROOT / "tools/long_functions.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, name = line.split()[:2]
            accepted[file, name] = False
    for path, relative in sources("src", "apps", endings=(".h", ".cpp", ".cu")):
        for name, line, length in functions(path.read_text(encoding="utf-8")):
            if length <= LONGEST_FUNCTION:
                continue
            if (relative, name) in accepted:
                accepted[relative, name] = True
            else:
                yield f"{relative}:{line}: {name} has {length} lines, more than {LONGEST_FUNCTION}"
    for (file, name), used in accepted.items():
        if not used:
            yield f"tools/long_functions.txt: {file} has no long function {name} any more"


def public_comments():
    comments = total = 0
    for path, _ in sources("include/ringlet", endings=(".h",)):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        total += sum(1 for line in lines if line)
        comments += sum(1 for line in lines if line.startswith("//"))
    if comments < LEAST_COMMENTS * total:
        yield f"include/ringlet: {comments} of {total} lines are comments, less than {LEAST_COMMENTS:.0%}"


def old_names():
    words = (ROOT / "tests/old_identifiers.txt").read_text(encoding="utf-8").splitlines()
    words = [word.strip() for word in words if word.strip() and not word.startswith("#")]
    if not words:
        return
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")\b")
    for path, relative in sources("include", "src", "apps", "tools", "bench", "tests", "scenes", "python", "samples",
                                  "blender", endings=CODE):
        if relative in OLD_NAMES_ALLOWED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in pattern.findall(line):
                yield f"{relative}:{number}: {word} is an old name (tests/old_identifiers.txt)"


def bare_pronouns():
    comment, bare = re.compile(r"\s*(?://|#) ?"), re.compile(r"\s*(?://|#) (Of|What|Who|Whoever|Likewise|Those)\b")
    for path, relative in sources("include", "src", "apps", "tools", "bench", "tests", "scenes", "python", "samples",
                                  "blender", "cmake", endings=CODE):
        before = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if bare.match(line) and not comment.match(before):
                yield f"{relative}:{number}: the comment begins with a bare pronoun; begin with the subject or a verb"
            before = line


def standard_headers(path, seen):
    """The standard headers that a file and the project's headers in it include."""
    if path in seen:
        return set()
    seen.add(path)
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r"#include <([a-z_]+)>", text))
    for name in re.findall(r'#include "([^"]+)"', text):
        for folder in (path.parent, ROOT / "src", ROOT / "include"):
            if (folder / name).exists():
                found |= standard_headers((folder / name).resolve(), seen)
                break
    return found


def missing_headers():
    for path, relative in sources("src", "include", endings=(".h", ".cpp")):
        code, included = without_comments(path.read_text(encoding="utf-8")), None
        for header, names in STANDARD_NAMES.items():
            used = re.search(rf"\bstd::(?:{names})\b", code)
            if not used:
                continue
            if included is None:
                included = standard_headers(path.resolve(), set())
            if header not in included:
                line = code.count("\n", 0, used.start()) + 1
                yield f"{relative}:{line}: {used.group()} needs #include <{header}>"


def main():
    findings = [*long_functions(), *public_comments(), *old_names(), *bare_pronouns(),
                *missing_headers()]
    for line in findings:
        print(line)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
