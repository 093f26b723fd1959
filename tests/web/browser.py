# SPDX-License-Identifier: MIT
"""A headless chromium, driven by its DevTools protocol through a pipe."""

import base64
import contextlib
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

LONGEST = 60  # seconds that an answer may take


def find():
    """The program, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name) is not None:
            return shutil.which(name)
    return None


class Browser:
    """One page. Use it in a `with`."""

    def __init__(self, program, *options):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.to = os.pipe()
        self.fro, from_child = os.pipe()
        # The browser reads commands from descriptor 3, and answers on 4.
        script = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "browser", str(to_child), str(from_child), program, "--headless",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
             "--autoplay-policy=no-user-gesture-required", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile.name}", *options],
            pass_fds=(to_child, from_child), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number = 0
        self.left = b""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.session = None
            self.call("Browser.close")
        os.close(self.to)
        os.close(self.fro)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def message(self):
        """The next message of the browser."""
        while b"\0" not in self.left:
            if not select.select([self.fro], [], [], LONGEST)[0]:
                sys.exit(f"the browser has not answered for {LONGEST} s")
            some = os.read(self.fro, 1 << 20)
            if not some:
                sys.exit("the browser has ended")
            self.left += some
        message, self.left = self.left.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **words):
        """Calls a method, and returns its result."""
        self.number += 1
        call = {"id": self.number, "method": method, "params": words}
        if self.session is not None:
            call["sessionId"] = self.session
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, script):
        """Waits until an expression is true; returns its value."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.02)
        raise RuntimeError(f"not within {LONGEST} s: {script}")

    def open(self, url):
        """Opens a page, and waits until it is complete."""
        self.call("Page.navigate", url=url)
        self.wait(f"document.readyState === 'complete' && location.href === {json.dumps(url)}")

    def size(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                  mobile=False)

    def scheme(self, name):
        """light or dark, as people set it."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path):
        """Writes what is seen, as PNG."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def key(self, key, **words):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **words)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def wheel(self, x, y, across, down, modifiers=0):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=across, deltaY=down,
                  modifiers=modifiers)

    def choose(self, selector, *paths):
        """Chooses files in an <input type=file>."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=list(paths))
