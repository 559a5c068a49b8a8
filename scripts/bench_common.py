"""What the modes of scripts/bench share: running and timing processes, the table, the machine."""

import contextlib
import datetime
import gzip
import os
import pathlib
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Peers choose their own kernels: a machine's settings for another program must not slow them down.
PEER_ENV = {k: v for k, v in os.environ.items() if not k.startswith(("OPENBLAS_", "OMP_", "GOMP_"))}


class Run:
    """One finished process: its wall and CPU seconds and peak resident bytes."""

    def __init__(self, command, env=None, log=None, folder=None, given=None, check=True):
        with open(log or os.devnull, "wb") as sink, open(given or os.devnull, "rb") as source:
            begin = time.monotonic()
            child = subprocess.Popen([str(c) for c in command], env=env, cwd=folder,
                                     stdin=source, stdout=sink,
                                     stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(child.pid, 0)
            self.seconds = time.monotonic() - begin
            self.cpu = usage.ru_utime + usage.ru_stime
        child.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        if check and self.status != 0:
            shown = shlex.join(str(c) for c in command)
            tail = pathlib.Path(log).read_text(errors="replace")[-2000:] if log else ""
            sys.exit(f"bench: exit status {self.status} of: {shown}\n{tail}")


def interleaved(jobs, rounds):
    """Runs each of {name: function returning seconds} once a round; {name: [seconds]}."""
    times = {name: [] for name in jobs}
    for number in range(rounds):
        for name, job in jobs.items():
            times[name].append(job())
            shown = name if isinstance(name, str) else " x ".join(map(str, name))
            print(f"  round {number + 1}: {shown}: {times[name][-1]:.3f} s", file=sys.stderr)
    return times


def python_with(module):
    """The first Python that can import `module`: Debian's may stand behind another on the PATH."""
    for python in ("python3", "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run(
                [python, "-c", f"import {module}"], capture_output=True,
                check=False).returncode == 0:
            return python
    return None


class Bench:
    """What all modes share: options, a scratch folder, the corpus in both forms, the report."""

    def __init__(self, options, scratch):
        self.options = options
        self.scratch = pathlib.Path(scratch).resolve()
        self.rows = []
        self.notes = []
        self.tables = []
        self.corpus = pathlib.Path(options.corpus).resolve() if options.corpus else None
        self.plain = None
        if self.corpus and self.is_gzip():
            self.plain = self.scratch / "corpus.txt"
            with gzip.open(self.corpus, "rb") as packed, open(self.plain, "wb") as text:
                shutil.copyfileobj(packed, text, 1 << 20)
        elif self.corpus:
            self.plain = self.corpus
        self.w2v = pathlib.Path(options.w2v).resolve() if options.w2v else built_w2v()

    def is_gzip(self):
        with open(self.corpus, "rb") as file:
            return file.read(2) == b"\x1f\x8b"

    def packed(self):
        """The corpus as a gzip file."""
        if self.is_gzip():
            return self.corpus
        path = self.scratch / "corpus.txt.gz"
        with open(self.corpus, "rb") as text, gzip.open(path, "wb", compresslevel=6) as packed:
            shutil.copyfileobj(text, packed, 1 << 20)
        return path

    def train(self, threads, corpus=None, output="w2v.bin", extra=()):
        o = self.options
        return [self.w2v, "train", corpus or self.corpus, "-o", self.scratch / output, "--dim",
                o.dim, "--window", 5, "--negative", 5, "--min-count", 5, "--sample", o.sample,
                "--lr", 0.025, "--epochs", o.epochs, "--threads", threads, "-q", *extra, *o.extra]

    def run(self, command):
        return Run(command, log=self.scratch / "log")

    def run_peer(self, command, env=None, given=None, check=True):
        """In the scratch folder, since some peers drop files where they are started."""
        return Run(command, env=env or PEER_ENV, log=self.scratch / "log", folder=self.scratch,
                   given=given, check=check)

    def note(self, text):
        """A sentence for the report that is worth seeing at once, such as what is left out."""
        print(f"  {text}", file=sys.stderr)
        self.notes.append(text)

    def table(self, title, header):
        """Prints the rows so far, with the notes under them, and begins a new table."""
        lines = [f"**{title}**", "", "| " + " | ".join(header) + " |",
                 "|" + "|".join("---" if i == 0 else "--:" for i in range(len(header))) + "|"]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        text = "\n".join(lines) + "\n\n" + (" ".join(self.notes) + "\n\n" if self.notes else "")
        print(text, end="", flush=True)
        self.tables.append(text)
        self.rows, self.notes = [], []

    def report(self, title, header):
        """The last table, then machine, compiler and date; all of it goes to --out."""
        self.notes.append(machine(self.w2v))
        self.table(title, header)
        if self.options.out:
            text = "".join(self.tables).rstrip("\n") + "\n"
            pathlib.Path(self.options.out).write_text(text, encoding="utf-8")


def built_w2v():
    """build/w2v, built as Release when it is not there."""
    binary = ROOT / "build" / "w2v"
    if not binary.exists():
        for command in (["cmake", "-S", ROOT, "-B", ROOT / "build", "-DCMAKE_BUILD_TYPE=Release",
                         "-DW2V_TESTS=OFF"], ["cmake", "--build", ROOT / "build", "--parallel"]):
            subprocess.run(command, check=True, stdout=sys.stderr)
    return binary


def machine(w2v):
    """Processor, compiler, date: a number without them says little."""
    model = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    compiler = "compiler unknown"
    cache = w2v.parent / "CMakeCache.txt"
    if cache.exists():
        for line in cache.read_text(encoding="utf-8").splitlines():
            if line.startswith("CMAKE_C_COMPILER:"):
                out = subprocess.run([line.split("=", 1)[1], "--version"], capture_output=True,
                                     text=True, check=False).stdout
                compiler = out.splitlines()[0] if out else compiler
    version = subprocess.run([w2v, "--version"], capture_output=True, text=True, check=False).stdout
    version = version.splitlines()[0] if version else "w2v"
    return f"{model}, {cores} cores; {version}; {compiler}; {datetime.date.today().isoformat()}."


def plural(n, what):
    return f"{n} {what}" + ("" if n == 1 else "s")


@contextlib.contextmanager
def scratch_folder(parent, keep):
    """A folder that is gone afterwards, also after a stop, unless it is to be kept."""
    path = tempfile.mkdtemp(prefix="w2v-bench-", dir=parent)
    try:
        yield path
    finally:
        if keep:
            print(f"bench: kept {path}", file=sys.stderr)
        else:
            shutil.rmtree(path, ignore_errors=True)
