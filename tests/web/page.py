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

IDLE = "document.querySelector('#stop').disabled && !document.querySelector('#frame').classList.contains('stale')"
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
        assert browser.run("document.querySelector('#type').value") == expected
        assert browser.run("document.querySelector('#error').hidden")
        # The link of the board opens the same board.
        assert browser.run("location.hash.length") > 10
        assert not browser.run("document.querySelector('#address').hidden")


def draw_with_the_mouse(browser):
    browser.run("(() => { for (const [id, value] of [['type', 'nurikabe'], ['rows', 6], ['columns', 6]])"
                " document.querySelector(`#${id}`).value = value; document.querySelector('#new').requestSubmit(); })()")
    assert status(browser) == "No solution."
    # The brush for the number 2.
    browser.click("#brushes button:nth-child(5)")
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
    browser.run("(() => { for (const [id, value] of [['type', 'rooks'], ['rows', 6], ['columns', 7]])"
                " document.querySelector(`#${id}`).value = value; document.querySelector('#make').click(); })()")
    browser.wait("/^rooks\\n(\\S+ ){6}\\S+\\n/.test(document.querySelector('#text').value)")
    assert status(browser) == "Exactly one solution."
    lines = browser.run("document.querySelector('#text').value").strip().split("\n")
    assert lines[0] == "rooks" and len(lines) == 7 and len(lines[1].split()) == 7, lines
    # The blocks stay in place if the board is turned by half.
    browser.run("(() => { for (const [id, value] of [['symmetry', 'half'], ['effort', 'propagation']])"
                " document.querySelector(`#${id}`).value = value; document.querySelector('#make').click(); })()")
    old = "\n".join(lines)
    browser.wait(f"document.querySelector('#text').value.trim() !== {json.dumps(old)}")
    assert status(browser) == "Exactly one solution."
    lines = browser.run("document.querySelector('#text').value").strip().split("\n")[1:]
    blocks = [token != "." for line in lines for token in line.split()]
    assert blocks == blocks[::-1], lines
    browser.run("(() => { const type = document.querySelector('#type'); type.value = 'nurikabe';"
                " type.dispatchEvent(new Event('change')); })()")
    assert browser.run("document.querySelector('#symmetry').parentElement.hidden")
    browser.run("document.querySelector('#effort').value = ''")


def draw_with_the_keyboard(browser):
    browser.run("(() => { document.querySelector('#type').value = 'rooks';"
                " document.querySelector('#rows').value = document.querySelector('#columns').value = 3;"
                " document.querySelector('#new').requestSubmit(); })()")
    browser.wait(IDLE)
    browser.run(f"document.querySelector(\"{cell(0, 0)}\").focus()")
    for key in ["ArrowDown", "ArrowRight", "#", "ArrowRight", "2", "Delete", " "]:
        browser.press(key)
    browser.wait(IDLE)
    text = browser.run("document.querySelector('#text').value")
    assert text == "rooks\n. . .\n. # #\n. . .\n", text
    label = browser.run("document.activeElement.getAttribute('aria-label')")
    assert label.startswith("row 2, column 3: block"), label
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
    assert not browser.run("document.querySelector('#two').hidden")
    assert browser.run("document.querySelectorAll('#witnesses svg').length") == 2
    assert browser.run("document.querySelectorAll('#witnesses rect.differs').length") > 0
    found = colours(browser)
    assert found["forced"] + found["open"] > 0, found
    browser.click("#count")
    browser.wait("/^[0-9]+ solutions?\\.$/.test(document.querySelector('#answer').textContent)")
    number = browser.run("document.querySelector('#answer').textContent")
    browser.click("#heat")
    browser.wait("!document.querySelector('#maps').hidden")
    assert browser.run("document.querySelector('#answer').textContent") == number
    assert browser.run("document.querySelectorAll('#maps path.heat').length") > 0


def check_a_solution(browser):
    browser.paste("nurikabe\n1 . 1\n. . .\n1 . 1\n")
    assert status(browser) == "Exactly one solution."
    browser.click("input[name=mode][value=marks]")
    answer = "document.querySelector('#answer').textContent"
    browser.click("#check")
    browser.wait(f"{answer}.startsWith('Not a solution: ')")
    browser.click("#brushes button:nth-child(3)")
    browser.drag([cell(0, 1), cell(1, 1), cell(1, 0)])
    browser.drag([cell(1, 2), cell(1, 2)])
    browser.click(cell(2, 1))
    browser.click("#check")
    browser.wait(f"{answer} === 'Your solution is correct.'")
    browser.click("input[name=mode][value=clues]")


def reasons(browser):
    browser.paste(NURIKABE)
    assert status(browser) == "Exactly one solution."
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
    browser.click("#back")
    assert browser.run(lines) == first
    browser.click(cell(0, 0))
    browser.click("#why")
    browser.wait(f"{IDLE} && document.querySelector('#reason').textContent.startsWith('r1c1=sea is forced by ')")
    browser.paste("nurikabe\n2 2\n. .\n")
    assert status(browser) == "No solution."
    browser.click("#why")
    browser.wait(f"{IDLE} && document.querySelector('#reason').textContent.startsWith('There is no solution because')")


def clues(browser):
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
    browser.paste("numberlink\n1 .\n. .\n")
    browser.wait("!document.querySelector('#error').hidden")


def number_puzzles_have_a_form(browser):
    browser.paste("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n")
    browser.wait(IDLE)
    assert browser.run("document.querySelectorAll('#fields input').length") == 4
    browser.run("(() => { const input = document.querySelector('#fields input'); input.value = '50';"
                " input.dispatchEvent(new Event('change')); })()")
    browser.wait(IDLE)
    assert "n_cards = 50\n" in browser.run("document.querySelector('#text').value")


def stop_keeps_what_was_found(browser, hard):
    browser.paste(hard)
    browser.wait("document.querySelector('#answer').textContent.includes('so far')")
    picture = browser.run("document.querySelector('#picture').innerHTML.length")
    browser.click("#stop")
    text = status(browser)
    assert text.endswith("stopped."), text
    assert browser.run("document.querySelector('#picture').innerHTML.length") >= picture


def time_of_edit(browser, board):
    """Returns the median time in milliseconds from an edit of a board to the end of the search."""
    text = board.read_text()
    times = []
    for _ in range(5):
        browser.paste(text)
        times.append(1000 * browser.wait(IDLE))
        assert browser.run(STATUS) == "Exactly one solution."
    return statistics.median(times)


#: For the screenshots of a board, the elements that show further results, and the buttons that request them.
RESULTS = {"several": {"maps": "#heat"}, "unique": {"explanation": "#explain"}}


def every_puzzle_type(browser):
    """Shows the sample of each puzzle type, and makes a board of each type that has cells and lines."""
    names = browser.run("[...document.querySelectorAll('#type optgroup option')].map((option) => option.value)")
    assert len(names) > 40 and names == browser.run("[...new Set([...document.querySelectorAll('#type option')].map((option) => option.value))]"), names
    for name in names:
        browser.run(f"(() => {{ const type = document.querySelector('#type'); type.value = {json.dumps(name)};"
                    " type.dispatchEvent(new Event('change')); })()")
        browser.wait(f"document.querySelector('#text').value.startsWith({json.dumps(name)}) || document.querySelector('#cells').hidden")
        text = status(browser)
        assert text == "Exactly one solution." or text.startswith("Several solutions"), (name, text)
        assert browser.run("document.querySelector('#error').hidden"), name
        assert browser.run("document.querySelector('#picture svg') !== null"), name
    for name in ["slitherlink", "heyawake", "hashi", "tents", "kakuro"]:
        browser.run(f"(() => {{ for (const [id, value] of [['type', {json.dumps(name)}], ['rows', 6], ['columns', 7]])"
                    " document.querySelector(`#${id}`).value = value; document.querySelector('#make').click(); })()")
        browser.wait(f"document.querySelector('#text').value.startsWith({json.dumps(name)})")
        assert status(browser) == "Exactly one solution.", name
    # A click into a cell of slitherlink changes its clue, although the board has no frame.
    browser.paste("slitherlink\n. . .\n. . .\n. . .\n")
    status(browser)
    browser.run(f"document.querySelector(\"{cell(1, 1)}\").focus()")
    browser.press("4")
    browser.wait(IDLE)
    assert browser.run("document.querySelector('#text').value") == "slitherlink\n. . .\n. 4 .\n. . .\n"
    assert status(browser) == "Exactly one solution."


def screenshots(browser, directory):
    directory.mkdir(parents=True, exist_ok=True)
    boards = {"several": "rooks\n. . . # .\n. 2 . . .\n. . . . .\n# . . 1 .\n. . . . .\n", "unique": NURIKABE,
              "paths": NUMBERLINK, "form": "cards\nn_cards = 52\nn_red = 26\nleft_split = 25\nn_red_left_split = 12\n"}
    for width, height in [(1280, 900), (390, 844)]:
        for dark in [False, True]:
            browser.size(width, height, dark)
            shoot = lambda what: browser.screenshot(directory / f"{what}-{width}-{'dark' if dark else 'light'}.png")
            for name, text in boards.items():
                browser.paste(text)
                browser.wait(IDLE)
                overflow = browser.run("document.documentElement.scrollWidth - innerWidth")
                assert overflow <= 0, f"{name} is {overflow} pixels too wide at {width}"
                shoot(name)
                for result, request in RESULTS.get(name, {}).items():
                    browser.click(request)
                    browser.wait(f"{IDLE} && !document.querySelector('#{result}').hidden")
                    shoot(f"{name}-{result}")
    browser.size(1280, 900)


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
    browser.open(address)
    browser.wait(f"document.querySelector('#type')?.options.length > 0 && {IDLE} && {STATUS} !== ''")
    for test in [paste_addresses, draw_with_the_mouse, make_a_puzzle, draw_with_the_keyboard,
                 several_solutions, check_a_solution, reasons, clues, errors_have_places, number_puzzles_have_a_form,
                 every_puzzle_type]:
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
    browser.paste(hard_board())
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
