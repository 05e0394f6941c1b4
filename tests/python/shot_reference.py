"""Shared by the tests of shots: runs the command line and reads its .hair files as the reference."""
import os
import struct
import subprocess
import sys


def run_ringlet(program, *arguments):
    """Runs the program with the Python of this process first in PATH."""
    environment = dict(os.environ, PATH=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)


def read_hair(path):
    """Vertex counts, positions and thickness of a .hair file."""
    with open(path, "rb") as file:
        data = file.read()
    strands, points, bits = struct.unpack_from("<3I", data, 4)
    assert data[:4] == b"HAIR" and bits & 7 == 7
    counts = [n + 1 for n in struct.unpack_from(f"<{strands}H", data, 128)]
    values = struct.unpack_from(f"<{4 * points}f", data, 128 + 2 * strands)
    return counts, values[:3 * points], values[3 * points:]
