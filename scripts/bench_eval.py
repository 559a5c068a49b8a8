"""scripts/bench --eval: scoring a table with analogy questions, beside other tools."""

import os
import pathlib
import re
import statistics
import sys

from bench_ask import Table, fastest_sgemm, warm, write_vectors
from bench_common import PEER_ENV, interleaved, plural, python_with

LIMIT = 30000 # rows, the usual number

GENSIM_EVAL = """
import sys
from gensim.models import KeyedVectors
path, questions, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
table = KeyedVectors.load_word2vec_format(path, binary=True, limit=limit)
for section in table.evaluate_word_analogies(questions, restrict_vocab=limit)[1]:
    print("counts", len(section["correct"]),
          len(section["correct"]) + len(section["incorrect"]), sep="\\t")
"""


def question_words(bench):
    """The words of the questions, each once, as a file."""
    words = {}
    for line in pathlib.Path(bench.options.questions).read_text(encoding="utf-8").splitlines():
        if not line.startswith(":"):
            words |= dict.fromkeys(line.split())
    path = bench.scratch / "words.txt"
    path.write_text("\n".join(words) + "\n", encoding="utf-8")
    return path


def w2v_counts(log):
    """(right, asked) of each section."""
    return [tuple(map(int, line.split("\t")[4:6])) for line in log.splitlines()
            if line.startswith("section\t")]


def gensim_counts(log):
    """The same; its last section is the total."""
    lines = [line.split("\t") for line in log.splitlines() if line.startswith("counts\t")]
    return [(int(right), int(asked)) for _, right, asked in lines[:-1]]


def original_counts(log):
    return [tuple(map(int, pair)) for pair in re.findall(r"TOP1: .*\((\d+) / (\d+)\)", log)]


def find_programs(bench, path, threads):
    """{name: (command, standard input, environment, counts of its log)}."""
    questions = pathlib.Path(bench.options.questions).resolve()
    command = [bench.w2v, "eval", path, questions, "--ignore-case", "--tsv", "-q", "--threads",
               threads]
    programs = {
        f"w2v, first {LIMIT} rows": ([*command, "--limit", LIMIT], None, None, w2v_counts),
        "w2v, all rows": (command, None, None, None)}
    chosen = bench.options.peers
    chosen = [name.strip().lower() for name in chosen.split(",")] if chosen is not None else None
    python = python_with("gensim")
    binary = os.environ.get("W2V_BENCH_COMPUTE_ACCURACY")
    if chosen is not None and "gensim" not in chosen:
        pass
    elif python:
        env = fastest_sgemm(300, threads)[1] or PEER_ENV
        programs["gensim"] = ([python, "-W", "ignore", "-c", GENSIM_EVAL, path, questions, LIMIT],
                              None, env, gensim_counts)
    else:
        bench.note("gensim is left out: no Python that can import it.")
    if chosen is not None and "compute-accuracy" not in chosen:
        pass
    elif binary:
        programs["compute-accuracy"] = ([os.path.abspath(binary), path, LIMIT], questions, None,
                                        original_counts)
    else:
        bench.note("compute-accuracy is left out: W2V_BENCH_COMPUTE_ACCURACY does not name it.")
    return programs


def eval_questions(bench):
    """Scoring with analogy questions: whole processes, and whether the counts are the same."""
    o = bench.options
    threads = max(o.threads)
    path = pathlib.Path(o.file).resolve() if o.file else write_vectors(
        bench, "table.bin", o.rows, o.dim, question_words(bench))
    table = Table(path)
    warm(bench, path)
    programs = find_programs(bench, path, threads)
    peaks, counts = {}, {}

    def score(name):
        command, given, env, read = programs[name]
        run = bench.run_peer(command, env=env, given=given)
        peaks[name] = max(run.peak, peaks.get(name, 0))
        if read:
            counts[name] = read((bench.scratch / "log").read_text(errors="replace"))
        return run.seconds

    times = interleaved({name: lambda name=name: score(name) for name in programs}, o.pairs)
    first, *others = counts
    for name, values in times.items():
        ratio = statistics.median(a / b for a, b in zip(values, times[first]))
        bench.rows.append([name, f"{statistics.median(values):.2f}",
                           f"{min(values):.2f}–{max(values):.2f}", f"{ratio:.1f}",
                           f"{peaks[name] / 1e6:.0f}"])
    for name in others:
        apart = [number for number, (a, b) in enumerate(zip(counts[first], counts[name])) if a != b]
        bench.note(f"{name}: " + (f"other counts in {plural(len(apart), 'section')}." if apart else
                                  f"the same counts in all {len(counts[name])} sections."))
    bench.note(f"{table.rows} × {table.dim} word2vec binary, {table.size / 1e6:.0f} MB in the page "
               f"cache; whole processes, {plural(threads, 'thread')}, "
               f"{plural(o.pairs, 'interleaved round')}; peers take the first {LIMIT} rows.")
    if sum(asked for _, asked in counts[first]) == 0:
        sys.exit("bench: the table has no words of the questions")
    bench.report("Scoring with analogy questions",
                 ["program", "median, s", "range, s", "time / w2v", "peak resident, MB"])
