#!/usr/bin/env python3
"""Open what the writers wrote with the tools that users will open it with: gensim and NumPy.

    read_back.py PROGRAM      (which writes the vector file IN to OUT)

Exit status 77 means that this Python has no gensim or no NumPy: the test is skipped.
"""

import json
import math
import struct
import sys

try:
    import numpy
    from gensim.models import KeyedVectors
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import pathlib
import subprocess
import tempfile


def same(words, rows, expected):
    assert list(words) == [word for word, _ in expected], words
    for row, (_, values) in zip(rows, expected):
        assert [float(x) for x in row] == [float(numpy.float32(x)) for x in values], row


def check(writer, folder):
    expected = [("king", [3, 1]), ("queen", [3, -1]), ("été", [0.1, 1e-7])]
    source = folder / "table.vec"
    source.write_text("3 2\n" + "".join(f"{w} {a!r} {b!r}\n" for w, (a, b) in expected),
                      encoding="utf-8")
    for name in ("t.bin", "t.vec", "t.glove", "t.bin.gz", "t.vec.gz", "t.npy", "t.safetensors"):
        subprocess.run([writer, str(source), str(folder / name)], check=True)
    for name in ("t.bin", "t.vec", "t.glove", "t.bin.gz", "t.vec.gz"):
        loaded = KeyedVectors.load_word2vec_format(
            str(folder / name), binary=".bin" in name, no_header=name == "t.glove")
        same(loaded.index_to_key, loaded.vectors, expected)
        assert math.isclose(loaded.similarity("king", "queen"), 0.8, abs_tol=1e-6)
    words = (folder / "t.npy.labels.txt").read_text(encoding="utf-8").splitlines()
    same(words, numpy.load(folder / "t.npy"), expected)
    data = (folder / "t.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    tensor = json.loads(data[8:8 + length])["vectors"]
    begin, end = tensor["data_offsets"]
    rows = numpy.frombuffer(data[8 + length + begin:8 + length + end], "<f4")
    same(words, rows.reshape(tensor["shape"]), expected)
    # and the other way round: what they write is read
    loaded.save_word2vec_format(str(folder / "theirs.bin"), binary=True)
    loaded.save_word2vec_format(str(folder / "theirs.txt"), binary=False)
    for name in ("theirs.bin", "theirs.txt"):
        subprocess.run([writer, str(folder / name), str(folder / "again.vec")], check=True)
        assert (folder / "again.vec").read_bytes() == (folder / "t.vec").read_bytes(), name


with tempfile.TemporaryDirectory() as place:
    check(sys.argv[1], pathlib.Path(place))
print("what was written is read")
