#!/usr/bin/env python3
"""Runs the commands of the program under faults, and checks how it ends and what it leaves behind.

    tests/cli/fault_driver.py PROGRAM [--signals N] [--seed N] [--only COMMAND]

The faults: a full stdout, a closed stderr, too little memory, a full disk for the output, SIGTERM at N random moments.
A command then ends as without the fault, or with one line on stderr and the exit code of docs/architecture.md. It never
ends by a signal of its own, and leaves complete files only: those of the undisturbed run, or nothing. Exits 1 if a
command breaks this.
"""
import argparse
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SCENE = """[groom]
mesh = 'bead.obj'
scalp = ''
strands = 300
vertices = 16
length = 0.02
[record]
settle = 0
[render]
shadows = false
"""
BEAD = "v 0 0 0\nv 0.01 0 0\nv 0 0 0.01\nv 0 0.01 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"
DRAW = ["--size", "160x120", "--frames", "8"]
# The words of each command; it writes below OUT/. The first word may repeat: the key is the name of the case.
CASES = {
    "new": ["new", "bust.obj", "--style", "crew", "-o", "OUT/new.toml"],
    "render video": ["render", "scene.toml", "-o", "OUT/x.mp4", *DRAW],
    "render image": ["render", "scene.toml", "-o", "OUT/x.png", *DRAW],
    "render frames": ["render", "scene.toml", "-o", "OUT/frames/", *DRAW],
    "simulate": ["simulate", "scene.toml", "--frames", "8", "-o", "OUT/x.hair", "--report", "OUT/r.json"],
    "simulate frames": ["simulate", "scene.toml", "--frames", "8", "-o", "OUT/frames/"],
    "simulate usd": ["simulate", "scene.toml", "--frames", "8", "-o", "OUT/x.usda"],
    "simulate alembic": ["simulate", "scene.toml", "--frames", "8", "-o", "OUT/x.abc"],
    "groom": ["groom", "scene.toml", "-o", "OUT/x.ply"],
    "convert": ["convert", "in.hair", "OUT/x.npz"],
    "sheet": ["sheet", "scene.toml", "-o", "OUT/sheet.png"],
    "video": ["video", "in/", "-o", "OUT/x.mp4"],
    "info": ["info", "in.hair"],
    "bench": ["bench", "--model", "ftl", "--strands", "8", "--quick", "-o", "OUT/bench.json"],
    "scenes": ["scenes", "--keys"],
    "view without a display": ["view", "scene.toml"],
}
STOPPED = 128 + signal.SIGTERM
# Limits on the address space, in MiB above what the program needs to start.
MEMORY_MIB = (0, 12, 40, 100, 250, 450)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Outcome:
    def __init__(self, code, out, err, folder):
        self.code, self.out, self.err = code, out, err
        self.files = {path.relative_to(folder).as_posix(): path.stat().st_size
                      for path in folder.rglob("*") if path.is_file()}

    def lines(self):
        """The errors on stderr: neither warnings nor messages of graphics drivers."""
        return [line for line in self.err.splitlines()
                if line.startswith("ringlet: ") and not line.startswith("ringlet: warning: ")]


class Driver:
    def __init__(self, program, work, chance):
        self.program, self.work, self.chance = program, work, chance
        self.out, self.faults, self.runs = work / "out", [], 0
        (work / "scene.toml").write_text(SCENE, encoding="utf-8")
        (work / "bead.obj").write_text(BEAD, encoding="utf-8")
        shutil.copy(ROOT / "scenes/assets/bust.obj", work)
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        for words in (["groom", "scene.toml", "-o", "in.hair"], ["render", "scene.toml", "-o", "in/", *DRAW]):
            subprocess.run([program, *words], cwd=work, env=self.environment, check=True, capture_output=True)
        self.least_mib = next(mib for mib in range(64, 4096, 4)
                              if self.run(["--version"], [(resource.RLIMIT_AS, mib << 20)]).code == 0)

    def run(self, words, limits=(), kill_after=None, **streams):
        """Runs a command in a fresh output folder; `limits` are pairs for setrlimit."""
        def set_limits():
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))
            if "stderr" in streams:
                os.close(2)
        for path in self.out.iterdir() if self.out.exists() else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.out.mkdir(exist_ok=True)
        self.runs += 1
        quiet = [] if "stderr" in streams else ["--quiet"]
        process = subprocess.Popen([self.program, *quiet, *(word.replace("OUT/", "out/") for word in words)],
                                   cwd=self.work, env=self.environment, preexec_fn=set_limits, text=True, errors="replace",
                                   **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})
        if kill_after is not None:
            time.sleep(kill_after)
            process.terminate()
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err = (err or "") + "\nhangs"
        return Outcome(process.returncode, out or "", err or "", self.out)

    def check(self, name, fault, outcome, whole, codes):
        """Compares a run under a fault with the undisturbed one."""
        def wrong(what):
            self.faults.append(f"{name}, {fault}: {what}; exit code {outcome.code}: {outcome.err.strip()[-400:]}")
        if outcome.code not in codes:
            wrong(f"exit code not in {codes}")
        elif outcome.code != whole.code and fault != "closed stderr" and len(outcome.lines()) != 1:
            wrong("not one line on stderr")
        for file, size in outcome.files.items():
            if any(part.startswith(".") for part in pathlib.Path(file).parts):
                wrong(f"{file} is left behind")
            elif file not in whole.files:
                wrong(f"{file} is no file of the command")
            # Files whose size depends on the clock are complete if they are as long as usual, nearly.
            elif size != whole.files[file] and not file.endswith((".json", ".md", ".svg")):
                wrong(f"{file} has {size} of {whole.files[file]} bytes")
        if outcome.code == whole.code and set(outcome.files) != set(whole.files):
            wrong("files are missing")

    def test(self, name, words, signals):
        start = time.monotonic()
        whole = self.run(words)
        seconds = time.monotonic() - start
        if whole.code not in (0, 1) or (whole.code == 1) != name.startswith("view"):
            self.faults.append(f"{name}: exit code {whole.code} without a fault: {whole.err}")
            return
        with open("/dev/full", "wb") as full:
            codes = (1,) if whole.out else (whole.code,)
            outcome = self.run(words, stdout=full)
            # The files are written before the last lines that cannot be printed.
            self.check(name, "full stdout", outcome, whole, codes)
        self.check(name, "closed stderr", self.run(words, stderr=None), whole, (whole.code,))
        for limit in MEMORY_MIB:
            outcome = self.run(words, [(resource.RLIMIT_AS, self.least_mib + limit << 20)])
            self.check(name, f"{limit} MiB of memory", outcome, whole, (whole.code, 1))
        if whole.files:
            self.test_full_disk(name, words, whole)
        for _ in range(signals):
            after = self.chance.uniform(0.03, 1.0) * seconds
            outcome = self.run(words, kill_after=after)
            if outcome.code == -signal.SIGTERM:
                # Before the program handles signals, and in commands that do not write, it ends at once.
                outcome.code, outcome.err = STOPPED, outcome.err or "ringlet: stopped"
            self.check(name, f"SIGTERM after {after:.2f} s", outcome, whole, (whole.code, STOPPED))

    def test_full_disk(self, name, words, whole):
        """On a file system of 16 KiB, where it can be mounted; otherwise no file may be larger than 4 KiB."""
        self.out.mkdir(exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(self.out)]
        needs = sum(whole.files.values()) > 16384
        codes = (1,) if needs else (whole.code, 1)
        if subprocess.run(mount, capture_output=True).returncode == 0:
            try:
                self.check(name, "full disk", self.run(words), whole, codes)
            finally:
                subprocess.run(["umount", str(self.out)], check=True)
            return
        limit = [(resource.RLIMIT_FSIZE, 4096)]
        codes = (1,) if max(whole.files.values()) > 4096 else (whole.code, 1)
        self.check(name, "limited files", self.run(words, limit), whole, codes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--signals", type=int, default=3, help="per case (default 3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="COMMAND", help="the cases of one command")
    arguments = parser.parse_args()
    faults, runs = [], 0
    with tempfile.TemporaryDirectory(prefix="ringlet_faults_") as folder:
        driver = Driver(str(pathlib.Path(arguments.program).resolve()), pathlib.Path(folder),
                        random.Random(arguments.seed))
        for name, words in CASES.items():
            if arguments.only in (None, words[0]):
                before = len(driver.faults), driver.runs
                driver.test(name, words, arguments.signals)
                found = driver.faults[before[0]:]
                print(f"{name}: {driver.runs - before[1]} runs, {len(found)} faults", *found, sep="\n    ", flush=True)
        faults, runs = driver.faults, driver.runs
    print(f"{runs} runs, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
