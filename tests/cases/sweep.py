#!/usr/bin/env python3
"""Gives inputs like those of the cases to every command: sweep.py [--full] PROGRAM [WORD…]

Whatever an input is taken for (text, list of words, vectors, questions), the program must answer or
refuse: with an exit status of its own and an error that says so, no half-written file, nothing that
it cannot read back, valid UTF-8 where the input is, and no `nan`. --full makes the large inputs as
large as they were reported; WORDs choose inputs by parts of their names.
"""

import concurrent.futures
import gzip
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile


def floats(*values, order="<"):
    return struct.pack(f"{order}{len(values)}f", *values)


def binary(rows, dim, end=b"\n", order="<"):
    return b"%d %d\n" % (len(rows), dim) + b"".join(
        word + b" " + floats(*values, order=order) + end for word, values in rows)


def texts(full):
    """Corpora, by name."""
    drawn = random.Random(1)
    some = " ".join("w%d" % drawn.randrange(900) for _ in range(60000 if full else 6000)).encode()
    packed = gzip.compress(some, mtime=0)
    summed = bytearray(gzip.compress(b"red green blue\n" * 4000, mtime=0))
    summed[-6] ^= 0x55
    parts = [gzip.compress(p, mtime=0) for p in (b"ant bee cow\n", b"dog elk fox\n", b"")]
    line = " ".join("t%d" % drawn.randrange(500) for _ in range(2000000 if full else 50000)).encode()
    types = "".join("k%07d k%07d\n" % (i, i) for i in range(400000 if full else 20000)).encode()
    u = b"u" * 5000
    return {
        "members.txt.gz": b"".join(parts),
        "members-padded.txt.gz": b"".join(parts) + bytes(600),
        "members-more.txt.gz": b"".join(parts) + b"more",
        "cut.txt.gz": packed[:len(packed) * 2 // 3],
        "sum.txt.gz": bytes(summed),
        "empty.txt": b"",
        "empty.txt.gz": parts[2],
        "blank.txt": b" \n\t\n\r\n",
        "one-type.txt": b"cat\n" * 1000,
        "one-word.txt": b"cat",
        "two-types.txt": b"a b " * 500,
        "no-end.txt": b"one two three",
        "one-line.txt": line,
        "long-tokens.txt": (u + b"1 " + u + b"2 short ") * 20,
        "monster.txt": b"z" * (30000000 if full else 3000000) + b"\n",
        "khmer.txt": (("a" + "\u1780" * 40 + " ok ") * 10).encode(),
        "khmer-long.txt": (("a" + "\u1780" * 1400 + " ok ") * 10).encode(),
        "bad-utf8.txt": b"good caf\xc3\xa9 bad\xffword \xc3( tail good caf\xc3\xa9\n" * 6,
        "latin1.txt": b"caf\xe9 na\xefve caf\xe9\n",
        "crlf.txt": b"aa bb\r\ncc dd\r\n",
        "cr.txt": b"aa bb\rcc dd\r",
        "bom.txt": b"\xef\xbb\xbfthe cat sat\nthe cat ran\n",
        "bom.txt.gz": gzip.compress(b"\xef\xbb\xbfthe cat sat\nthe cat ran\n", mtime=0),
        "spaces.txt": "x\xa0y p\u2009q r\u3000s t\x85u \xa0 v\n".encode() * 5,
        "forms.txt": "caf\xe9 bar cafe\u0301 bar\n".encode() * 10,
        "lines.txt": b"left1 left2\nright1 right2\n" * 300,
        "sentinels.txt": b"x </s> y <unk> z\n" * 2,
        "many-types.txt": types,
        "every-byte.txt": bytes(range(256)) * 40,
        "nul.txt": b"a\0b\0a b\n" * 20,
        "utf16.txt": "the cat sat\n".encode("utf-16") * 9,
    }


def lists():
    """Vocabularies, questions, pairs, queries."""
    return {
        "big.vocab": b"the 5000000000\nof 3000000000\nrare 6\n",
        "overflow.vocab": b"the 18446744073709551615\nof 18446744073709551615\n",
        "words.vocab": b"cat\ndog\n",
        "bad.vocab": b"cat 10\ndog x\n\nbird 3 extra\n",
        "queries": b"cat\ndog\nnew york\n\n",
        "case.q": b": capitals\nParis France Rome Italy\nparis FRANCE rome ITALY\n",
        "cover.q": b": s1\na b c d\na b c missing\n: empty\n: s2\nx y z w\n",
        "pairs.tsv": b"a\tb\t9.5\na\tmissing\t1\nb\tc\t3\n",
        "lists.json": b'{"x": ["a", "b"], "y": ["c", "\\u00e9"]}\n',
    }


def vectors(full):
    """Vector files, whole and damaged, and what passes for them."""
    drawn = random.Random(11)
    count, dim = (20000, 100) if full else (2000, 50)
    table = binary([(b"w%d" % i, [drawn.uniform(-1, 1) for _ in range(dim)]) for i in range(count)], dim)
    odd = struct.unpack("<f", b"\n \n ")[0]
    rows = [(b"bout", (1, 0)), (b"about", (0, 1)), ("\xe9t\xe9".encode(), (0.5, 0.5)), (b"nl", (odd, 2))]
    return {
        "bom.vec": b"\xef\xbb\xbf2 2\nthe 1 0\ncat 0 1\n",
        "edge.bin": binary([(b"w", (1e-7, -3.4028235e38, 1.17549435e-38, 0.1, -0.0))], 5),
        "big-endian.bin": binary([(b"up", (1, 2, 3)), (b"dn", (3, 2, 1))], 3, order=">"),
        "with-ends.bin": binary(rows, 2),
        "without-ends.bin": binary(rows, 2, b""),
        "short.vec": b"3 2\na 1 0\nb 0 1\n",
        "long.vec": b"1 2\na 1 0\nb 0 1\n",
        "huge.vec": b"99999999999 300\na 1\n",
        "huge-rows.bin": b"18446744073709551615 2\na " + floats(1, 2),
        "huge-dim.bin": b"2 18446744073709551615\na " + floats(1, 2),
        "negative.vec": b"-1 2\n",
        "no-columns.vec": b"2 0\na\nb\n",
        "spaces.vec": "4 2\nnew york 1 0\n. . . 0 1\n  1 1\n\xa0 2 2\n".encode(),
        "gaps.vec": b"2 2 \na 1 0 \n\nb\t0\t1\r\n",
        "extra.vec": b"2 2\na 1 0 9\nb 0 1\n",
        "bad-number.vec": b"2 2\na 1 zero\nb 0\n",
        "bad-word.bin": binary([(b"ok", (1, 0)), (b"b\xff", (0, 1))], 2),
        "fasttext.bin": b"\272\026\117\057\014\0\0\0",
        "pickle.bin": b"\200\003c",
        "lfs.vec": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
        "merge.vec": b"<<<<<<< HEAD\na 1 0\n",
        "page.vec": b"<html>\n",
        "table.bin": table,
        "table-cut.bin": table[:len(table) // 2 + 1],
        "royal.vec": b"5 2\nking 1 1\nman 1 0\nwoman 1 0.01\nqueen 1 1.1\nprince 1 0.5\n",
        "zeros.vec": b"4 2\na 1 0\nzero 0 0\nb 0.9 0.1\nnnn nan 1\n",
        "ties.vec": b"5 2\nq 1 0\nt3 0 1\nt1 0 1\nt2 0 1\nu 0 -1\n",
        "unknown.vec": b"3 2\nCat 1 0\n/en/dog 0 1\nnew_york 1 1\n",
        "case.vec": b"4 2\nParis 1 0\nfrance 0 1\nROME 1 0.1\nItaly 0.1 1\n",
        "three.vec": b"3 2\na 1 0\nb 0 1\nc 1 1\n",
        "same.vec": b"4 3\na 1 1 1\nb 1 1 1\nc 1 1 1\nd 1 1 1\n",
        "line.vec": b"2 1\na 1\nb 2\n",
        "tabs.bin": binary([(b"a\tb", (1, 0)), (b"\xe2\x80\xa8x", (0, 1)), (b"c", (1, 1))], 2),
        "header.npy": b"\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 2), }\n",
        "header.safetensors": struct.pack("<Q", 2**60) + b"{}",
        "zip.npz": b"PK\3\4" + bytes(30),
    }


TRAIN = "--min-count 1 --sample 0 --epochs 1 --dim 4 --progress none".split()

# What is done with an input IN; OUT is what a command writes, and V some vectors that are in order.
COMMANDS = [
    "vocab IN --min-count 1",
    "vocab IN --min-count 1 --invalid-utf8 replace --lowercase -o OUT.vocab",
    "vocab V --min-count 1 --read-vocab IN",
    "train IN -o OUT.bin --threads 1 TRAIN",
    "train IN -o OUT.txt --threads 3 --sentence none --invalid-utf8 drop --share-negatives none TRAIN",
    "train V -o OUT.bin --threads 1 --read-vocab IN TRAIN",
    "train V -o OUT.bin --threads 1 --init IN --epochs 1 --min-count 1 --sample 0 -q",
    "train V -o OUT.bin --threads 1 --resume IN -q",
    "convert IN OUT.bin",
    "convert IN OUT.txt --lenient",
    "convert IN OUT.safetensors --lenient --limit 100",
    "convert V OUT.vec --words IN -q",
    "neighbours IN a cat",
    "neighbours IN --queries V --json -k 3 --lenient",
    "neighbours V --queries IN --json",
    "neighbours V king --candidates IN",
    "analogy V --queries IN",
    "similarity V --queries IN --json",
    "vector IN a --trace --lenient",
    "vector V king --counts IN",
    "eval V IN",
    "eval IN V --lenient",
    "stats IN --lenient --json",
    "predict V --context IN king --lenient",
    "map IN -o OUT.svg --iterations 20 --lenient --top 30",
    "map V --words IN -o OUT.html --iterations 20",
]

GOOD_VECTORS = b"5 2\nking 1 1\nman 1 0\nwoman 1 0.01\nqueen 1 1.1\ncat 1 0.5\n"


def run(program, words, folder):
    done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    return done.returncode, done.stdout, done.stderr


def is_utf8(data):
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


def wrong_output(words, out, source):
    if "--json" in words:
        try:
            for line in out.splitlines():
                json.loads(line)
        except ValueError as e:
            return f"this is no JSON: {e}"
    elif is_utf8(source) and not is_utf8(out):
        return "what is written is not UTF-8, and the input is"
    if re.search(rb"\bnan\b", out, re.I) and not re.search(rb"nan", source, re.I):
        return "nan is written"
    return None


def wrong_end(status, err):
    """What is wrong about an exit status and what was said with it, or None."""
    if status not in (0, 1, 2, 3, 4):
        return f"exit status {status}"
    if b"Sanitizer" in err or b"runtime error" in err:
        return "a sanitizer speaks"
    if status and not re.search(rb'^w2v: error: |"event":"error"', err, re.M):
        return f"exit status {status} without an error"
    return None


def wrong_files(program, folder, before, status):
    """Only a run that went well leaves files, and what it leaves can be read."""
    new = sorted(set(os.listdir(folder)) - before)
    if status not in (0, 4) and new:
        return f"exit status {status} and these files: {new}"
    for name in new:
        if name.startswith("."):
            return f"a temporary is left: {name}"
        if name.endswith((".bin", ".txt", ".vec", ".safetensors")) and ".labels" not in name:
            status, _, err = run(program, ["vector", "-V", name, "the", "-q"], folder)
            if status not in (0, 4):
                return f"{name} cannot be read back: {err.decode(errors='replace')}"
    for name in new:
        os.remove(os.path.join(folder, name))
    return None


def wrong_with(program, folder, command, name, data):
    before = set(os.listdir(folder))
    words = []
    for word in command.split():
        words += TRAIN if word == "TRAIN" else [
            name if word == "IN" else "good.vec" if word == "V" else word.replace("OUT", "out")]
    status, out, err = run(program, words, folder)
    wrong = (wrong_end(status, err) or wrong_output(words, out, data) or
             wrong_files(program, folder, before, status))
    if not wrong:
        return None
    return f"w2v {' '.join(words)}\n  {wrong}\n{err.decode(errors='replace')[-4000:]}"


def sweep(program, name, data):
    """All commands with one input."""
    with tempfile.TemporaryDirectory(prefix="w2v-sweep-") as folder:
        for file, content in ((name, data), ("good.vec", GOOD_VECTORS)):
            with open(os.path.join(folder, file), "wb") as f:
                f.write(content)
        found = (wrong_with(program, folder, command, name, data) for command in COMMANDS)
        return [wrong for wrong in found if wrong]


def main(arguments):
    full = arguments[:1] == ["--full"]
    program, *chosen = arguments[full:]
    program = os.path.abspath(program)
    inputs = {**texts(full), **lists(), **vectors(full)}
    inputs = {n: d for n, d in inputs.items() if not chosen or any(c in n for c in chosen)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda item: sweep(program, *item), inputs.items())
        wrong = [w for ws in found for w in ws]
    print("\n".join(wrong) or f"{len(inputs)} inputs, {len(COMMANDS)} commands each")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: sweep.py [--full] PROGRAM [WORD…]")
    sys.exit(main(sys.argv[1:]))
