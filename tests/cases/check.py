#!/usr/bin/env python3
"""Does every test that README.md names exist?

Where the folder W2V_TEST_DATA holds the collection itself, cases/CASES.md with a heading
`### NUMBER. …` for each, also: has every case its row?
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)


def exists(name):
    """What the table may name: a case of the command line, a unit test, a file of the project."""
    case = re.fullmatch(r"cli/([a-z0-9-]+)", name)
    if case:
        return os.path.isfile(os.path.join(TESTS, "cli/cases", case[1], "cmd"))
    path, _, function = name.partition(":")
    if not function:
        return os.path.exists(os.path.join(TESTS, os.pardir, name))
    try:
        with open(os.path.join(TESTS, path), encoding="utf-8") as f:
            return re.search(rf"^static void {re.escape(function)}\(", f.read(), re.M) is not None
    except FileNotFoundError:
        return False


def rows(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            yield int(cells[0]), cells[1:]


def check(text, wanted):
    wrong, seen = [], []
    for number, cells in rows(text):
        seen.append(number)
        if len(cells) != 3 or not cells[0] or not (cells[1] or cells[2]):
            wrong.append(f"case {number}: a row is a subject, tests and a remark")
            continue
        for name in re.findall(r"`([^`]*)`", cells[1]):
            if not exists(name):
                wrong.append(f"case {number}: there is no {name}")
        for name in re.findall(r"`(scripts/[^`]*)`", cells[2]):
            if not exists(name):
                wrong.append(f"case {number}: there is no {name}")
    if not seen or seen != sorted(set(seen)):
        wrong.append("the rows are not in order, each number once")
    wrong += [f"case {number} has no row" for number in sorted(wanted - set(seen))]
    return wrong


def self_test():
    """A check that finds nothing wrong anywhere would pass for ever."""
    damaged = {
        "| 1 | a | `cli/no-such-case` | |": set(),
        "| 1 | a | `cli/version:test_nothing` | |": set(),
        "| 1 | a | `base/test_mem.c:test_no_such` | |": set(),
        "| 1 | a | | |": set(),
        "| 2 | a | | b |\n| 1 | a | | b |": set(),
        "| 1 | a | | b |": {1, 2},
        "no table": set(),
    }
    for text, wanted in damaged.items():
        if not check(text, wanted):
            return [f"passes and should not: {text}"]
    return []


def collected():
    """Numbers of the collection, none where it is not at hand."""
    path = os.path.join(os.environ.get("W2V_TEST_DATA", ""), "cases", "CASES.md")
    try:
        with open(path, encoding="utf-8") as f:
            return {int(n) for n in re.findall(r"^### (\d+)\. ", f.read(), re.M)}
    except FileNotFoundError:
        return set()


if __name__ == "__main__":
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        wrong = self_test() + check(f.read(), collected())
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)
