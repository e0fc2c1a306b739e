"""Tests of the page of `gordian web` in headless Chromium, with the program or as static files.

    python3 tests/web/page.py target/release/gordian [--screenshots DIRECTORY]
    python3 tests/web/page.py --static DIRECTORY [--screenshots DIRECTORY]

The script `web/build` builds the static files.
"""

import argparse
import contextlib
import functools
import http.server
import json
import pathlib
import signal
import statistics
import subprocess
import sys
import threading
import time

from chromium import TOO_LONG, Browser

arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
arguments.add_argument("program", type=pathlib.Path, nargs="?")
arguments.add_argument("--static", type=pathlib.Path)
arguments.add_argument("--screenshots", type=pathlib.Path)
arguments.add_argument("--time", type=pathlib.Path, nargs="*", default=[], help="further boards with one solution")
arguments = arguments.parse_args()
if (arguments.program is None) == (arguments.static is None):
    raise SystemExit("expected either the program or --static DIRECTORY")

IDLE = "document.body.dataset.ready === 'true' && document.querySelector('#stop').disabled && !document.querySelector('#frame').classList.contains('stale')"
STATUS = "document.querySelector('#status').textContent"

INSTANCES = pathlib.Path(__file__).parents[2] / "instances"
#: Boards with one solution each, for which the time of an edit is measured.
TIMED = [INSTANCES / "numberlink/generated-10x10-unique.txt", INSTANCES / "rooks/generated-14x14-unique.txt"]

#: Addresses with one solution each.
NURIKABE = "https://puzz.link/p?nurikabe/5/5/k1n3i4g2j"
LIGHTUP = "https://puzz.link/p?lightup/6/6/nekcakbl"
NUMBERLINK = "https://puzz.link/p?numlin/3/3/1g2i1g2"


def cell(row, column):
    return f"[data-place='{row} {column}']"


def status(browser):
    browser.wait(IDLE)
    return browser.run(STATUS)


def colours(browser):
    """Returns the number of highlighted cells of each class in the picture."""
    count = "document.querySelectorAll(`#picture svg rect.${name}`).length"
    return browser.run(f"Object.fromEntries(['forced', 'open', 'differs', 'sea'].map((name) => [name, {count}]))")


def paste_addresses(browser):
    for address, expected in [(NURIKABE, "nurikabe"), (LIGHTUP, "rooks"), (NUMBERLINK, "numberlink")]:
        browser.paste(address)
        text = status(browser)
        assert text in ("Exactly one solution.", "No solution.") or text.startswith("Several solutions"), text
        assert browser.run("document.querySelector('#name').textContent") == expected
        assert browser.run("document.querySelector('#error').hidden")
        # The link of the board opens the same board.
        assert browser.run("location.hash.length") > 10
        assert not browser.run("document.querySelector('#address').hidden")
    # An address of an unknown type names the nearest known one, and keeps the board.
    browser.paste("https://puzz.link/p?numline/3/3/1g2i1g2")
    browser.wait("!document.querySelector('#error').hidden")
    text = browser.run("document.querySelector('#error').textContent")
    assert "found `numline`" in text and "did you mean `numlin" in text, text
    assert browser.run("document.querySelector('#name').textContent") == "numberlink"
    assert browser.run("document.querySelector('#picture svg') !== null")


def mode(browser, name):
    browser.run(f"document.querySelector('input[name=mode][value={name}]').click()")


def view(browser, name):
    browser.run(f"document.querySelector('input[name=view][value={name}]').click()")


def fill(browser, values):
    """Chooses a puzzle type in the dialog for new boards, and fills its fields. The dialog stays open."""
    browser.click("#making")
    first = {"type": values.pop("type")}
    for chosen in [first, values]:
        browser.run("(() => {" + "".join(f"document.querySelector('#{name}').value = {json.dumps(value)};" for name, value in chosen.items())
                    + ("document.querySelector('#type').dispatchEvent(new Event('change'));" if chosen is first else "") + "})()")


def draw_with_the_mouse(browser):
    fill(browser, {"type": "nurikabe", "rows": 6, "columns": 6})
    browser.click("#new")
    assert status(browser) == "No solution."
    # The brush for the number 2.
    browser.click("#brushes button:nth-child(4)")
    browser.click(cell(0, 0))
    browser.wait(IDLE)
    text = browser.run("document.querySelector('#text').value")
    assert text.startswith("nurikabe\n2 . . . . .\n"), text
    browser.drag([cell(2, 0), cell(2, 1), cell(2, 2)])
    browser.wait(IDLE)
    text = browser.run("document.querySelector('#text').value")
    assert "2 2 2 . . .\n" in text, text
    browser.click("#undo")
    browser.click("#undo")
    browser.wait(IDLE)
    assert "2 . . . . .\n" in browser.run("document.querySelector('#text').value")
    browser.click("#redo")
    browser.wait(IDLE)


def make_a_puzzle(browser):
    fill(browser, {"type": "heyawake", "rows": 6, "columns": 7})
    browser.click("#start")
    browser.wait("/^heyawake\\n(\\S+ ){6}\\S+\\n/.test(document.querySelector('#text').value)")
    assert status(browser) == "Exactly one solution."
    # The clues stay in place if the board is turned by half.
    fill(browser, {"type": "slitherlink", "rows": 6, "columns": 7, "symmetry": "half", "effort": "propagation"})
    browser.click("#start")
    browser.wait("document.querySelector('#text').value.startsWith('slitherlink')")
    assert status(browser) == "Exactly one solution."
    lines = browser.run("document.querySelector('#text').value").strip().split("\n")[1:]
    clues = [token != "." for line in lines for token in line.split()]
    assert len(clues) == 42 and clues == clues[::-1], lines
    # The next puzzle has its clues in the same cells.
    text = browser.run("document.querySelector('#text').value")
    fill(browser, {"type": "slitherlink", "symmetry": "none", "effort": ""})
    browser.run("document.querySelector('#same-cells').click()")
    browser.click("#start")
    browser.wait(f"document.querySelector('#text').value !== {json.dumps(text)}")
    assert status(browser) == "Exactly one solution."
    lines = browser.run("document.querySelector('#text').value").strip().split("\n")[1:]
    assert [token != "." for line in lines for token in line.split()] == clues, lines


def draw_with_the_keyboard(browser):
    fill(browser, {"type": "rooks", "rows": 3, "columns": 3})
    browser.click("#new")
    browser.wait(IDLE)
    browser.run(f"document.querySelector(\"{cell(0, 0)}\").focus()")
    for key in ["ArrowDown", "ArrowRight", "#", "ArrowRight", "2", "Delete", " "]:
        browser.press(key)
    browser.wait(IDLE)
    text = browser.run("document.querySelector('#text').value")
    assert text == "rooks\n. . .\n. # #\n. . .\n", text
    label = browser.run("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("r2c3: block"), label
    assert browser.run("document.querySelectorAll('#cells [tabindex=\"0\"]').length") == 1
    browser.press("z", modifiers=2)
    browser.wait(IDLE)
    assert browser.run("document.querySelector('#text').value") == "rooks\n. . .\n. # .\n. . .\n"
    # All controls have a name.
    unnamed = browser.run(
        "[...document.querySelectorAll('button, input, select, textarea')].filter((control) =>"
        " !control.textContent.trim() && !control.labels?.length && !control.ariaLabel).length"
    )
    assert unnamed == 0, unnamed


def several_solutions(browser):
    browser.paste("rooks\n. . .\n. . .\n. . #\n")
    text = status(browser)
    assert text.startswith("Several solutions"), text
    mode(browser, "solution")
    found = colours(browser)
    assert found["forced"] + found["open"] > 0, found
    for name in ["solution", "other"]:
        view(browser, name)
        assert colours(browser)["differs"] > 0, name
    browser.click("#count")
    browser.wait("/^[0-9]+ solutions?\\.$/.test(document.querySelector('#answer').textContent)")
    number = browser.run("document.querySelector('#answer').textContent")
    view(browser, "heat")
    browser.wait("document.querySelectorAll('#picture path.heat').length > 0")
    assert browser.run("document.querySelector('#answer').textContent").startswith(number)
    view(browser, "forced")


def point(browser, row, column):
    """Returns a point of the board, which is given in halves of a cell."""
    return browser.run(
        "(() => { const cells = document.querySelector('#cells'); cells.scrollIntoView({block: 'nearest'});"
        " const box = cells.getBoundingClientRect(); const rows = cells.children.length;"
        f" return [box.x + box.width * {column} / (2 * cells.children[0].children.length), box.y + box.height * {row} / (2 * rows)]; }})()"
    )


def stroke(browser, points, button="left"):
    """Draws a line with the pressed button of the mouse, or clicks."""
    places = [point(browser, *place) for place in points]
    browser.mouse(*places[0], "mousePressed", button)
    for place in places[1:]:
        browser.mouse(*place, "mouseMoved", button, buttons=1)
    browser.mouse(*places[-1], "mouseReleased", button)


def ask(browser, request):
    """Returns the events that answer a request of the page."""
    return browser.run(f"import('./ask.js').then(async ({{ ask }}) => {{ const events = [];"
                       f" await ask({json.dumps(request)}, (event) => events.push(event)); return events; }})")


def samples(browser):
    return {row["name"]: row["sample"] for row in ask(browser, {"ask": "types"})[0]["types"]}


#: Puzzle types with different kinds of marks.
PLAYED = ["rooks", "numberlink", "aqre", "slitherlink", "masyu", "yajilin", "sudoku", "gokigen", "hashi", "shikaku", "galaxies", "starbattle",
          "dosufuwa", "nonogram"]


def play_with_the_mouse(browser):
    boards = samples(browser) | {"numberlink": "numberlink\n. . . 1\n3 1 3 .\n2 . . .\n. . . 2\n"}
    browser.paste(boards["masyu"])
    mode(browser, "play")
    for name in PLAYED:
        events = ask(browser, {"ask": "solve", "board": {"text": boards[name], "puzzle": name}})
        layers = events[0]["layers"]
        marks = next(event["marks"] for event in events if event["event"] == "solution")
        browser.paste(boards[name])
        assert status(browser) == "Exactly one solution.", name
        for number, (layer, values) in enumerate(zip(layers, marks)):
            for (_, points, allowed), value in zip(layer["places"], values):
                if len(allowed) == 1 or (value == 0 and layer["style"] != "slant"):
                    continue
                if layer["style"] == "bridges":
                    for _ in range(value):
                        stroke(browser, [points[0], points[-1]])
                elif layer["style"] == "numbers":
                    stroke(browser, [points[0]])
                    browser.press(str(value))
                elif layer["style"] == "slant":
                    for _ in range(2 - value):
                        stroke(browser, [points[0]])
                elif layer["style"] in ("shaded", "mark"):
                    for _ in range(number + 1):
                        stroke(browser, [points[0]])
                else:
                    stroke(browser, [points[0], points[-1]])
        browser.wait(f"{STATUS}.startsWith('Solved in')")
        browser.click("#undo")
        assert browser.run("document.querySelectorAll('#picture .own').length") > 0, name
        browser.click("#clear")
        assert browser.run("document.querySelectorAll('#picture .own').length") == 0, name


def play_with_the_keyboard(browser):
    answer = "document.querySelector('#answer').textContent"
    boards = samples(browser)
    browser.paste(boards["slitherlink"])
    status(browser)
    browser.run(f"document.querySelector(\"{cell(0, 0)}\").focus()")
    browser.press("ArrowUp", modifiers=8)
    assert browser.run("document.querySelectorAll('#picture path.own.fence').length") == 1
    browser.press("ArrowLeft", modifiers=1)
    assert browser.run("document.querySelectorAll('#picture path.own.cross').length") == 1
    assert browser.run("document.activeElement.ariaLabel").endswith("line: top"), browser.run("document.activeElement.ariaLabel")
    browser.paste(boards["aqre"])
    status(browser)
    browser.run(f"document.querySelector(\"{cell(0, 0)}\").focus()")
    browser.press(" ")
    assert browser.run("document.querySelectorAll('#picture rect.own.block').length") == 1
    browser.press("x")
    assert browser.run("document.querySelectorAll('#picture circle.own.dot').length") == 1
    browser.press("Delete")
    browser.press("c")
    browser.wait(f"{answer} === 'Nothing is marked.'")
    browser.paste(boards["sudoku"])
    status(browser)
    browser.run(f"document.querySelector(\"{cell(0, 1)}\").focus()")
    browser.press("1", modifiers=8)
    browser.press("2", modifiers=8)
    assert browser.run("document.querySelector('#picture text.own.pencil').textContent") == "12"
    # A wrong number is marked only on request.
    browser.press("1")
    assert browser.run("document.querySelectorAll('#picture .bad').length") == 0
    browser.press("c")
    browser.wait(f"{answer} === '1 mark is wrong.'")
    assert browser.run("document.querySelectorAll('#picture .bad').length") == 1
    browser.press("z", modifiers=2)
    assert browser.run("document.querySelectorAll('#picture .bad').length") == 0


def hints(browser):
    """Solves a board by hints only."""
    browser.paste(samples(browser)["masyu"])
    status(browser)
    for number in range(60):
        browser.press("h")
        browser.wait(f"{IDLE} && !document.querySelector('#explanation').hidden")
        assert ", from: " in browser.run("document.querySelector('#lines').textContent")
        assert browser.run("document.querySelectorAll('#picture .conclusion').length") > 0
        if number == 0:
            browser.click("#apply")
        else:
            browser.press("m")
        browser.wait(IDLE)
        if browser.run(STATUS).startswith("Solved in"):
            break
        time.sleep(0.1)
    browser.wait(f"{STATUS}.startsWith('Solved in')")
    # Bridges have no common side of two cells that could show a conclusion.
    browser.paste(samples(browser)["hashi"])
    status(browser)
    browser.press("h")
    browser.wait(f"{IDLE} && !document.querySelector('#explanation').hidden")
    assert browser.run("document.querySelectorAll('#picture .conclusion').length") > 0


def change(browser, old, new):
    """Changes the rule sheet."""
    browser.run("(() => { const sheet = document.querySelector('#sheet'); sheet.focus();"
                f" sheet.value = sheet.value.replace({json.dumps(old)}, {json.dumps(new)}); sheet.dispatchEvent(new Event('input')); }})()")


def edit_a_sheet(browser):
    boards = samples(browser)
    browser.run("document.querySelector('#sheets').open = true")
    browser.paste(boards["slitherlink"])
    assert status(browser) == "Exactly one solution."
    change(browser, "= clue(c)", "= klue(c)")
    browser.wait("document.querySelector('#sheet-error').textContent.startsWith('Line 8, column ')")
    assert browser.run("document.querySelector('#sheet-marks mark').textContent") == "klue"
    change(browser, "= klue(c)", ">= clue(c)")
    browser.wait(f"{IDLE} && {STATUS}.startsWith('Several solutions')")
    assert browser.run("document.querySelector('#sheet-error').textContent") == ""
    link = browser.run("location.hash")
    browser.click("#restore")
    browser.wait(f"{IDLE} && {STATUS} === 'Exactly one solution.'")
    # A link contains the sheet.
    browser.run(f"location.hash = {json.dumps(link)}")
    browser.wait(f"{IDLE} && {STATUS}.startsWith('Several solutions')")
    browser.click("#invent")
    browser.wait(f"{IDLE} && document.querySelector('#name').textContent === 'leaps'")
    assert status(browser) == "Exactly one solution."
    # A sheet without end is stopped, and the page stays usable.
    change(browser, "count(x in knights(c)", "count(a in cells, b in cells, d in cells, e in cells, f in cells, g in cells, x in knights(c)")
    browser.wait("!document.querySelector('#stop').disabled")
    browser.click("#stop")
    browser.wait("document.querySelector('#stop').disabled")
    browser.paste(boards["hitori"])
    assert status(browser) == "Exactly one solution."


def the_gallery(browser):
    browser.click("#choose")
    browser.wait("document.querySelectorAll('#types .cards button').length > 100")
    browser.wait("[...document.querySelectorAll('#types .thumb')].every((thumb) => thumb.firstChild)")
    visible = "[...document.querySelectorAll('#types .cards button:not([hidden])')].map((card) => card.lastChild.textContent)"
    for text, expected in [("light up", "rooks"), ("Tentaisho", "galaxies"), ("slither", "slitherlink"), ("数独", "sudoku"),
                           ("美術館", "rooks"), ("bijutsukan", "rooks"), ("masyuu", "masyu"), ("pearls", "masyu"), ("マシュ", "masyu")]:
        browser.run(f"(() => {{ const search = document.querySelector('#search'); search.value = {json.dumps(text)}; search.dispatchEvent(new Event('input')); }})()")
        found = browser.run(visible)
        assert any(name.startswith(expected) for name in found), (text, found)
    browser.run("[...document.querySelectorAll('#types .cards button:not([hidden])')].find((card) => card.lastChild.textContent.startsWith('masyu')).click()")
    browser.wait("document.querySelector('#name').textContent === 'masyu'")
    assert status(browser) == "Exactly one solution."
    # The keyboard alone finds a type, and goes on in its board.
    browser.run("document.querySelector('#choose').focus()")
    browser.press("Enter")
    browser.wait("document.activeElement.id === 'search'")
    for key in "akari":
        browser.press(key)
    browser.press("Enter")
    browser.wait("document.querySelector('#name').textContent === 'rooks' && document.activeElement.dataset.place !== undefined")
    assert not browser.run("document.querySelector('#gallery').open")
    assert "light up" in browser.run("document.querySelector('#names').textContent")
    # Symbols in rules are not between backquotes.
    browser.paste(samples(browser)["nurikabe"])
    status(browser)
    assert browser.run("document.querySelector('#rule code').textContent") == "?"
    browser.run("document.activeElement.blur()")
    browser.press("ArrowDown")
    assert browser.run("document.activeElement.dataset.place !== undefined")


def reasons(browser):
    browser.paste(NURIKABE)
    assert status(browser) == "Exactly one solution."
    mode(browser, "solution")
    browser.click("#explain")
    browser.wait(IDLE)
    steps = int(browser.run("document.querySelector('#at').textContent.split(' ').pop()"))
    assert steps > 2, steps
    lines = "document.querySelector('#lines').textContent"
    first = browser.run(lines)
    assert ", from: " in first, first
    browser.click("#next")
    assert browser.run(lines) != first
    assert browser.run("document.querySelectorAll('#picture svg rect.conclusion').length") > 0
    browser.press("ArrowLeft")
    assert browser.run(lines) == first
    browser.click(cell(0, 0))
    browser.click("#why")
    browser.wait(f"{IDLE} && document.querySelector('#reason').textContent.startsWith('r1c1=sea is forced by ')")
    browser.paste("nurikabe\n2 2\n. .\n")
    assert status(browser) == "No solution."
    browser.click("#why")
    browser.wait(f"{IDLE} && document.querySelector('#reason').textContent.startsWith('There is no solution because')")


def clues(browser):
    mode(browser, "solution")
    reason = "document.querySelector('#reason').textContent"
    # Without the clue, the only empty cell still needs a rook.
    browser.paste("rooks\n. 1\n")
    assert status(browser) == "Exactly one solution."
    browser.click("#clues")
    browser.wait(f"{IDLE} && {reason}.startsWith('1 of 1 clues can be left out')")
    browser.click("#leave")
    assert status(browser) == "Exactly one solution."
    assert browser.run("document.querySelector('#text').value") == "rooks\n. #\n"
    # The cells beside the block have two rooks or none.
    browser.paste("rooks\n. .\n. #\n")
    assert status(browser).startswith("Several solutions")
    browser.click("#clues")
    browser.wait(f"{IDLE} && {reason}.startsWith('Each of these clues')")
    lines = browser.run("[...document.querySelectorAll('#lines li')].map((line) => line.textContent)")
    assert lines == ["0 at r2c2", "2 at r2c2"], lines


def errors_have_places(browser):
    browser.paste("nurikabe\n1 x\n. .\n")
    browser.wait("!document.querySelector('#error').hidden")
    text = browser.run("document.querySelector('#error').textContent")
    assert text.startswith("Line 2, column 3: expected "), text


def number_puzzles_have_a_form(browser):
    browser.paste("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n")
    browser.wait(IDLE)
    mode(browser, "solution")
    assert browser.run("document.querySelectorAll('#fields input').length") == 4
    browser.run("(() => { const input = document.querySelector('#fields input'); input.value = '50';"
                " input.dispatchEvent(new Event('change')); })()")
    browser.wait(IDLE)
    assert "n_cards = 50\n" in browser.run("document.querySelector('#text').value")


def stop_keeps_what_was_found(browser, hard):
    browser.paste(hard, wait=False)
    browser.wait("document.querySelector('#answer').textContent.includes('so far')")
    picture = browser.run("document.querySelector('#picture').innerHTML.length")
    browser.click("#stop")
    text = status(browser)
    assert text.endswith("stopped."), text
    assert browser.run("document.querySelector('#picture').innerHTML.length") >= picture


def time_of_first_board(browser, address):
    """Returns the median time in milliseconds from opening the page to its first picture."""
    observer = ("new MutationObserver((_, self) => { if (document.querySelector('#picture svg')) { window.firstBoard = performance.now();"
                " self.disconnect(); } }).observe(document, { childList: true, subtree: true });")
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=observer)["identifier"]
    times = []
    for _ in range(5):
        browser.open(address)
        browser.wait("window.firstBoard !== undefined")
        times.append(browser.run("window.firstBoard"))
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)
    return statistics.median(times)


def time_of_edit(browser, board):
    """Returns the median time in milliseconds from an edit of a board to the end of the search."""
    text = board.read_text()
    times = []
    for _ in range(5):
        browser.paste(text)
        times.append(1000 * browser.wait(IDLE))
        assert browser.run(STATUS) == "Exactly one solution."
    return statistics.median(times)


def every_puzzle_type(browser):
    """Shows the sample of each puzzle type, and makes a board of each type that has cells and lines."""
    boards = samples(browser)
    assert len(boards) > 100
    for name, text in boards.items():
        browser.paste(text)
        found = status(browser)
        assert found == "Exactly one solution." or found.startswith("Several solutions"), (name, found)
        assert browser.run("document.querySelector('#error').hidden"), name
        assert browser.run("document.querySelector('#picture svg') !== null"), name
    for name in ["hashi", "tents", "kakuro"]:
        fill(browser, {"type": name, "rows": 6, "columns": 7})
        browser.click("#start")
        browser.wait(f"document.querySelector('#text').value.startsWith({json.dumps(name)})")
        assert status(browser) == "Exactly one solution.", name
    # A click into a cell of slitherlink changes its clue, although the board has no frame.
    browser.paste("slitherlink\n. . .\n. . .\n. . .\n")
    status(browser)
    mode(browser, "edit")
    browser.run(f"document.querySelector(\"{cell(1, 1)}\").focus()")
    browser.press("4")
    browser.wait(IDLE)
    assert browser.run("document.querySelector('#text').value") == "slitherlink\n. . .\n. 4 .\n. . .\n"
    assert status(browser) == "Exactly one solution."
    mode(browser, "play")


def screenshots(browser, directory):
    directory.mkdir(parents=True, exist_ok=True)
    boards = samples(browser)
    texts = {name: boards[name] for name in ["hitori", "masyu", "slitherlink", "sudoku", "shikaku", "hashi", "starbattle", "gokigen"]}
    texts["several"] = "rooks\n. . . # .\n. 2 . . .\n. . . . .\n# . . 1 .\n. . . . .\n"
    texts["form"] = "cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n"
    for width, height in [(1280, 900), (390, 844)]:
        for dark in [False, True]:
            browser.size(width, height, dark)
            shoot = lambda what: browser.screenshot(directory / f"{what}-{width}-{'dark' if dark else 'light'}.png")
            browser.run("document.querySelector('#sheets').open = false")
            for name, text in texts.items():
                browser.paste(text)
                browser.wait(IDLE)
                mode(browser, "play")
                overflow = browser.run("document.documentElement.scrollWidth - innerWidth")
                assert overflow <= 0, f"{name} is {overflow} pixels too wide at {width}"
                bottom = browser.run("document.querySelector('#status').getBoundingClientRect().bottom")
                assert bottom < height, f"the verdict of {name} is below the window at {width}"
                if not browser.run("document.querySelector('#playing').hidden"):
                    browser.press("h")
                    browser.wait(f"{IDLE} && !document.querySelector('#explanation').hidden")
                shoot(name)
            mode(browser, "solution")
            view(browser, "solution")
            browser.paste(texts["several"])
            view(browser, "heat")
            browser.wait(f"{IDLE} && document.querySelector('#picture path.heat') !== null")
            shoot("heat")
            view(browser, "forced")
    browser.size(1280, 900)
    mode(browser, "play")


def hard_board():
    """Returns a large board of a puzzle that optimises, so that the proof takes long."""
    size = 12
    node = lambda row, column: row * size + column + 1
    edges = [(node(r, c), node(r, c + 1)) for r in range(size) for c in range(size - 1)]
    edges += [(node(r, c), node(r + 1, c)) for r in range(size - 1) for c in range(size)]
    weights = [(7 * a + 13 * b) % 29 + 1 for a, b in edges]
    rows = "|".join(f"{a}, {b}" for a, b in edges)
    return f"labyrinth\nn = {size * size}\nstart = 1\ntarget = {size * size - 1}\ngraph = [|{rows}|]\nweights = {json.dumps(weights)}\n"


def threads(process):
    """Returns the number of threads of a process."""
    return len(list(pathlib.Path(f"/proc/{process.pid}/task").iterdir()))


class Handler(http.server.SimpleHTTPRequestHandler):
    """Sends static files without a log."""

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def static_files(directory):
    """Serves a directory. Yields the address."""
    handler = functools.partial(Handler, directory=directory)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def running(path):
    """Runs the program. Yields its process and the address of the page."""
    program = subprocess.Popen([path, "web", "--no-browser"], stdout=subprocess.PIPE, text=True)
    try:
        yield program, program.stdout.readline().strip()
    finally:
        program.send_signal(signal.SIGINT)
        code = program.wait(TOO_LONG)
    assert code == 0, code


def the_page_works(browser, address):
    """Runs all tests that do not depend on how the page reaches the program."""
    browser.size(1280, 900)
    print(f"median time to the first board: {time_of_first_board(browser, address):.0f} ms", flush=True)
    browser.open(address)
    browser.wait(f"document.body?.dataset.ready === 'true' && {IDLE}")
    # The page starts with a puzzle.
    assert browser.run(STATUS) == "Exactly one solution."
    for test in [paste_addresses, draw_with_the_mouse, make_a_puzzle, draw_with_the_keyboard, several_solutions,
                 play_with_the_mouse, play_with_the_keyboard, hints, edit_a_sheet, the_gallery, reasons, clues,
                 errors_have_places, number_puzzles_have_a_form, every_puzzle_type]:
        test(browser)
        print("passed:", test.__name__, flush=True)
    stop_keeps_what_was_found(browser, hard_board())
    print("passed: stop_keeps_what_was_found", flush=True)
    for board in TIMED + arguments.time:
        print(f"median time of an edit, {board.name}: {time_of_edit(browser, board):.0f} ms", flush=True)
    if arguments.screenshots:
        screenshots(browser, arguments.screenshots)
    assert browser.errors == [], browser.errors


def a_closed_page_ends_its_search(browser, program, idle):
    browser.paste(hard_board(), wait=False)
    browser.wait("document.querySelector('#answer').textContent.includes('so far')")
    assert threads(program) > idle
    browser.close()
    start = time.monotonic()
    while threads(program) > idle:
        assert time.monotonic() - start < TOO_LONG, "the closed page still has a search"
        time.sleep(0.05)
    print("passed: a_closed_page_ends_its_search")


def main():
    if arguments.static:
        with static_files(arguments.static) as address, contextlib.closing(Browser()) as browser:
            the_page_works(browser, address)
    else:
        with running(arguments.program) as (program, address), contextlib.closing(Browser()) as browser:
            assert address.startswith("http://127.0.0.1:"), address
            idle = threads(program)
            the_page_works(browser, address)
            a_closed_page_ends_its_search(browser, program, idle)
    print("passed: all")


sys.exit(main())
