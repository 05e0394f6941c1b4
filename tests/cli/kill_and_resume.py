#!/usr/bin/env python3
"""Kills runs at random moments, continues them, and compares every output with an uninterrupted run.

    tests/cli/kill_and_resume.py PROGRAM [--kills N] [--seed N] [--backend cpu|cuda]

Runs each kind of output (a groom with a report, a folder of grooms, USD in one file and as clips, Alembic, a video,
numbered frames, a traced image, the last frame) once to its end. Then kills (SIGKILL) further runs of the same command at random
moments and continues each with --resume, in turn, until N runs were killed. After every kill there are at most two
checkpoints and one unfinished file (two while a video is joined). After the last --resume all bytes are equal, but for
the clock and the memory in the report, and nothing hidden is left. Exits 1 if anything differs, and 77 (skipped)
unless RINGLET_TEST_LEVEL is "all" or unset.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

SCENE = """base = "shake"
[groom]
strands = 60
guides = 12
vertices = 12
[record]
fps = 60
settle = 0
"""
SIMULATE = ["simulate", "scene.toml"]
RENDER = ["render", "scene.toml", "--size", "64x48", "--set", "render.shadows=false"]
KINDS = {
    "groom and report": SIMULATE + ["--frames", "300", "-o", "OUT/x.hair", "--report", "OUT/r.json"],
    "folder of grooms": SIMULATE + ["--frames", "200", "-o", "OUT/steps/"],
    "usd": ["simulate", "scene.toml", "--set", "groom.strands=20", "--frames", "200", "-o", "OUT/x.usda"],
    "usd clips": SIMULATE + ["--set", "groom.strands=4000", "--frames", "30", "-o", "OUT/x.usda"],
    "alembic": SIMULATE + ["--frames", "200", "-o", "OUT/x.abc"],
    "video": RENDER + ["--frames", "60", "-o", "OUT/x.mp4"],
    "numbered frames": RENDER + ["--frames", "30", "-o", "OUT/frames/"],
    "traced image": RENDER + ["--frames", "1", "--renderer", "trace", "--set", "render.samples=800", "-o", "OUT/x.exr"],
    "last frame": RENDER + ["--frames", "200", "-o", "OUT/x.png"],
}
CLOCK = ("seconds", "ms_per_frame", "vertex_steps_per_second", "peak_memory_bytes", "resumed_from_frame")


def contents(folder):
    out = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            if path.suffix == ".json":
                report = json.loads(data)
                data = {key: value for key, value in report.items() if key not in CLOCK}
            out[path.relative_to(folder).as_posix()] = data
    return out


class Kind:
    def __init__(self, program, work, words):
        self.program, self.work, self.words = program, work, words
        self.whole, self.killed = work / "whole", work / "killed"
        self.whole.mkdir(parents=True)
        self.killed.mkdir()
        (work / "scene.toml").write_text(SCENE, encoding="utf-8")
        start = time.monotonic()
        subprocess.run(self.command(self.whole), cwd=work, check=True, capture_output=True)
        self.seconds = time.monotonic() - start
        self.kills, self.resumes, self.continued, self.is_begun, self.faults = 0, 0, 0, False, []

    def command(self, folder, *more):
        return [self.program] + [word.replace("OUT/", f"{folder.name}/") for word in self.words] + list(more)

    def run_and_kill(self, after):
        """Starts or continues a run and kills it after some seconds. A run that ends before is compared."""
        more = ["--checkpoint-every", "0.05"] + (["--resume"] if self.is_begun else [])
        self.resumes += self.is_begun
        process = subprocess.Popen(self.command(self.killed, *more), cwd=self.work, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        try:
            _, errors = process.communicate(timeout=after)
            self.count_continued(errors)
            if process.returncode != 0:
                self.faults.append(errors.decode(errors="replace"))
            self.compare()
            return
        except subprocess.TimeoutExpired:
            process.kill()
            self.count_continued(process.communicate()[1])
        self.kills += 1
        self.is_begun = True
        hidden = [path.name for path in self.killed.rglob(".*")]
        checkpoints = [name for name in hidden if ".checkpoint" in name]
        if len(checkpoints) > 2 or len(hidden) - len(checkpoints) > 2:
            self.faults.append(f"too many hidden files: {hidden}")

    def count_continued(self, errors):
        """A run that was killed before its first checkpoint starts from the beginning."""
        self.continued += b": continuing at frame" in errors or b": continuing the image" in errors

    def finish(self):
        if not self.is_begun:
            return
        self.resumes += 1
        done = subprocess.run(self.command(self.killed, "--resume"), cwd=self.work, capture_output=True)
        self.count_continued(done.stderr)
        if done.returncode != 0:
            self.faults.append(done.stderr.decode(errors="replace"))
        self.compare()

    def compare(self):
        whole, killed = contents(self.whole), contents(self.killed)
        for name in sorted(set(whole) | set(killed)):
            if whole.get(name) != killed.get(name):
                self.faults.append(f"{name} differs")
        shutil.rmtree(self.killed)
        self.killed.mkdir()
        self.is_begun = False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--backend", default="cpu")
    arguments = parser.parse_args()
    if os.environ.get("RINGLET_TEST_LEVEL", "all") != "all":
        return 77
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="ringlet_kill_") as folder:
        program = str(pathlib.Path(arguments.program).resolve())
        backend = ["--backend", arguments.backend]
        kinds = {name: Kind(program, pathlib.Path(folder) / name.replace(" ", "_"), words + backend)
                 for name, words in KINDS.items()}
        while sum(kind.kills for kind in kinds.values()) < arguments.kills:
            kind = chance.choice(list(kinds.values()))
            kind.run_and_kill(chance.uniform(0.2, 1.2) * kind.seconds)
        for kind in kinds.values():
            kind.finish()
    for name, kind in kinds.items():
        print(f"{name}: {kind.kills} kills, {kind.resumes} resumes, of which {kind.continued} continued from a "
              f"checkpoint, {len(kind.faults)} faults")
        for fault in kind.faults:
            print("   ", fault)
    faults = sum(len(kind.faults) for kind in kinds.values())
    continued = sum(kind.continued for kind in kinds.values())
    print(f"{sum(kind.kills for kind in kinds.values())} kills, {continued} continued, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
