#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""examples/web/ in a headless chromium: player.py PROGRAM SOURCE_DIR

Overviews in every format that gpuenv writes, and in the older version of JSON, are drawn, zoomed, scrolled and played,
from a server and from files; what is no overview is said on the page."""

import functools
import http.server
import json
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import wave

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish, skip

import browser

RATE = 8000
SECONDS = 10


def write_sound(path, channels):
    """Silence, then five seconds of a tone at half of full scale; the second channel is silent."""
    frames = bytearray()
    for i in range(RATE * SECONDS):
        level = 0 if i < RATE * SECONDS // 2 else round(16384 * math.sin(i * 0.3))
        frames += struct.pack(f"<{channels}h", level, *[0] * (channels - 1))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(frames)


def make_files(folder):
    write_sound(folder / "one.wav", 1)
    write_sound(folder / "two.wav", 2)
    for name in ("one", "two"):
        for kind in ("json", "dat"):
            subprocess.run([PROGRAM, "-q", "--zoom", "100", folder / f"{name}.wav", "-o", folder / f"{name}.{kind}"],
                           check=True)
            subprocess.run([PROGRAM, "-q", "--zoom", "100", "-T", f"{kind}:s8", folder / f"{name}.wav", "-o",
                            folder / f"{name}-8.{kind}"], check=True)
    overview = json.loads((folder / "one.json").read_text())
    del overview["channels"]
    (folder / "old.json").write_text(json.dumps({**overview, "version": 1}))
    (folder / "future.json").write_text(json.dumps({**overview, "version": 3}))
    (folder / "short.json").write_text(json.dumps({**overview, "data": overview["data"][:-2]}))
    (folder / "other.json").write_text('{"a": 1}')
    (folder / "bad.json").write_text('{"version": 2, "da')
    (folder / "bad.dat").write_bytes(b"RIFF" + bytes(40))
    (folder / "short.dat").write_bytes((folder / "two.dat").read_bytes()[:-10])
    (folder / "noise.wav").write_bytes(b"no sound at all")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


# How many pixels of a share of the canvas have the colour of the wave.
PAINTED = """(from, to, top, bottom) => {
    const pen = canvas.getContext("2d");
    const [w, h] = [canvas.width, canvas.height];
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--wave").trim();
    probe.fillRect(0, 0, 1, 1);
    const wanted = probe.getImageData(0, 0, 1, 1).data;
    const data = pen.getImageData(from * w, top * h, (to - from) * w, (bottom - top) * h).data;
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
        count += data[i] === wanted[0] && data[i + 1] === wanted[1] && data[i + 2] === wanted[2] ? 1 : 0;
    return count / (data.length / 4);
}"""


class Page:
    def __init__(self, chromium, address):
        self.chromium = chromium
        self.address = address

    def open(self, question):
        self.chromium.open(f"{self.address}?{question}")

    def shown(self, question):
        """Opens an overview, and waits until it is drawn."""
        self.open(question)
        self.chromium.wait("part('time').textContent !== '' && !drawn")

    def painted(self, *area):
        self.chromium.wait("!drawn")
        return self.chromium.run(f"({PAINTED})({','.join(map(str, area))})")

    def view(self):
        return self.chromium.run("[from, span]")


def check_drawn(page, name, facts, lanes):
    """The second half of the first lane is painted by half, the rest is a line."""
    text = page.chromium.run("part('facts').textContent")
    check(facts in text, name, text)
    check(page.chromium.run("part('alarm').textContent") == "", name, "an alarm")
    bottom = 0.9 / lanes
    loud = page.painted(0.55, 0.98, 0, bottom)
    still = page.painted(0.2, 0.45, 0, bottom)
    check(0.4 < loud < 0.7, name, "painted where there is sound:", loud)
    check(still < 0.05, name, "painted where there is none:", still)
    labels = page.chromium.run("part('levels').firstChild.getContext('2d').getImageData(0, 0, part('levels')"
                               ".firstChild.width, part('levels').firstChild.height).data.some(value => value > 0)")
    check(labels, name, "the levels have labels")
    if lanes == 2:
        check(page.painted(0.55, 0.98, 0.55, 0.9) < 0.05, name, "the second channel is silent")


def check_formats(page):
    for name in ("one.json", "one.dat", "one-8.json", "one-8.dat", "old.json"):
        page.shown(f"peaks={name}")
        check_drawn(page, name, "mono, 10.000 s, 8000 Hz, 100 frames a pixel", 1)
    for name in ("two.json", "two.dat", "two-8.json", "two-8.dat"):
        page.shown(f"peaks={name}")
        check_drawn(page, name, "stereo, 10.000 s", 2)
    page.shown("peaks=two.json&from=6&to=8.5")
    check(page.view() == [6, 2.5], "from and to:", page.view())


def check_alarms(page):
    for question, due in (("peaks=nothing.json", "404"), ("peaks=bad.json", "not JSON"), ("peaks=other.json", "no data"),
                          ("peaks=bad.dat", "not an overview"), ("peaks=short.dat", "cut off"),
                          ("peaks=short.json", "cut off"), ("peaks=future.json", "version 3"),
                          ("peaks=one.wav", "ends in .json or .dat"), ("audio=noise.wav", "The sound cannot be read")):
        page.open(question)
        text = page.chromium.wait("part('alarm').textContent")
        check(due in text, question, text)


def check_moves(page):
    chromium = page.chromium
    page.shown("peaks=two.dat")
    box = chromium.run("(({ x, y, width, height }) => [x, y, width, height])(wave.getBoundingClientRect())")
    middle = box[1] + box[3] / 2

    chromium.click(box[0] + box[2] / 4, middle)
    check(abs(chromium.run("cursor") - 2.5) < 0.05, "a click", chromium.run("cursor"))
    chromium.key("+", text="+")
    first, span = page.view()
    check(span == 5 and abs(first + span / 4 - 2.5) < 0.1, "zoomed at the cursor", first, span)
    chromium.run("part('out').click()")
    check(page.view() == [0, 10], "zoomed out", page.view())
    chromium.wheel(box[0] + box[2] / 2, middle, 0, -400)
    chromium.wait("span < 9")
    first, span = page.view()
    check(abs(first + span / 2 - 5) < 0.1, "zoomed around the pointer", first, span)
    chromium.wheel(box[0] + box[2] / 2, middle, 100, 0)
    chromium.wait(f"from > {first}")
    check(page.view()[1] == span, "scrolled", page.view())
    chromium.key("PageDown")
    check(abs(sum(page.view()) - 10) < 1e-9, "at the end", page.view())
    chromium.run("part('scroll').value = 1; part('scroll').dispatchEvent(new Event('input'))")
    check(abs(page.view()[0] - 1) < 1e-6, "the scroll bar", page.view())
    for _ in range(12):
        chromium.key("+", text="+")
    check(page.view()[1] < 2, "as close as it gets", page.view())
    chromium.key("0", text="0")
    check(page.view() == [0, 10], "the whole", page.view())
    chromium.key("End")
    chromium.key("ArrowLeft")
    check(abs(chromium.run("cursor") - 9.5) < 1e-6, "keys move the cursor", chromium.run("cursor"))
    chromium.wait("wave.getAttribute('aria-valuetext') === '9.500 s'")
    check(chromium.run("part('time').textContent") == "9.500 s of 10.000 s", "the time")


def check_sound(page):
    chromium = page.chromium
    page.shown("peaks=two.json&audio=two.wav")
    chromium.wait("hasAudio && !part('play').disabled")
    place = "(({ x, y }) => [x, y])(part('all').getBoundingClientRect())"
    before = chromium.run(place)
    chromium.run("seek(2)")
    chromium.wait("!audio.seeking")
    check(chromium.run("audio.currentTime") == 2, "a server without ranges seeks:", chromium.run("audio.currentTime"))
    chromium.run("part('play').click()")
    chromium.wait("cursor > 2.1 && part('play').textContent === 'Pause'")
    chromium.run("complain('something')")
    check(chromium.run(place) == before, "the toolbar stays where it is:", chromium.run(place))
    chromium.run("complain('')")
    chromium.run("part('play').click()")
    chromium.wait("part('play').textContent === 'Play'")
    check(chromium.run("part('alarm').textContent") == "", "sound plays without an alarm")


def check_schemes(page):
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = set()
    for scheme in ("light", "dark"):
        page.chromium.scheme(scheme)
        page.shown("peaks=one.json")
        check_drawn(page, scheme, "mono", 1)
        seen.add(page.chromium.run(ground))
    page.chromium.size(400, 300, 2)
    page.shown("peaks=one.json")
    check(page.chromium.run("canvas.width") == 2 * page.chromium.run("wave.clientWidth"), "two pixels in one")
    check_drawn(page, "narrow", "mono", 1)
    check(len(seen) == 2, "light and dark", seen)


def check_files(page, folder):
    """Opened as a file, which cannot fetch."""
    page.address = (folder / "index.html").as_uri()
    page.open("peaks=one.json")
    check("chosen or dropped" in page.chromium.wait("part('alarm').textContent"), "from a file")
    page.chromium.choose("#files", str(folder / "two.dat"), str(folder / "two.wav"))
    page.chromium.wait("hasAudio && overview !== null && part('time').textContent !== '' && !drawn")
    check_drawn(page, "chosen files", "two.dat: stereo", 2)
    page.chromium.choose("#files", str(folder / "bad.dat"))
    check("bad.dat" in page.chromium.wait("part('alarm').textContent"), "a bad file that was chosen")


program = browser.find()
if program is None:
    skip("no chromium")
with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    make_files(place)
    shutil.copy(pathlib.Path(sys.argv[2]) / "examples/web/index.html", place)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=name))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser.Browser(program) as one:
        one.size(900, 420)
        tested = Page(one, f"http://127.0.0.1:{server.server_port}/index.html")
        check_formats(tested)
        check_alarms(tested)
        check_moves(tested)
        check_sound(tested)
        check_schemes(tested)
        check_files(tested, place)
    server.shutdown()
finish()
