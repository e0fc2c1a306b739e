"""Drives headless Chromium by its remote debugging protocol over a pipe. It needs no package."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time

#: The time in seconds after which a test fails because something hangs.
TOO_LONG = 60


class Browser:
    """A browser with one page."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise SystemExit("chromium not found")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()
        options = ("--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe --disable-quic --no-first-run"
                   " --disable-background-networking --disable-component-update --disable-sync")
        # The browser reads from descriptor 3 and writes to descriptor 4.
        shell = f'exec "$0" {options} --user-data-dir="$1" about:blank 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, program, self.profile.name],
            pass_fds=[to_browser, from_browser],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.numbers = itertools.count(1)
        self.rest = b""
        self.errors = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.profile.cleanup()

    def message(self):
        """Returns the next message of the browser. Remembers errors of the page."""
        while b"\0" not in self.rest:
            part = os.read(self.read, 1 << 20)
            assert part, "the browser has ended"
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"].get("exception", {}).get("description"))
        if message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        return message

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self.message()
            if reply.get("id") == number:
                assert "error" not in reply, (method, reply["error"])
                return reply["result"]

    def run(self, script):
        """Returns the value of an expression in JavaScript."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, (script, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, condition):
        """Waits until an expression in JavaScript is true. Returns the time in seconds."""
        start = time.monotonic()
        while not self.run(condition):
            assert time.monotonic() - start < TOO_LONG, (condition, self.run("document.body?.innerText"))
            time.sleep(0.01)
        return time.monotonic() - start

    def open(self, address):
        # A page with the same path and another fragment would not be loaded again.
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.call("Page.navigate", url=address)

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(image))

    def mouse(self, x, y, kind, button="left", **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1, **more)

    def middle(self, selector):
        """Returns the middle of an element."""
        box = self.run(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            " found.scrollIntoView({block: 'nearest'}); const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        return box

    def click(self, selector):
        x, y = self.middle(selector)
        self.mouse(x, y, "mousePressed")
        self.mouse(x, y, "mouseReleased")

    def drag(self, selectors):
        places = [self.middle(selector) for selector in selectors]
        self.mouse(*places[0], "mousePressed")
        for place in places[1:]:
            self.mouse(*place, "mouseMoved", buttons=1)
        self.mouse(*places[-1], "mouseReleased")

    def press(self, key, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Delete": 46}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers else "")
        code = f"Digit{key}" if key.isdigit() else ""
        for kind in ["keyDown", "keyUp"]:
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                modifiers=modifiers,
                windowsVirtualKeyCode=codes.get(key, ord(key.upper()) if len(key) == 1 else 0),
                text=text if kind == "keyDown" else "",
            )

    def paste(self, text, wait=True):
        """Pastes a text into the page, and waits until the search for it has started."""
        self.run("(() => { const data = new DataTransfer(); data.setData('text', " + json.dumps(text) + ");"
                 " document.activeElement?.blur();"
                 " document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); })()")
        if wait:
            self.wait("document.querySelector('#stop').disabled")
