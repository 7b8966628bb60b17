#!/usr/bin/env python3
"""Prints a result file (common/result.h) without some arrays: without.py FILE NAME…

NAME stands for NAME, NAME_1, NAME_2, …"""
import re
import struct
import sys

SIZES = {1: 4, 2: 4, 3: 8, 4: 8, 5: 4, 6: 8, 7: 1}
with open(sys.argv[1], "rb") as file:
    data = file.read()
unwanted = sys.argv[2:]
magic, version, count = struct.unpack_from("<8sII", data)
at, kept = 16, []
for _ in range(count):
    begin = at
    (length,) = struct.unpack_from("<I", data, at)
    name = data[at + 4 : at + 4 + length].decode()
    kind, elements = struct.unpack_from("<IQ", data, at + 4 + length)
    at += 4 + length + 12 + SIZES[kind] * elements
    if re.sub(r"_\d+$", "", name) not in unwanted:
        kept.append(data[begin:at])
if data[at:] != struct.pack("<I", 0x21444E45):
    sys.exit(f"{sys.argv[1]}: not a whole result file")
sys.stdout.buffer.write(struct.pack("<8sII", magic, version, len(kept)) + b"".join(kept) + data[at:])
