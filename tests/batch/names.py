#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Which output a batch makes of which input, under which name: names.py PROGRAM [TEST...]

Every output is compared with that of a single run."""

import os
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import floats
from scene import Skipped, play

WINDOW = ("-w", "7")
OUT = (*WINDOW, "--out-dir", "out")


def many_formats_out(scene):
    scene.wavs("a.wav", "b.wav", "c.wav")
    types = [("f32", "f32"), ("s16", "s16"), ("f64", "f64"), ("wav", "wav"), ("wav:s16", "wav"),
             ("w64", "w64"), ("rf64", "rf64"), ("au", "au"), ("npy:f64", "npy"), ("aiff", "aiff"),
             ("caf", "caf"), ("flac", "flac"), ("csv", "csv"), ("tsv", "tsv"), ("txt", "txt"),
             ("svg", "svg"), ("dat", "dat"), ("dat:s8", "dat"), ("json", "json")]
    for kind, ending in types:
        window = ("--zoom", "50") if kind[:3] in ("dat", "jso") else WINDOW
        words = (*window, "-T", kind)
        if scene.single("a.wav", "a.out", *words)[0].status == 1:
            continue  # this build cannot write it
        folder = kind.replace(":", "-")
        scene.ends(0, *words, "--out-dir", folder, "a.wav", "b.wav", "c.wav")
        scene.check_outputs({f"{name}.{ending}": f"{name}.wav" for name in "abc"}, *words,
                            folder=folder)


def templates(scene):
    scene.wavs("a/b/x.wav", "y.wav")

    def gives(template, outputs, *words, names=("a/b/x.wav", "y.wav")):
        folder = f"out{len(os.listdir(scene.folder))}"
        scene.done(*WINDOW, *words, "--out-dir", folder, "--name", template, *names)
        scene.check_outputs(outputs, *WINDOW, *words, folder=folder)

    gives("{dir}/{name}-env.{ext}", {"a/b/x-env.f32": "a/b/x.wav", "y-env.f32": "y.wav"})
    gives("{name}.{ext}", {"x.s16": "a/b/x.wav", "y.s16": "y.wav"}, "-T", "s16")
    gives("sub/{name}/env.{ext}", {"sub/x/env.wav": "a/b/x.wav", "sub/y/env.wav": "y.wav"}, "-T",
          "wav:s16")
    gives("{name}.wav", {"x.wav": "a/b/x.wav", "y.wav": "y.wav"})
    gives("{name}.csv", {"x.csv": "a/b/x.wav", "y.csv": "y.wav"})
    gives("{name}.dat", {"x.dat": "a/b/x.wav", "y.dat": "y.wav"}, "-T", "f32")
    scene.wrong([*OUT, "--name", "{nmae}.{ext}", "y.wav"], "--name", "nmae")
    scene.wrong([*OUT, "--name", "{name}.mp3", "y.wav"], "mp3")
    for template in (".", "..", "{dir}", "{dir}/", "{name}/.", "a/{dir}", "{name}/..", "./", "/", "{dir}."):
        scene.wrong([*OUT, "--name", template, "y.wav"], "--name", template)
    gives("...{name}", {"...x": "a/b/x.wav", "...y": "y.wav"})
    gives("...", {"...": "y.wav"}, names=["y.wav"])


def folders_as_written(scene):
    """{dir} of an operand is its folder as written."""
    scene.wavs("a/x.wav", "y.wav", "z.wav")
    whole = scene.path("a/x.wav")
    words = (*OUT, "--name", "{dir}/{name}.{ext}")
    scene.done(*words, "./a/x.wav", whole, "y.wav")
    due = {"a/x.f32": "a/x.wav", f"{os.path.splitext(whole)[0][1:]}.f32": whole, "y.f32": "y.wav"}
    scene.check_outputs(due, *WINDOW)
    shutil.rmtree(scene.path("out"))
    run = scene.ends(2, *words, "a/x.wav", "a/../y.wav", "z.wav")
    scene.check(len(run.lines) == 2 and "a/../y.wav" in run.lines[0], "`..` fails its file alone")
    scene.summary("1 of 3 files failed")
    scene.check_outputs({"a/x.f32": "a/x.wav", "z.f32": "z.wav"}, *WINDOW)
    shutil.rmtree(scene.path("out"))
    scene.done(*OUT, "a/../y.wav")
    scene.check_outputs({"y.f32": "y.wav"}, *WINDOW)


def walk(scene):
    """A folder is mirrored, without its own name, hidden files included. Links and FIFOs inside are ignored."""
    scene.wavs("in/b.wav", "in/a/x.wav", "in/a/deep/y.wav", "in/.hidden.wav", "in/.h/z.wav",
               "elsewhere/w.wav")
    scene.write("in/i.s16", floats(99, 3))
    scene.write("in/log.csv", b"1,2\n3,4\n" * 9)
    scene.write("in/notes.md", b"none")
    scene.write("in/a/README", b"none")
    os.symlink("b.wav", scene.path("in/link.wav"))
    os.symlink("../elsewhere", scene.path("in/linked"))
    os.symlink("nowhere", scene.path("in/dangling.wav"))
    os.mkfifo(scene.path("in/a/fifo.wav"))
    due = {"b.f32": "in/b.wav", "a/x.f32": "in/a/x.wav", "a/deep/y.f32": "in/a/deep/y.wav",
           ".hidden.f32": "in/.hidden.wav", ".h/z.f32": "in/.h/z.wav", "i.f32": "in/i.s16",
           "log.csv": "in/log.csv"}
    os.symlink("in", scene.path("alias"))
    for operand in ("in", "in/", "./in", "alias", scene.path("in")):
        run = scene.ends(0, *OUT, "--recursive", operand)
        note = "2 files passed over: their endings are not those of known formats"
        scene.check(len(run.lines) == 1 and run.lines[0].endswith(f": {note}"), "the note")
        scene.check_outputs(due, *WINDOW)
        shutil.rmtree(scene.path("out"))
    run = scene.ends(0, *WINDOW, "-q", "--out-dir", "../out", "--recursive", ".",
                     cwd=scene.path("in"))
    scene.check_outputs(due, *WINDOW)
    shutil.rmtree(scene.path("out"))
    scene.ends(0, *OUT, "-q", "--recursive", "--name", "{name}.{ext}", "in/a", "elsewhere/w.wav")
    scene.check_outputs({"x.f32": "in/a/x.wav", "y.f32": "in/a/deep/y.wav",
                         "w.f32": "elsewhere/w.wav"}, *WINDOW)


def walk_and_operands(scene):
    scene.wavs("in/x.wav", "in/a/x.wav", "more/b/x.wav", "one.wav")
    scene.done(*OUT, "--recursive", "one.wav", "in", "more")
    scene.check_outputs({"one.f32": "one.wav", "x.f32": "in/x.wav", "a/x.f32": "in/a/x.wav",
                         "b/x.f32": "more/b/x.wav"}, *WINDOW)


def output_inside_input(scene):
    """The output folder is not searched for inputs, in the first run or the second."""
    scene.wavs("in/x.wav", "in/a/y.wav")
    words = (*WINDOW, "-T", "wav")
    for _ in range(2):
        scene.done(*words, "--out-dir", "in/out", "--recursive", "in")
        scene.check_outputs({"x.wav": "in/x.wav", "a/y.wav": "in/a/y.wav"}, *words, folder="in/out")
    scene.done(*words, "--out-dir", scene.path("in/./out"), "--recursive", "in")
    scene.check(set(scene.tree("in/out")) == {"x.wav", "a/y.wav"}, sorted(scene.tree("in/out")))
    run = scene.ends(2, *words, "--out-dir", "in", "--recursive", "in/.")
    scene.check(run.lines[0].startswith("gpuenv: in/.: is the folder of the outputs"), "not told why")


def folder_without_any(scene):
    scene.wavs("x.wav")
    scene.write("in/notes.md", b"none")
    os.mkdir(scene.path("empty"))
    for folder in ("in", "empty"):
        run = scene.ends(2, *OUT, "--recursive", folder, "x.wav")
        scene.check(any(line.startswith(f"gpuenv: {folder}: ") for line in run.lines), "not named")
        scene.check_outputs({"x.f32": "x.wav"}, *WINDOW)
    run = scene.ends(2, *OUT, "in", "x.wav")
    scene.check(run.lines[0] == "gpuenv: in: is a folder: --recursive takes the files in it, --out-dir DIR their outputs", "a folder without --recursive")
    scene.summary("1 of 2 files failed")


STRANGE = ["new\nline.wav", "quo\"te's.wav", "bad\udcff\udcfeutf.wav", "-dash.wav", "--out-dir.wav",
           " blank .wav", "100%s%n.wav", "{name}.wav", "$(id).wav", "back\\slash.wav", "ta\tb.wav",
           "*.wav", "ünï.wav", "x" * 251 + ".wav"]


def strange_names(scene):
    scene.wavs(*STRANGE)
    due = {f"{name[:-4]}.f32": name for name in STRANGE}
    scene.done(*OUT, "--", *STRANGE)
    scene.check_outputs(due, *WINDOW)
    shutil.rmtree(scene.path("out"))
    listed = b"".join(os.fsencode(name) + b"\0" for name in STRANGE)
    scene.done(*OUT, "--files-from", "-", "-0", feed=listed)
    scene.check_outputs(due, *WINDOW)
    shutil.rmtree(scene.path("out"))
    os.mkdir(scene.path("in"))
    for name in STRANGE:
        os.rename(scene.path(name), scene.path(f"in/{name}"))
    scene.done(*OUT, "--recursive", "in")
    scene.check_outputs({name: f"in/{source}" for name, source in due.items()}, *WINDOW)


def control_characters_in_messages(scene):
    run = scene.ends(2, *OUT, "no\n\x1b[31mred.wav", "gone.wav")
    scene.check("gpuenv: no??[31mred.wav: No such file or directory" in run.lines, "the line")
    for name, shown in (("a\u009b31mb", "a?31mb"), ("a\udc9bb", "a?b"), ("a\u0080\u009fb", "a??b"),
                        ("a\u00a0üb", "a\u00a0üb"), ("a\udce9\udcffb", "a\udce9\udcffb")):
        run = scene.run(*WINDOW, name)
        said = os.fsencode(f"gpuenv: {shown}: No such file or directory")
        scene.check(os.fsencode("\n".join(run.lines)) == said, "not as it should be shown")
        scene.write(name, b"")
        run = scene.ends(0, "--emit", "none", "--stats", "-", "--stats-format", "text", "-t", "f32", name)
        scene.check(run.out.startswith(os.fsencode(f"{shown}\n")), "the table's head")


def name_too_long(scene):
    scene.wavs("x" * 251 + ".wav", "y.wav")
    run = scene.ends(2, *OUT, "--name", "{name}-envelope.{ext}", "x" * 251 + ".wav", "y.wav")
    scene.check("File name too long" in run.lines[0], "why")
    scene.check_outputs({"y-envelope.f32": "y.wav"}, *WINDOW)


def lists(scene):
    """One name per line, literally; operands are added."""
    scene.wavs("a.wav", "b.wav", "-", "-c.wav", "two words.wav", "d.wav")
    due = {"a.f32": "a.wav", "b.f32": "b.wav", "-.f32": "-", "-c.f32": "-c.wav",
           "two words.f32": "two words.wav"}
    listed = b"a.wav\n\nb.wav\n-\n\n\n-c.wav\ntwo words.wav"
    scene.write("list", listed)
    for how in ("file", "fed", "ended by a line feed", "nul"):
        words = ["--files-from", "-"]
        feed = {"fed": listed, "ended by a line feed": listed + b"\n",
                "nul": b"a.wav\0\0b.wav\0-\0-c.wav\0two words.wav\0"}.get(how)
        if how == "file":
            words = ["--files-from=list"]
        if how == "nul":
            words += ["--null"]
        scene.done(*OUT, *words, feed=feed)
        scene.check_outputs(due, *WINDOW)
        shutil.rmtree(scene.path("out"))
    scene.done(*OUT, "--files-from", "list", "d.wav")
    scene.check_outputs({**due, "d.f32": "d.wav"}, *WINDOW)


def lists_that_fail(scene):
    scene.wavs("a.wav")
    run = scene.ends(2, *OUT, "--files-from", "-", feed=b"gone.wav\na.wav\r\na.wav\n")
    scene.check(run.lines[:2].count("gpuenv: gone.wav: No such file or directory") == 1, "gone")
    scene.summary("2 of 3 files failed")
    scene.check_outputs({"a.f32": "a.wav"}, *WINDOW)
    shutil.rmtree(scene.path("out"))
    scene.refused([*OUT, "--files-from", "gone"], "gone: No such file or directory")
    scene.wavs("b.wav")
    scene.write("list", b"a.wav\0b.wav\0")
    scene.refused([*OUT, "--files-from", "list"], "list: ", "-0")
    run = scene.ends(2, *OUT, "--files-from", "-", feed=b"a.wav\0b.wav\0")
    scene.check(len(run.lines) == 1 and "-0" in run.lines[0], "null bytes in a pipe")
    scene.check(not scene.tree(), "work was done")
    for listed in ("/dev/stdin", "/dev/fd/0"):
        run = scene.ends(2, *OUT, "--files-from", "-", listed, feed=b"a.wav\nb.wav\n" * 9)
        scene.check(len(run.lines) == 1 and "--files-from" in run.lines[0], "list and input")
    for listed in (b"", b"\n\n\n"):
        run = scene.ends(0, *OUT, "--files-from", "-", feed=listed)
        scene.check(len(run.lines) == 1, "a list without names: a warning")
        scene.write("list", listed)
        scene.check(len(scene.ends(0, *OUT, "--files-from", "list").lines) == 1, "the same, a file")


def clashes(scene):
    """Two inputs for one output, or an output that is an input: one message, before any work."""
    scene.wavs("a/x.wav", "b/x.wav", "x.wav", "z.wav", "x.wav.wav")
    scene.write("x.s16", floats(99, 1))
    scene.write("list", b"z.wav\na/x.wav\nb/x.wav\n")
    before = scene.tree(".")

    def clash(words, *names):
        scene.refused([*WINDOW, *words], *names)
        scene.check(scene.tree(".") == before, "something was written")

    clash(["--out-dir", "out", "z.wav", "a/x.wav", "b/x.wav"], "a/x.wav", "b/x.wav", "--name '{dir}/{name}.{ext}'")
    clash(["--out-dir", "out", "x.s16", "z.wav", "x.wav"], "x.s16", "x.wav", "--name '{file}.{ext}'")
    run = scene.refused([*WINDOW, "--out-dir", "out", "z.wav", "z.wav"], "z.wav")
    scene.check("--name" not in " ".join(run.lines), "a name for the same file twice")
    clash(["--out-dir", "out", "--name", "same", "z.wav", "x.wav"], "z.wav", "x.wav", "same")
    clash(["--out-dir", "out", "--recursive", "a", "b"], "a/x.wav", "b/x.wav")
    clash(["--out-dir", "out", "--recursive", "x.wav", "b"], "x.wav", "b/x.wav")
    clash(["--out-dir", "out", "--files-from", "list"], "a/x.wav", "b/x.wav")
    clash(["--out-dir", "out", "--files-from", "list", "x.wav"], "x.wav")
    clash(["--out-dir", ".", "-T", "wav", "z.wav"], "z.wav")
    clash(["--out-dir", ".", "--name", "{name}", "x.wav.wav", "x.wav"], "x.wav.wav", "x.wav")
    scene.ends(2, *WINDOW, "-T", "wav", "--out-dir", "a", "--recursive", "a")
    scene.check(scene.tree(".") == before, "something was written")
    scene.done(*OUT, "--name", "{dir}/{name}.{ext}", "a/x.wav", "b/x.wav")
    scene.check_outputs({"a/x.f32": "a/x.wav", "b/x.f32": "b/x.wav"}, *WINDOW)
    scene.done("--out-dir", "files", *WINDOW, "--name", "{file}.{ext}", "x.wav", "x.s16")
    scene.check(scene.tree("files").keys() == {"x.wav.f32", "x.s16.f32"}, "not both have an output")


def clash_by_a_link(scene):
    scene.wavs("in/x.wav", "in/y.wav")
    os.symlink("in", scene.path("out"))
    before = scene.tree("in")
    scene.refused([*OUT, "-T", "wav", "in/x.wav", "in/y.wav"], "x.wav")
    scene.check(scene.tree("in") == before, "an input was written over")


def clashes_in_a_pipe(scene):
    """Names from a pipe are taken as they come: only the later of two fails."""
    scene.wavs("a/x.wav", "b/x.wav", "z.wav")
    run = scene.ends(2, *OUT, "--files-from", "-", feed=b"a/x.wav\nb/x.wav\nz.wav\n")
    scene.check(len(run.lines) == 2 and "b/x.wav" in run.lines[0], "the later one is named")
    scene.summary("1 of 3 files failed")
    scene.check_outputs({"x.f32": "a/x.wav", "z.f32": "z.wav"}, *WINDOW)
    before = scene.tree("a")
    scene.ends(2, *WINDOW, "-T", "wav", "--out-dir", "a", "--files-from", "-", feed=b"a/x.wav\n")
    scene.check(scene.tree("a") == before, "an input was written over")


def outputs_among_inputs_of_a_pipe(scene):
    """With names from a pipe, no output replaces a recording that may be named later."""
    twice = ("--name", "{name}2.wav")
    listed = ("--files-from", "-")

    def fails(feed, *words, line=0, mentions=("--overwrite", "--out-dir"), **how):
        before = scene.tree("x")
        run = scene.ends(2, *WINDOW, *words, feed=feed, **how)
        said = [text for text in run.lines if all(mention in text for mention in mentions)]
        scene.check(len(said) == 1, "not one line with", *mentions)
        after = scene.tree("x")
        scene.check(all(after.get(name) == content for name, content in before.items()), "replaced")
        return run

    def again():
        shutil.rmtree(scene.path("x"), ignore_errors=True)
        shutil.rmtree(scene.path("y"), ignore_errors=True)
        scene.wavs("x/rec.wav", "x/rec2.wav", "elsewhere/rec.wav")

    again()
    fails(b"x/rec.wav\nx/rec2.wav\n", *twice, "--out-dir", "x", *listed)
    scene.summary("1 of 2 files failed")
    scene.check(set(scene.tree("x")) == {"rec.wav", "rec2.wav", "rec22.wav"}, "the other is done")
    # Files that are not named at all, or are operands.
    again()
    fails(b"x/rec.wav\n", *twice, "--out-dir", "x", *listed)
    fails(b"elsewhere/rec.wav\n", *twice, "--out-dir", "x", *listed, "x/rec2.wav")
    fails(b"x/rec.wav\n", "--name", "{dir}/{name}2.wav", "--out-dir", ".", *listed)
    # Links to the folder, to the input, and at the place of the output.
    for before in (lambda: os.symlink("x", scene.path("y")),
                   lambda: (os.mkdir(scene.path("y")),
                            os.symlink("../x/rec2.wav", scene.path("y/rec2.wav")))):
        again()
        before()
        fails(b"x/rec.wav\nx/rec2.wav\n", *twice, "--out-dir", "y", *listed)
        if os.path.islink(scene.path("y")):
            os.unlink(scene.path("y"))
    again()
    os.mkdir(scene.path("y"))
    os.symlink("../x/rec.wav", scene.path("y/rec.wav"))
    fails(b"y/rec.wav\n", *twice, "--out-dir", "x", *listed)
    # Another name of an input, with any ending.
    again()
    shutil.copy(scene.path("x/rec2.wav"), scene.path("x/rec.2"))
    os.mkdir(scene.path("y"))
    os.link(scene.path("x/rec.2"), scene.path("y/rec2.wav"))
    fails(b"x/rec.wav\nx/rec.2\n", "--name", "{name}2.wav", "--out-dir", "y", *listed)
    again()
    # Outputs of this run are not inputs.
    os.unlink(scene.path("x/rec2.wav"))
    fails(b"x/rec.wav\nx/rec2.wav\n", *twice, "--out-dir", "x", "--jobs", "1", *listed,
          mentions=("x/rec2.wav: is an output of this run", "--out-dir"))
    # Still allowed: endings that cannot be read, other folders, and --overwrite.
    again()
    for _ in range(2):
        scene.done("--zoom", "50", "--out-dir", "x", "-T", "dat", *listed, feed=b"x/rec.wav\n")
        scene.done(*OUT, *twice, *listed, feed=b"x/rec.wav\nx/rec2.wav\n")
        scene.done(*WINDOW, *twice, "--out-dir", "x", *listed, "--overwrite", feed=b"x/rec.wav\n")
    _, due = scene.single("x/rec.wav", "due.wav", *WINDOW)
    scene.check(scene.read("x/rec2.wav") == due, "not replaced with --overwrite")
    scene.done(*WINDOW, *twice, "--out-dir", "x", "--overwrite", "--jobs", "1", *listed,
               feed=b"x/rec.wav\nx/rec2.wav\n")


def operands_and_a_pipe(scene):
    """An operand's output is known before the names in the pipe."""
    scene.wavs("a/x.wav", "b/x.wav")
    run = scene.ends(2, *OUT, "--files-from", "-", "a/x.wav", feed=b"b/x.wav\n")
    scene.check("b/x.wav" in run.lines[0], "the later one is named")
    scene.check_outputs({"x.f32": "a/x.wav"}, *WINDOW)


def outputs_that_are_one_file(scene):
    """Two names of one file, by a link or a file system that ignores case: the later one fails."""
    scene.wavs("a.wav", "b.wav")
    os.mkdir(scene.path("out"))
    os.symlink("a.f32", scene.path("out/b.f32"))
    for words in ((), ("--skip-existing",)):
        for older in (False, True):
            if os.path.exists(scene.path("out/a.f32")):
                os.unlink(scene.path("out/a.f32"))
            if older and not words:
                scene.write("out/a.f32", b"older")
            run = scene.ends(2, *OUT, "--jobs", "1", *words, "b.wav", "a.wav")
            scene.check("is the output of another input, too" in run.lines[0], "not told")
            scene.summary("1 of 2 files failed")
            due = [scene.single(name, "x", *WINDOW)[1] for name in ("a.wav", "b.wav")]
            scene.check(scene.read("out/a.f32") in due, "neither output")
    # Two older names of one file become two files.
    os.unlink(scene.path("out/b.f32"))
    os.link(scene.path("out/a.f32"), scene.path("out/b.f32"))
    scene.done(*OUT, "a.wav", "b.wav")
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, *WINDOW)


def skip_existing(scene):
    names = ["a.wav", "b.wav", "c.wav", "d.wav"]
    scene.wavs(*names)
    scene.write("out/b.f32", b"older")
    scene.write("out/d.f32", b"older")
    run = scene.ends(0, *OUT, "--skip-existing", *names)
    scene.check(len(run.lines) == 1, "one note")
    scene.summary("2 of 4 files were there already")
    for name in ("b.f32", "d.f32"):
        scene.check(scene.read(f"out/{name}") == b"older", "an output that exists was made again")
        os.unlink(scene.path(f"out/{name}"))
    run = scene.ends(0, *OUT, "--skip-existing", "-n", *names)
    scene.summary("2 of 4 files were there already")
    scene.check_outputs({f"{name[0]}.f32": name for name in names}, *WINDOW)
    scene.done(*OUT, "-q", "--skip-existing", *names)
    os.mkdir(scene.path("out/a.wav"))
    run = scene.ends(2, *OUT, "--skip-existing", "--name", "{name}.wav", *names[:2])
    scene.check(run.lines[0] == "gpuenv: out/a.wav: Is a directory", "a folder is no output")
    scene.summary("1 of 2 files failed")
    # Inputs whose outputs exist are not read again.
    os.unlink(scene.path("a.wav"))
    os.unlink(scene.path("b.wav"))
    scene.ends(0, *OUT, "--skip-existing", *names)
    scene.summary("4 of 4 files were there already")


def no_clobber(scene):
    scene.wavs("a.wav", "b.wav", "c.wav")
    for option in ("-n", "--no-clobber"):
        scene.write("out/b.f32", b"older")
        run = scene.ends(2, *OUT, option, "a.wav", "b.wav", "c.wav")
        scene.check(len(run.lines) == 2 and "out/b.f32" in run.lines[0], "b.f32 is named")
        scene.summary("1 of 3 files failed")
        scene.check(scene.read("out/b.f32") == b"older", "an output that exists was touched")
        scene.check(len(scene.tree()) == 3, "the others are made")
        shutil.rmtree(scene.path("out"))
    scene.write("one.f32", b"older")
    scene.refused([*WINDOW, "-n", "a.wav", "-o", "one.f32"], "one.f32")
    scene.check(scene.read("one.f32") == b"older", "-o, -n: touched")
    scene.done(*WINDOW, "-n", "a.wav", "-o", "two.f32")
    scene.check(scene.read("two.f32") == scene.single("a.wav", "a.f32", *WINDOW)[1], "-o, -n")
    scene.write("out/a.f32", b"older")
    scene.done(*OUT, "a.wav", "b.wav")
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, *WINDOW)


def output_folder(scene):
    """Made with its parents; a path that is not a folder is an error before any work."""
    scene.wavs("a.wav")
    scene.done(*WINDOW, "--out-dir", "new/and/deep/", "a.wav")
    scene.check_outputs({"a.f32": "a.wav"}, *WINDOW, folder="new/and/deep")
    scene.write("file", b"older")
    os.symlink("nowhere", scene.path("dangling"))
    before = sorted(os.listdir(scene.folder))
    for folder in ("file", "file/below", "dangling"):
        scene.refused([*WINDOW, "--out-dir", folder, "a.wav", "gone.wav"], folder.split("/")[0])
        scene.check(sorted(os.listdir(scene.folder)) == before, "work was done")
    scene.write("out/sub", b"older")
    scene.wavs("sub/x.wav", "b.wav")
    scene.ends(2, *OUT, "--name", "{dir}/{name}.{ext}", "sub/x.wav", "b.wav")
    scene.summary("1 of 2 files failed")
    scene.check(set(scene.tree()) == {"sub", "b.f32"}, "a file where a folder is due")


def usage(scene):
    scene.wavs("a.wav", "b.wav")
    scene.write("list", b"a.wav\n")
    for words in (["a.wav", "b.wav"], ["a.wav", "b.wav", "-o", "c.f32"], ["--files-from", "list"],
                  ["--recursive", "."]):
        scene.wrong([*WINDOW, *words], "--out-dir")
    for words, mention in ((["a.wav", "-o", "x.f32"], "-o"), (["a.wav", "--shard", "1/2"], "--shard"),
                           ([], "--out-dir"), (["-0", "a.wav"], "-0"), (["-"], "-"),
                           (["a.wav", "-"], "/dev/stdin"), (["--jobs", "0", "a.wav"], "--jobs"),
                           (["--jobs", "two", "a.wav"], "--jobs"), (["-T", "foo", "a.wav", "b.wav"], "foo"),
                           (["--recursive"], "--out-dir")):
        scene.wrong([*OUT, *words], mention)
    for words in (["--name", "{name}.wav"], ["--jobs", "2"], ["--skip-existing"], ["--fail-fast"], ["--overwrite"]):
        scene.wrong([*WINDOW, *words, "a.wav"], words[0])
    scene.wrong(["--out-dir", "out", "a.wav", "b.wav"], "-w")
    scene.wrong([*OUT, "--recursive", "--files-from", "list"], "--recursive")


def device_that_is_not_there(scene):
    """Reported before any work, and once."""
    scene.wavs("a.wav", "b.wav")
    if scene.run(*WINDOW, "--device", "cuda:999", "a.wav").status != 3:
        raise Skipped("there are 1000 devices")
    run = scene.ends(3, *OUT, "--device", "cuda:999", "a.wav", "b.wav")
    scene.check(len(run.lines) == 1, "one line")
    scene.check(not scene.there("out") or not scene.tree(), "work was done")


play()
