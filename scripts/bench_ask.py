"""scripts/bench --ask: opening a large file of vectors and asking it, beside other tools."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from bench_common import PEER_ENV, ROOT, Run, interleaved, plural, python_with

QUESTIONS = 1000
TEXT_ROWS, TEXT_DIM = 1_000_000, 100
SEED = 1

# The two shapes: a block of rows times all questions, as a batch has it, and a square, where a
# BLAS shows its best.
SGEMM = """
import ctypes, json, re, statistics, sys, time
import numpy as np
dim, questions = map(int, sys.argv[1:])
out = {"rates": [], "blas": "unknown"}
for m, k, n in ((16384, dim, questions), (2048, 2048, 2048)):
    random = np.random.default_rng(1)
    a, b = (random.standard_normal(s, dtype=np.float32) for s in ((m, k), (k, n)))
    c = np.empty((m, n), dtype=np.float32)
    seconds = []
    for _ in range(5):
        begin = time.perf_counter()
        np.dot(a, b, out=c)
        seconds.append(time.perf_counter() - begin)
    out["rates"].append(2e-9 * m * k * n / statistics.median(seconds[1:]))
try:
    maps = open("/proc/self/maps").read()
except OSError:
    maps = ""
for path in sorted(set(re.findall(r"/\\S*(?:blas|blis|mkl)[^/\\s]*\\.so[^/\\s]*", maps))):
    out["blas"] = path.rsplit("/", 1)[1]
    for prefix in ("", "scipy_"):
        for suffix in ("", "64_"):
            name = getattr(ctypes.CDLL(path), prefix + "openblas_get_corename" + suffix, None)
            if name:
                name.restype = ctypes.c_char_p
                out["blas"] = "OpenBLAS, kernel " + name().decode()
    if out["blas"].startswith("OpenBLAS"):
        break
print(json.dumps(out))
"""

GENSIM_ASK = """
import json, sys, time
begin = time.perf_counter()
from gensim.models import KeyedVectors
path, words = sys.argv[1], open(sys.argv[2], encoding="utf-8").read().splitlines()
table = KeyedVectors.load_word2vec_format(path, binary=True)
out = {"load": time.perf_counter() - begin}
begin = time.perf_counter()
answers = table.most_similar(words[0], topn=10)
out["one"] = time.perf_counter() - begin
out["answers"] = [[word, float(score)] for word, score in answers]
print(json.dumps(out))
"""

# faiss reads no vector files: the rows are walked here as gensim walks them, into one array.
FAISS_ASK = """
import json, sys, time
begin = time.perf_counter()
import faiss, mmap
import numpy as np
path, words = sys.argv[1], open(sys.argv[2], encoding="utf-8").read().splitlines()
faiss.omp_set_num_threads(int(sys.argv[3]))
with open(path, "rb") as file:
    rows, dim = map(int, file.readline().split())
    position = file.tell()
    data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
table = np.empty((rows, dim), dtype=np.float32)
names = []
for i in range(rows):
    if data[position] == 10:
        position += 1
    blank = data.find(b" ", position)
    names.append(data[position:blank])
    position = blank + 1 + 4 * dim
    table[i] = np.frombuffer(data, "<f4", dim, blank + 1)
faiss.normalize_L2(table)
index = faiss.IndexFlatIP(dim)
index.add(table)
out = {"load": time.perf_counter() - begin}
ids = {name: i for i, name in enumerate(names)}
questions = table[[ids[word.encode()] for word in words]]
begin = time.perf_counter()
scores, found = index.search(questions[:1], 11)
out["one"] = time.perf_counter() - begin
begin = time.perf_counter()
index.search(questions, 11)
out["batch"] = time.perf_counter() - begin
out["answers"] = [[names[i].decode(), float(score)] for i, score in zip(found[0], scores[0])
                  if names[i].decode() != words[0]][:10]
print(json.dumps(out))
"""


# ---------------------------------------------------------------------- the file

def write_vectors(bench, name, rows, dim, words=None):
    """A made-up word2vec binary file in the scratch folder, by a small C program built for it; the
    lines of the file `words` are its first words."""
    path, program = bench.scratch / name, bench.scratch / "make-vectors"
    need = rows * (4 * dim + 12)
    if shutil.disk_usage(bench.scratch).free < need * 1.05:
        sys.exit(f"bench: {bench.scratch} has no room for {need / 1e9:.1f} GB; name another "
                 "folder with --tmp")
    if not program.exists():
        compiler = os.environ.get("CC", "cc").split()
        subprocess.run([*compiler, "-std=c11", "-O2", ROOT / "scripts" / "make-vectors.c", "-o",
                        program], check=True)
    print(f"  writing {need / 1e9:.2f} GB: {rows} rows of {dim} numbers", file=sys.stderr)
    with open(path, "wb") as file:
        subprocess.run([program, str(rows), str(dim), str(SEED), *([words] if words else [])],
                       stdout=file, check=True)
    return path


class Table:
    """The file to ask: its size, and words from all over it to ask for."""

    def __init__(self, path):
        self.path = path
        self.size = path.stat().st_size
        with open(path, "rb") as file:
            header = file.readline(64).split()
            if len(header) != 2 or not all(part.isdigit() for part in header):
                sys.exit(f"bench: {path} is not a word2vec binary file")
            self.rows, self.dim = map(int, header)
            self.words = self.walk(file.fileno(), file.tell())

    def walk(self, file, position):
        """An early word, about QUESTIONS at even steps, and a late one: those that begin like a
        word, and not like an option. By small reads: a mapped file would count as this process's
        memory, and at a fork as the child's peak."""
        step = max(1, self.rows // QUESTIONS)
        words = []
        for row in range(self.rows):
            piece = os.pread(file, 64, position)
            while b" " not in piece and position + len(piece) < self.size:
                piece += os.pread(file, 4096, position + len(piece))
            word = piece.split(b" ", 1)[0]
            if row % step == min(1, step - 1) or row == self.rows - 1:
                name = word.removeprefix(b"\n").decode("utf-8", "replace")
                if name[:1].isalnum() and "\ufffd" not in name and len(name.split()) == 1:
                    words.append(name)
            position += len(word) + 1 + 4 * self.dim
        if not words:
            sys.exit(f"bench: found no words to ask for in {self.path}")
        return words

    def questions(self, folder):
        path = folder / "questions.txt"
        path.write_text("\n".join(self.words[:QUESTIONS]) + "\n", encoding="utf-8")
        return path


def warm(bench, path):
    """Reads the file into the page cache, and says so if it does not stay there."""
    Run(["cat", path])
    if shutil.which("fincore"):
        out = subprocess.run(["fincore", "-b", "-n", "-o", "RES", path], capture_output=True,
                             text=True, check=False).stdout.strip()
        if out.isdigit() and int(out) < path.stat().st_size:
            bench.note(f"Only {100 * int(out) / path.stat().st_size:.0f} % of the file is in the "
                       "page cache.")


def available():
    """Bytes that new processes may have, or None where the system does not tell."""
    try:
        for line in pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def watch(command):
    """Peak resident, anonymous and file-backed bytes of a process, as the kernel tells them while
    it runs, or {}. An own run, since looking costs time; wait4's number starts at the size of the
    process that forked."""
    peak = {}
    child = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL)
    while child.poll() is None:
        try:
            with open(f"/proc/{child.pid}/status", encoding="utf-8") as status:
                for line in status:
                    key, _, value = line.partition(":")
                    if key in ("VmHWM", "RssAnon", "RssFile"):
                        peak[key] = max(peak.get(key, 0), int(value.split()[0]) * 1024)
        except OSError:
            pass
        time.sleep(0.0005)
    return peak


# ---------------------------------------------------------------------- the parts

def one_question(bench, table, threads):
    """A whole process for one word, beside reading the file; its median seconds for a word."""
    warm(bench, table.path)
    commands = {name: [bench.w2v, "neighbours", table.path, word, "--threads", threads, "-q"]
                for name, word in (("w2v neighbours, early word", table.words[0]),
                                   ("w2v neighbours, last word", table.words[-1]))}
    jobs = {"cat": lambda: Run(["cat", table.path]).seconds}
    peaks = {}

    def ask(name):
        run = bench.run(commands[name])
        peaks[name] = max(run.peak, peaks.get(name, 0))
        return run.seconds

    for name in commands:
        jobs[name] = lambda name=name: ask(name)
    rounds = 3 * bench.options.pairs # short runs: more of them cost little
    times = interleaved(jobs, rounds)
    for name, values in times.items():
        ratio = statistics.median(a / b for a, b in zip(values, times["cat"]))
        memory = ["–"] * 3
        if name in commands:
            seen = {"VmHWM": peaks[name], **watch(commands[name])}
            memory = [f"{seen[key] / 1e6:.1f}" if key in seen else "–"
                      for key in ("VmHWM", "RssAnon", "RssFile")]
        bench.rows.append([name, f"{statistics.median(values):.3f}",
                           f"{min(values):.3f}–{max(values):.3f}", f"{ratio:.2f}", *memory])
    bench.note(f"{table.rows} × {table.dim} word2vec binary, {table.size / 1e9:.2f} GB in the page "
               f"cache; whole processes, {plural(threads, 'thread')}, "
               f"{plural(rounds, 'interleaved round')}; anonymous and file pages are their own "
               "peaks.")
    bench.table("One question", ["program", "median, s", "range, s", "time / cat",
                                 "peak resident, MB", "anonymous, MB", "file pages, MB"])
    return statistics.median(times["w2v neighbours, early word"])


def sgemm(python, env, dim):
    out = subprocess.run([python, "-c", SGEMM, str(dim), str(QUESTIONS)], env=env, check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out)


def fastest_sgemm(dim, threads):
    """A function that measures numpy's sgemm as {rates, blas, core}, and its environment, or
    (None, None) without numpy. An OpenBLAS that is older than the processor falls back to a kernel
    many times too slow, and a user's setting may be for another machine: the kernels that this
    processor has are tried, and the fastest is the machine's rate, also for faiss."""
    python = python_with("numpy")
    if not python:
        return None, None
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        flags = ""
    cores = [None, os.environ.get("OPENBLAS_CORETYPE"), "Haswell" if " avx2" in flags else None,
             "SkylakeX" if " avx512dq" in flags else None]
    best = None
    for core in dict.fromkeys(cores):
        env = PEER_ENV | {"OMP_NUM_THREADS": str(threads)}
        env |= {"OPENBLAS_CORETYPE": core} if core else {}
        out = sgemm(python, env, dim)
        shown = f"{out['blas']} (OPENBLAS_CORETYPE {core or 'not set'})"
        print(f"  sgemm, {shown}: {max(out['rates']):.0f} GFLOP/s", file=sys.stderr)
        if best is None or max(out["rates"]) > best[0]:
            best = (max(out["rates"]), shown, env)
    return lambda: sgemm(python, best[2], dim) | {"shown": best[1]}, best[2]


def many_questions(bench, table, threads):
    """A batch, as a share of what the machine's matrix product would do; its median seconds and
    the environment of the fastest product."""
    questions = table.questions(bench.scratch)
    count = min(QUESTIONS, len(table.words))
    command = [bench.w2v, "neighbours", table.path, "--queries", questions, "--threads", threads,
               "-q"]
    work = 2e-9 * table.rows * table.dim * count
    measure, env = fastest_sgemm(table.dim, threads)
    runs, rates = [], []
    for number in range(bench.options.pairs):
        runs.append(bench.run(command))
        rates.append(measure() if measure else None)
        fast = f", sgemm {max(rates[-1]['rates']):.0f} GFLOP/s" if rates[-1] else ""
        print(f"  round {number + 1}: batch: {runs[-1].seconds:.2f} s{fast}", file=sys.stderr)
    wall = statistics.median(run.seconds for run in runs)
    shares = [work / run.seconds / max(rate["rates"]) for run, rate in zip(runs, rates) if rate]
    bench.rows.append([
        f"w2v neighbours --queries, {count} words", f"{wall:.2f}",
        f"{statistics.median(run.cpu for run in runs):.2f}", f"{work / wall:.0f}",
        f"{100 * statistics.median(shares):.0f} %" if shares else "–",
        f"{max(run.peak for run in runs) / 1e6:.0f}"])
    if shares:
        for shape, what in enumerate((f"16384 × {table.dim} × {QUESTIONS}", "2048 × 2048 × 2048")):
            rate = statistics.median(r["rates"][shape] for r in rates)
            bench.rows.append([f"sgemm, {what}", "–", "–", f"{rate:.0f}", "–", "–"])
        bench.note(f"sgemm is numpy's, {plural(threads, 'thread')}: {rates[0]['shown']}, "
                   "the fastest tried; the share is of its better shape.")
        if rates[0]["blas"].startswith("libblas"):
            bench.note("That may be the reference BLAS, which is slow: install OpenBLAS.")
    else:
        bench.note("No numpy, so no sgemm to compare with.")
    bench.note(f"Whole process, loading included: {work:.0f} GFLOP; median of "
               f"{plural(len(runs), 'run')}, interleaved with sgemm.")
    bench.table("A batch of questions", ["work", "wall, s", "CPU, s", "GFLOP/s", "share of sgemm",
                                         "peak resident, MB"])
    return wall, env


def text(bench):
    """Reading and writing text with one thread, in MB of text a second."""
    rows = min(bench.options.rows, TEXT_ROWS)
    binary = write_vectors(bench, "small.bin", rows, TEXT_DIM)
    target = bench.scratch / "small.txt"
    tail = ["--threads", 1, "-q"]
    commands = {
        "binary → text": [bench.w2v, "convert", binary, target, *tail],
        "binary → text, to /dev/null": [bench.w2v, "convert", binary, os.devnull, "--format",
                                        "text", *tail],
        "text → binary": [bench.w2v, "convert", target, bench.scratch / "back.bin", *tail],
        "text → binary, to /dev/null": [bench.w2v, "convert", target, os.devnull, "--format",
                                        "bin", *tail],
        "neighbours of one word, text": [bench.w2v, "neighbours", target, f"w{rows // 2}", *tail],
    }
    runs = {name: [] for name in commands}

    def job(name):
        runs[name].append(bench.run(commands[name]))
        return runs[name][-1].seconds

    times = interleaved({name: lambda name=name: job(name) for name in commands},
                        bench.options.pairs)
    megabytes = target.stat().st_size / 1e6
    same = binary.read_bytes() == (bench.scratch / "back.bin").read_bytes()
    for name, values in times.items():
        wall = statistics.median(values)
        cpu = statistics.median(run.cpu for run in runs[name])
        bench.rows.append([name, f"{wall:.2f}", f"{megabytes / wall:.0f}", f"{cpu:.2f}",
                           f"{megabytes / cpu:.0f}"])
    bench.note(f"{rows} × {TEXT_DIM}, {megabytes:.0f} MB of text with every bit kept; 1 thread, "
               "whole processes; binary → text → binary is "
               + ("identical." if same else "NOT identical."))
    bench.table("Text", ["work", "wall, s", "MB/s of text", "CPU, s", "MB per CPU second"])
    for path in (binary, target, bench.scratch / "back.bin"):
        path.unlink()


# ---------------------------------------------------------------------- peers

def distance_answers(log):
    """What word2vec's distance prints, as (word, cosine) pairs."""
    pairs = [line.split() for line in log.read_text(errors="replace").splitlines()
             if "\t\t" in line]
    return [[word, float(score)] for word, score in pairs]


def find_peers(table, questions, threads):
    """{name: (command or None, why not, memory needed as a multiple of the file)}."""
    peers = {}
    for name, script, module in (("gensim", GENSIM_ASK, "gensim"), ("faiss", FAISS_ASK, "faiss")):
        python = python_with(module)
        command = [python, "-W", "ignore", "-c", script, table.path, questions, threads]
        peers[name] = (command if python else None, f"no Python that can import {module}", 2.5)
    binary = os.environ.get("W2V_BENCH_DISTANCE")
    peers["distance"] = ([os.path.abspath(binary), table.path] if binary else None,
                         "W2V_BENCH_DISTANCE does not name it", 1.2)
    return peers


def run_peer(bench, name, command, word, env):
    """One run of a peer, and what it says: its times and its answers."""
    if name == "distance":
        given = bench.scratch / "given"
        given.write_text(f"{word}\nEXIT\n", encoding="utf-8")
        run = bench.run_peer(command, given=given, check=False)
        return run, {"answers": distance_answers(bench.scratch / "log")}
    run = bench.run_peer(command, env=env, check=False)
    if run.status != 0:
        return run, {}
    return run, json.loads((bench.scratch / "log").read_text().splitlines()[-1])


def compare_answers(bench, name, theirs, ours):
    """Says how far apart two rankings of the same question are."""
    apart = max(abs(a[1] - b[1]) for a, b in zip(theirs, ours))
    same = [a[0] for a in theirs[:len(ours)]] == [b[0] for b in ours]
    bench.note(f"{name}: {'the same' if same else 'NOT the same'} {len(ours)} words, cosines at "
               f"most {apart:.1e} apart.")


def beside_peers(bench, table, one, batch, env):
    """Other tools on the same file, each once: they take long and much memory."""
    bench.run([bench.w2v, "neighbours", table.path, table.words[0], "--tsv", "-q"])
    ours = [[word, float(score)] for word, score in
            (line.split("\t") for line in (bench.scratch / "log").read_text().splitlines())]
    bench.rows.append(["w2v", f"{one:.2f}", "–", "–", f"{batch:.2f}", "–"])
    chosen = bench.options.peers
    chosen = [name.strip().lower() for name in chosen.split(",")] if chosen is not None else None
    peers = find_peers(table, table.questions(bench.scratch), max(bench.options.threads))
    for name, (command, why, share) in peers.items():
        if chosen is not None and name not in chosen:
            continue
        free = available()
        if command and free is not None and free < share * table.size:
            command, why = None, (f"it needs about {share * table.size / 1e9:.1f} GB of memory, "
                                  f"{free / 1e9:.1f} GB are free")
        if not command:
            bench.note(f"{name} is left out: {why}.")
            continue
        warm(bench, table.path)
        run, out = run_peer(bench, name, command, table.words[0], env)
        if run.status != 0 or not out["answers"]:
            bench.note(f"{name} failed, with exit status {run.status}.")
            continue
        print(f"  {name}: {run.seconds:.2f} s", file=sys.stderr)
        bench.rows.append([name, f"{run.seconds - out.get('batch', 0):.2f}", *(
            f"{out[key]:.3f}" if key in out else "–" for key in ("load", "one")),
            f"{out['load'] + out['batch']:.2f}" if "batch" in out else "–",
            f"{run.peak / 1e6:.0f}"])
        compare_answers(bench, name, out["answers"], ours)
    bench.note("The first column is a whole process that answers one question; the batch is "
               f"{min(QUESTIONS, len(table.words))} questions with loading. w2v's numbers are the "
               "medians from above; peers ran once.")


def ask(bench):
    """Asking a large file: one question, a batch, text, and other tools on the same file."""
    o = bench.options
    threads = max(o.threads)
    path = pathlib.Path(o.file).resolve() if o.file else write_vectors(
        bench, "big.bin", o.rows, o.dim)
    table = Table(path)
    one = one_question(bench, table, threads)
    batch, env = many_questions(bench, table, threads)
    text(bench)
    beside_peers(bench, table, one, batch, env or PEER_ENV)
    bench.report("Beside other tools", ["program", "one question, s", "loading, s",
                                        "asking once, s", "batch, s", "peak resident, MB"])
