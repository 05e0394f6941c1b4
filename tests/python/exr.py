"""Reads the OpenEXR images that ringlet writes."""
import struct
import zlib

import numpy


def undo_zip(block):
    """The bytes of a compressed block: sums of differences, whose first half are the even bytes."""
    sums = numpy.frombuffer(zlib.decompress(block), dtype=numpy.uint8).astype(numpy.int64)
    sums[1:] -= 128
    ordered = numpy.cumsum(sums).astype(numpy.uint8)
    out = numpy.empty_like(ordered)
    half = (len(out) + 1) // 2
    out[0::2], out[1::2] = ordered[:half], ordered[half:]
    return out.tobytes()


def read_exr(path):
    """The channels of an OpenEXR file of scan lines, without compression or with ZIP or ZIPS: arrays by name."""
    with open(path, "rb") as file:
        data = file.read()
    at, channels, box, compression = 8, [], None, 0
    while data[at]:
        name, kind = (part.decode() for part in data[at:].split(b"\0", 2)[:2])
        at += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<i", data, at)
        value = data[at + 4:at + 4 + size]
        at += 4 + size
        if name == "channels":
            while value[0]:
                channel, rest = value.split(b"\0", 1)
                channels.append((channel.decode(), {1: "<f2", 2: "<f4"}[struct.unpack_from("<i", rest)[0]]))
                value = rest[16:]
        elif name == "compression":
            compression = value[0]
        elif name == "dataWindow":
            box = struct.unpack("<4i", value)
    width, height = box[2] - box[0] + 1, box[3] - box[1] + 1
    out = {name: numpy.empty((height, width)) for name, _ in channels}
    lines = {0: 1, 2: 1, 3: 16}[compression]  # of a block
    line_bytes = width * sum(int(kind[2]) for _, kind in channels)
    blocks = -(-height // lines)
    for offset in struct.unpack_from(f"<{blocks}q", data, at + 1):
        top, size = struct.unpack_from("<2i", data, offset)
        rows = range(top - box[1], min(top - box[1] + lines, height))
        block = data[offset + 8:offset + 8 + size]
        if size < line_bytes * len(rows):
            block = undo_zip(block)
        start = 0
        for row in rows:
            for name, kind in channels:
                out[name][row] = numpy.frombuffer(block, kind, width, start)
                start += width * int(kind[2])
    return out
