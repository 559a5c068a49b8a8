#!/usr/bin/env python3
"""Drives the page of `w2v map` in headless Chromium: map_page.py PROGRAM [FOLDER-FOR-SCREENSHOTS].

Exit status 77, with a message, where Selenium or Chromium are missing.
"""

import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    print("skipped: python3-selenium is not installed")
    sys.exit(77)

ODD = ['<b>bold</b>', '</script><script>alert(1)</script>', 'say"hi"', "it's", 'a&amp;b', 'back\\slash',
       '\U0001f600', '\u05e9\u05dc\u05d5\u05dd', '\u0645\u0631\u062d\u0628\u0627', 'e\u0301t\u00e9', '@DATA@', '${x}`']
TWINS = ["twin1", "twin2", "twin3"] # of one row
GROUPS = ["first <group>", "second & co", "third"]
DIM = 12


def browser():
    """A fresh Chromium without network chatter, or None where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--no-first-run", "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


class Table:
    """Words in three groups, with more that are not on the map."""

    def __init__(self, folder):
        draw = random.Random(5)
        self.words = ODD + [f"word{i}" for i in range(30)] + TWINS + [f"other{i}" for i in range(20)]
        self.shown = len(ODD) + 30 + len(TWINS)
        self.rows = []
        for i in range(len(self.words)):
            row = [draw.gauss(0, 0.3) + (2.0 if c == i % 3 else 0.0) for c in range(DIM)]
            self.rows.append(struct.unpack(f"{DIM}f", struct.pack(f"{DIM}f", *row)))
        first = self.words.index(TWINS[0])
        self.rows[first:first + len(TWINS)] = [self.rows[first]] * len(TWINS)
        self.vectors = os.path.join(folder, "table.bin")
        with open(self.vectors, "wb") as out:
            out.write(f"{len(self.words)} {DIM}\n".encode())
            for word, row in zip(self.words, self.rows):
                out.write(word.encode() + b" " + struct.pack(f"<{DIM}f", *row) + b"\n")
        self.list = os.path.join(folder, "words.txt")
        with open(self.list, "w", encoding="utf-8") as out:
            for i in range(self.shown):
                out.write(f"{self.words[i]}\t{GROUPS[i % 3]}\n")
        self.counts = os.path.join(folder, "counts.txt")
        with open(self.counts, "w", encoding="utf-8") as out:
            for i, word in enumerate(self.words):
                out.write(f"{word} {12345 - i}\n")

    def unit(self, i):
        length = math.sqrt(sum(x * x for x in self.rows[i]))
        return [x / length for x in self.rows[i]]

    def cosine(self, i, j):
        return sum(x * y for x, y in zip(self.unit(i), self.unit(j)))

    def neighbours(self, i):
        """The ten nearest of the whole table, as the page lists them."""
        others = sorted((j for j in range(len(self.words)) if j != i), key=lambda j: -self.cosine(i, j))
        return [(self.words[j], f"{self.cosine(i, j):.4f}") for j in others[:10]]

    def analogy(self, a, b, c, exclude):
        """The ten nearest of the map to A - B + C over unit rows."""
        target = [x - y + z for x, y, z in zip(self.unit(a), self.unit(b), self.unit(c))]
        length = math.sqrt(sum(x * x for x in target))
        score = {i: sum(x * y for x, y in zip(target, self.unit(i))) / length for i in range(self.shown)
                 if not (exclude and i in (a, b, c))}
        best = sorted(score, key=lambda i: -score[i])[:10]
        return [(self.words[i], ("input " if i in (a, b, c) else "") + f"{score[i]:.4f}") for i in best]


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get("file://" + path)
        self.canvas = self.get("map")

    def get(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.get(name).get_attribute("textContent")

    def list_of(self, name):
        """[(word, number)] of an ordered list."""
        return [(item.find_element(By.TAG_NAME, "bdi").get_attribute("textContent"),
                 item.find_element(By.CLASS_NAME, "number").get_attribute("textContent"))
                for item in self.get(name).find_elements(By.TAG_NAME, "li")]

    def place(self, word):
        return self.driver.execute_script("return window.wordMap.place(arguments[0])", word)

    def point_at(self, word):
        x, y = self.place(word)
        size = self.canvas.size
        ActionChains(self.driver).move_to_element_with_offset(
            self.canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)).perform()

    def colours(self):
        """How many pixels of the canvas have each colour of a point."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        return self.driver.execute_script("""
            const c = document.getElementById("map"), n = {};
            const p = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
            for (let i = 0; i < p.length; i += 4) if (p[i + 3] === 255) {
                const k = [p[i], p[i + 1], p[i + 2]].join(",");
                n[k] = (n[k] || 0) + 1;
            }
            return n;""")

    def fill(self, name, text):
        self.driver.execute_script("""
            const e = document.getElementById(arguments[0]);
            e.value = arguments[1];
            e.dispatchEvent(new Event("input", {bubbles: true}));""", name, text)


def expect(got, wanted, what):
    if got != wanted:
        raise AssertionError(f"{what}:\n  got      {got!r}\n  expected {wanted!r}")


def check_points(page, table):
    colours = page.colours()
    for colour in ("0,114,178", "230,159,0", "0,158,115"):
        # a third of the points each, of 37 pixels and more less their edges, some under others
        if colours.get(colour, 0) < table.shown / 3 * 10:
            raise AssertionError(f"points are missing: {colours.get(colour)} pixels of {colour}")
    expect(page.text("legend"), "".join(GROUPS), "legend")
    sentences = page.text("caution").count(".")
    expect(sentences, 2, "sentences of the caution")


def check_labels(page, table):
    """Labels cover neither each other nor the points of other words."""
    page.colours() # waits for the picture
    labels = page.driver.execute_script("return window.wordMap.labels()")
    if len(labels) < table.shown / 3:
        raise AssertionError(f"only {len(labels)} labels")
    places = {word: page.place(word) for word in table.words[:table.shown]}
    for i, (word, left, top, right, bottom) in enumerate(labels):
        for other, (x, y) in places.items():
            if other != word and left < x < right and top < y < bottom:
                raise AssertionError(f"the label of {word!r} covers the point of {other!r}")
        for other, a, b, c, d in labels[:i]:
            if left < c and a < right and top < d and b < bottom:
                raise AssertionError(f"the labels of {word!r} and {other!r} cover each other")


def check_hover(page, table):
    for i in (0, 6, 7, 20, 41):
        word = table.words[i]
        page.point_at(word)
        expect(page.text("word"), word, "word pointed at")
        expect(page.list_of("near"), table.neighbours(i), f"neighbours of {word!r}")
        if f"{12345 - i:,}" not in page.text("facts"):
            raise AssertionError("the count is not shown: " + page.text("facts"))
        expect(page.text("step-id"), f"{i} (row {i + 1} of {len(table.words)})", "id on the ladder")
        if page.text("step-row").split()[0] != f"{table.rows[i][0]:.3f}":
            raise AssertionError("row on the ladder: " + page.text("step-row"))


def check_search(page, table):
    for word in ODD:
        page.fill("search", word)
        found = [e.get_attribute("textContent") for e in page.get("found").find_elements(By.TAG_NAME, "bdi")]
        expect(found[:1], [word], "found by search")
    page.fill("search", "\u00e9T\u00c9") # both of its accents composed, and in capitals
    expect(page.text("found"), "e\u0301t\u00e9", "found in another Unicode form")
    page.fill("search", "nothing like it")
    expect(page.text("found"), "no word of this map", "nothing found")
    page.fill("search", "")


def check_switch(page):
    before = page.place("word1")
    page.driver.find_element(By.CSS_SELECTOR, "[name=method][value=pca]").click()
    after = page.place("word1")
    if before == after or "of the variance" not in page.text("axes"):
        raise AssertionError("PCA was not switched on: " + page.text("axes"))
    page.driver.find_element(By.CSS_SELECTOR, "[name=method][value=tsne]").click()
    expect(page.place("word1"), before, "place after switching there and back")


def check_pin(page, table):
    lines = page.colours().get("11,92,173", 0)
    page.point_at("word3")
    ActionChains(page.driver).click().perform()
    expect(page.text("pin"), "Let go", "pinned by a click")
    if page.colours().get("11,92,173", 0) <= lines:
        raise AssertionError("no lines to the neighbours of a pinned word")
    page.get("pin").click()
    expect(page.text("pin").startswith("Pin"), True, "let go")


def check_panels(page, table):
    i, j = 7, 12
    page.fill("one", table.words[i])
    page.fill("two", table.words[j])
    WebDriverWait(page.driver, 20).until(lambda _: "counting" not in page.text("alike"))
    values = [e.get_attribute("textContent") for e in page.get("alike").find_elements(By.TAG_NAME, "dd")]
    dot = sum(x * y for x, y in zip(table.rows[i], table.rows[j]))
    expect(values[:3], [f"{table.cosine(i, j):.4f}", f"{dot:.4f}", f"{math.dist(table.rows[i], table.rows[j]):.4f}"],
           "cosine, dot product, distance")
    pairs = [table.cosine(a, b) for a in range(table.shown) for b in range(a + 1, table.shown)]
    share = 100 * sum(c < table.cosine(i, j) for c in pairs) / len(pairs)
    shown = float(values[3].split()[2])
    if abs(shown - share) > 0.3 or f" {len(pairs)} " not in values[3]:
        raise AssertionError(f"standing: {values[3]}, expected {share:.1f} % of {len(pairs)}")
    for name, k in zip("abc", (3, 4, 5)):
        page.fill(name, table.words[k])
    expect(page.list_of("answers"), table.analogy(3, 4, 5, False), "analogy with inputs")
    page.get("exclude").click()
    expect(page.list_of("answers"), table.analogy(3, 4, 5, True), "analogy without inputs")


def check_keyboard(page, table):
    """From the top of the page with keys alone: a word is found, read, pinned; the method switched."""
    page.driver.refresh()
    page.canvas = page.get("map")
    press = lambda *keys: ActionChains(page.driver).send_keys(*keys).perform()
    active = lambda: page.driver.execute_script("return document.activeElement.id || document.activeElement.value")
    seen = []
    for _ in range(8):
        press(Keys.TAB)
        seen.append(active())
        if seen[-1] == "map":
            break
    expect(seen, ["tsne", "fit", "map"], "what Tab reaches first")
    first = page.text("word")
    if first not in table.words:
        raise AssertionError("the map has no word in focus: " + first)
    visited = {first}
    for key in (Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ARROW_DOWN):
        press(key)
        word = page.text("word")
        expect(page.list_of("near"), table.neighbours(table.words.index(word)), f"neighbours of {word!r}")
        visited.add(word)
    if len(visited) < 3:
        raise AssertionError(f"arrow keys go nowhere: {visited}")
    press(Keys.ENTER)
    expect(page.text("pin"), "Let go", "pinned by Enter")
    press(Keys.ESCAPE)
    expect(page.text("word"), "No word chosen", "let go by Escape")
    before = page.place("word1")
    press("+")
    if page.place("word1") == before:
        raise AssertionError("+ does not zoom")
    press("0")
    press(Keys.TAB)
    expect(active(), "search", "after the map")
    press("\u05e9\u05dc\u05d5\u05dd", Keys.ENTER)
    expect(page.text("word"), "\u05e9\u05dc\u05d5\u05dd", "word searched for")
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB * 3).key_up(Keys.SHIFT).perform()
    press(Keys.ARROW_RIGHT)
    if "PCA" not in page.text("axes"):
        raise AssertionError("the method is not switched by keys: " + page.text("axes"))
    expect([page.place(word) for word in TWINS], [page.place(TWINS[0])] * 3, "places of equal rows under PCA")
    page.get("search").clear()
    page.get("search").send_keys(TWINS[0], Keys.ENTER)
    ActionChains(page.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    expect(active(), "map", "before the search")
    walk = []
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT):
        press(key)
        walk.append(page.text("word"))
    expect(walk, ["twin2", "twin3", "twin2", "twin1"], "arrow keys among words in one place")
    live = page.driver.execute_script("const e = document.getElementById('word').closest('[aria-live]');"
                                      "return e && e.contains(document.getElementById('facts'))")
    expect(live, True, "a screen reader hears the word with its facts")


def check_lengths(page, driver, program, folder):
    """Words and names of groups as long as can be, and hundreds of groups, leave room for the map."""
    long, vectors, words, path = ["x" * 4000, "\u05e9" * 2000], *(os.path.join(folder, name) for name in ("l.vec", "l.txt", "l.html"))
    names = long + [f"w{i}" for i in range(298)]
    with open(vectors, "w", encoding="utf-8") as out:
        out.write(f"{len(names)} 2\n" + "".join(f"{name} {i % 17} {i % 23}\n" for i, name in enumerate(names)))
    with open(words, "w", encoding="utf-8") as out:
        out.write("".join(f"{name}\tgroup {name}\n" for name in names))
    subprocess.run([program, "map", vectors, "--words", words, "-o", path, "-q", "--iterations", "9"], check=True)
    driver.get("file://" + path)
    for word in long:
        page.fill("search", word)
        page.get("search").send_keys(Keys.ENTER)
        expect(page.text("word"), word, "long word chosen")
        for name in ("found", "near", "word", "legend"):
            wide = driver.execute_script("const e = document.getElementById(arguments[0]);"
                                         "return [e.scrollWidth, e.clientWidth, innerWidth]", name)
            if wide[0] > wide[1] or wide[1] > wide[2]:
                raise AssertionError(f"'{name}' is too wide: {wide}")
    if page.get("map").size["height"] < 300:
        raise AssertionError(f"{len(names)} groups leave the map {page.get('map').size}")


def check_phone(page, driver):
    """On a phone nothing is wider than the screen or too small for a finger, and a word that is touched tells of
    itself without scrolling."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": 375, "height": 740, "deviceScaleFactor": 2, "mobile": True})
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    driver.refresh()
    wide = driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    if wide[0] > wide[1]:
        raise AssertionError(f"the page is {wide[0]} wide on a screen of {wide[1]}")
    page.canvas = page.get("map")
    if sum(page.colours().values()) < 1000:
        raise AssertionError("nothing is drawn on a phone")
    box, (x, y) = page.canvas.rect, page.place("word3")
    touch = {"x": box["x"] + x, "y": box["y"] + y}
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]})
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.text("word"), "word3", "word touched")
    bottom = page.get("near").find_element(By.TAG_NAME, "li").rect
    if bottom["y"] + bottom["height"] > 740:
        raise AssertionError(f"the nearest word of the one touched is off the screen: {bottom}")
    small = driver.execute_script("""
        return [...document.querySelectorAll("button, input, label")].map(e => e.closest("label") || e)
            .filter(e => e.offsetParent && e.htmlFor !== "search" && e.getBoundingClientRect().height < 44)
            .map(e => e.outerHTML)""")
    expect(small, [], "what a finger may miss")


def main(program, shots):
    with tempfile.TemporaryDirectory(prefix="w2v-page-") as folder:
        table = Table(folder)
        path = os.path.join(folder, "map.html")
        done = subprocess.run([program, "map", table.vectors, "--words", table.list, "--counts", table.counts,
                               "-o", path, "-q"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            print(done.stdout.decode(errors="replace"))
            return 1
        try:
            driver = browser()
        except WebDriverException as reason: # no name for this machine, no memory, …
            print("skipped: Chromium cannot be started here:", reason.msg)
            return 77
        if driver is None:
            print("skipped: chromium or chromedriver are not installed")
            return 77
        try:
            page = Page(driver, path)
            check_points(page, table)
            check_labels(page, table)
            check_hover(page, table)
            check_search(page, table)
            check_switch(page)
            check_pin(page, table)
            check_panels(page, table)
            if shots:
                page.point_at("word3")
                driver.save_screenshot(os.path.join(shots, "desktop.png"))
            check_keyboard(page, table)
            check_lengths(page, driver, program, folder)
            page = Page(driver, path)
            check_phone(page, driver)
            if shots:
                driver.save_screenshot(os.path.join(shots, "phone.png"))
            # What Chromium says of reading pixels is about this test, which does it.
            errors = [entry for entry in driver.get_log("browser")
                      if entry["level"] != "INFO" and "willReadFrequently" not in entry["message"]]
            expect(errors, [], "console")
        finally:
            driver.quit()
    print("the page works")
    return 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else None))
