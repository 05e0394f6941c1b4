#!/usr/bin/env python3
"""Guards speed without a clock: counts the instructions of small fixed runs and compares.

    count_instructions.py PROGRAM COMPILER [--record]

PROGRAM is speed_case; COMPILER names what compiled it. Counts are compared with
instruction_counts.txt next to this script, to 2 %; with --record they are written there instead. A
change for the better fails too: record it, or the next one for the worse goes unnoticed. Exits 77
(skipped) where valgrind is missing or the counts are those of another compiler.
"""
import pathlib
import re
import shutil
import subprocess
import sys

RECORD = pathlib.Path(__file__).with_name("instruction_counts.txt")
TOLERANCE = 0.02
# Each case counts the instructions within this function.
CASES = {
    "pbd": "*ringlet::run_block<ringlet::PbdKernel, ringlet::WideN<ringlet::IsaAvx2*",
    "rod": "*ringlet::run_block<ringlet::RodKernel, ringlet::WideN<ringlet::IsaAvx2*",
    "ftl": "*ringlet::run_block<ringlet::FtlKernel, ringlet::WideN<ringlet::IsaAvx2*",
    "spring": "*ringlet::run_block<ringlet::SpringKernel, ringlet::WideN<ringlet::IsaAvx2*",
    "grid": "ringlet::HairCoupling::couple(*",
}


def count(program, case):
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         "--toggle-collect=" + CASES[case], program, case], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found or int(found.group(1)) == 0:
        sys.exit(f"{case}: nothing counted\n{run.stderr}")
    return int(found.group(1))


def read_record():
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    return lines[0], {name: int(number) for name, number in (line.split() for line in lines[1:])}


def main():
    program, compiler = sys.argv[1:3]
    if not shutil.which("valgrind"):
        print("skipped: no valgrind (tools/install_packages)")
        return 77
    if "--record" in sys.argv:
        lines = [compiler] + [f"{case} {count(program, case)}" for case in CASES]
        RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return 0
    recorded_with, recorded = read_record()
    if recorded_with != compiler:
        print(f"skipped: counts were recorded with {recorded_with}, this is {compiler}")
        return 77
    failed = False
    for case in CASES:
        now, before = count(program, case), recorded[case]
        change = now / before - 1
        bad = abs(change) > TOLERANCE
        failed |= bad
        print(f"{case:8}{now:>12} instructions, {change * 100:+.1f} %{'  TOO FAR' if bad else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
