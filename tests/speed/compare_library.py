#!/usr/bin/env python3
"""Counts the instructions of stepping the same strands through a session and through HairSim.

    compare_library.py PROGRAM

PROGRAM is library_case. The library may take 1 % more than a session, which is what
`ringlet simulate` steps, and must give the same hash. Exits 77 (skipped) where valgrind is missing,
and in the shorter levels of ./test, because it takes 50 s.
"""
import os
import re
import shutil
import subprocess
import sys

TOLERANCE = 0.01
FUNCTIONS = {"session": "ringlet::Session::step()", "library": "ringlet::HairSim::step(double)"}


def count(program, case):
    """Returns the instructions within the function, and the hash that the program prints."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=" + FUNCTIONS[case], program, case], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found or int(found.group(1)) == 0:
        sys.exit(f"{case}: nothing counted\n{run.stderr}")
    return int(found.group(1)), run.stdout.strip()


def main():
    if os.environ.get("RINGLET_TEST_LEVEL", "all") != "all":
        print("skipped: ./test all runs it")
        return 77
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (tools/install_packages)")
        return 77
    session, expected = count(sys.argv[1], "session")
    library, found = count(sys.argv[1], "library")
    more = library / session - 1
    print(f"session {session}, library {library} instructions: {100 * more:+.2f} %")
    if found != expected:
        print(f"hash {found} is not {expected}")
    return 1 if more > TOLERANCE or found != expected else 0


if __name__ == "__main__":
    sys.exit(main())
