#!/usr/bin/env python3
"""Runs one case of the command line: run_case.py PROGRAM FOLDER.

FOLDER holds
  cmd         a bash script, run in an empty temporary folder with `w2v` on its path
  status      expected exit status (0 when the file is missing)
  stdout      expected output, byte for byte
  stdout.has  or: regular expressions, one a line, each of which must be found;
              a line that begins with `!` must not be found
  stderr, stderr.has  likewise
  left        names that lie in the folder afterwards, sorted, one a line
A stream without a file must stay empty. Exit status 77 skips the case.
"""

import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77


def expected(folder, name):
    try:
        with open(os.path.join(folder, name), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def check_stream(folder, name, got):
    """Differences between what a stream held and what its file asks for."""
    patterns = expected(folder, name + ".has")
    if patterns is None:
        want = expected(folder, name) or b""
        return [] if got == want else [f"{name} differs, expected:\n{want.decode(errors='replace')}"]
    wrong = []
    for line in patterns.decode().splitlines():
        absent = line.startswith("!")
        pattern = line[1:] if absent else line
        found = re.search(pattern.encode(), got, re.MULTILINE) is not None
        if found == absent:
            wrong.append(f"{name}: {'unwanted' if absent else 'missing'}: {pattern}")
    return wrong


def run(program, folder):
    with tempfile.TemporaryDirectory(prefix="w2v-case-") as top:
        tools = os.path.join(top, "bin")
        work = os.path.join(top, "work")
        os.mkdir(tools)
        os.mkdir(work)
        os.symlink(os.path.abspath(program), os.path.join(tools, "w2v"))
        environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
        environment.pop("NO_COLOR", None)
        done = subprocess.run(["bash", os.path.join(folder, "cmd")], cwd=work, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        left = "".join(name + "\n" for name in sorted(os.listdir(work)))
    if done.returncode == SKIPPED:
        print(done.stderr.decode(errors="replace"), end="")
        return SKIPPED
    wrong = []
    status = int(expected(folder, "status") or b"0")
    if done.returncode != status:
        wrong.append(f"exit status {done.returncode}, expected {status}")
    wrong += check_stream(folder, "stdout", done.stdout)
    wrong += check_stream(folder, "stderr", done.stderr)
    want = expected(folder, "left")
    if want is not None and left != want.decode():
        wrong.append(f"files left:\n{left}expected:\n{want.decode()}")
    if wrong:
        print("\n".join(wrong))
        print("--- stdout", done.stdout.decode(errors="replace"), sep="\n")
        print("--- stderr", done.stderr.decode(errors="replace"), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: run_case.py PROGRAM FOLDER")
    sys.exit(run(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
