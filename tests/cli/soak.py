#!/usr/bin/env python3
"""Simulates many frames of a small scene and checks that the memory of the process stays flat.

    tests/cli/soak.py PROGRAM [--frames N] [--slack KIB]

The scene has a head with each model, shaken in turbulent wind, with contact, guides with children and hair-hair
coupling; the run writes checkpoints and a report. The resident memory is sampled 20 times per second. After a warm-up of
a fifth of the run, its maximum in the second half of the rest may exceed that of the first half by --slack only. Exits 1
if it grows more, or if the run fails, and 77 (skipped) unless RINGLET_TEST_LEVEL is "all" or unset.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SCENE = """base = "models"
[groom]
strands = 40
guides = 10
vertices = 10
[head]
frequency = 2
[wind]
velocity = [2, 0, 1]
gust = 2
turbulence = 1
[hair_hair]
friction = 3
repulsion = 2
[record]
fps = 60
settle = 0
"""
PAGE = os.sysconf("SC_PAGE_SIZE") // 1024


def resident_kib(pid):
    """0 once the process has ended."""
    try:
        return int(pathlib.Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0


def run(program, frames, folder):
    """Returns the exit code, the error text, the report and the samples in KiB."""
    (folder / "scene.toml").write_text(SCENE, encoding="utf-8")
    words = [program, "simulate", "scene.toml", "--quiet", "--frames", str(frames), "--report", "report.json",
             "--checkpoint-every", "1"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    samples = []
    while process.poll() is None:
        samples.append(resident_kib(process.pid))
        time.sleep(0.05)
    report = folder / "report.json"
    return (process.returncode, process.stderr.read().strip(),
            json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}, [kib for kib in samples if kib])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--frames", type=int, default=5000)
    parser.add_argument("--slack", type=int, default=512, help="KiB (default 512)")
    arguments = parser.parse_args()
    if os.environ.get("RINGLET_TEST_LEVEL", "all") != "all":
        return 77
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ringlet_soak_") as folder:
        code, errors, report, samples = run(str(pathlib.Path(arguments.program).resolve()), arguments.frames,
                                            pathlib.Path(folder))
    if code != 0 or report.get("frames") != arguments.frames or report["nonfinite_vertices"]:
        print(f"exit code {code}, {report.get('frames', 0)} frames: {errors}")
        return 1
    steady = samples[len(samples) // 5:]
    if len(steady) < 10:
        print("too short to compare: give more --frames")
        return 1
    first, second = max(steady[:len(steady) // 2]), max(steady[len(steady) // 2:])
    print(f"{arguments.frames} frames in {time.monotonic() - start:.0f} s: {first} KiB, then {second} KiB; "
          f"{report['nonfinite_vertices']} vertices not finite")
    return 1 if second - first > arguments.slack else 0


if __name__ == "__main__":
    sys.exit(main())
