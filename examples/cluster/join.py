#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks the parts of a folder, and joins them: join.py K FOLDER OUTPUT

All K parts have to be there, of one and the same input, each as long as its report says, and one
behind the other. If anything is wrong, each part at fault is named, the numbers of those that are
to be done again are printed, nothing is written, and the exit status is 1."""

import json
import os
import shutil
import sys

# In these all parts agree: they are of one whole.
WHOLE = ["version", "input_size", "input_mtime", "input_frames", "outputs", "shards", "channels",
         "width", "hop", "output_container", "output_encoding"]

# What can be joined as it is. Others have a header that tells the length of the one part.
JOINABLE = ["raw", "csv", "tsv", "txt"]


def read_part(folder, number, count):
    """The report of a part, and its file."""
    name = os.path.join(folder, f"part.{number:0{len(str(count))}}-of-{count}")
    try:
        with open(name + ".json", encoding="utf-8") as file:
            report = json.load(file)
        size = os.stat(name + ".f32").st_size
    except FileNotFoundError:
        raise ValueError("is not there") from None
    if report["status"] != 0:
        raise ValueError(f"has failed: {report['error']}")
    if (report["shard"], report["shards"]) != (number, count):
        raise ValueError(f"is part {report['shard']} of {report['shards']}")
    if report["output_container"] not in JOINABLE:
        raise ValueError(f"is a whole {report['output_container']} file, which cannot be joined to "
                         "others: write raw frames into another folder, and convert the whole")
    if size != report["out_bytes"]:
        raise ValueError(f"has {size} bytes, and should have {report['out_bytes']}")
    if report["out_frames"] != report["next_output"] - report["first_output"]:
        raise ValueError(f"has {report['out_frames']} frames of its "
                         f"{report['next_output'] - report['first_output']}")
    return report, name + ".f32"


def check_whole(reports, faults):
    """Are the parts of one whole? What most parts say is right."""
    rest = {number: report for number, report in reports.items() if number not in faults}
    said = [tuple(report[word] for word in WHOLE) for report in rest.values()]
    whole = max(said, key=said.count, default=())
    for number, report in rest.items():
        for word, due in zip(WHOLE, whole):
            if report[word] != due and number not in faults:
                faults[number] = f"has {word} {report[word]}, and others have {due}"


def check_input(reports, faults):
    """Where the input can be seen from here, it is still what the parts were made of."""
    for number, report in reports.items():
        try:
            status = os.stat(report["input"])
        except OSError:
            continue
        seconds, fraction = report["input_mtime"].split(".")
        made_of = report["input_size"], int(seconds) * 10**9 + int(fraction)
        if made_of != (status.st_size, status.st_mtime_ns):
            faults[number] = f"{report['input']} has changed since"


def check_ranges(reports, count, faults):
    """Each part begins where the one before it ends."""
    due = 0
    for number in range(1, count + 1):
        if reports[number]["first_output"] != due:
            faults[number] = f"begins with frame {reports[number]['first_output']}, not {due}"
        due = reports[number]["next_output"]
    if due != reports[count]["outputs"]:
        faults[count] = f"ends before frame {due}, and the whole before {reports[count]['outputs']}"


def join(files, output):
    """The output appears whole or not at all."""
    unfinished = f"{output}.{os.getpid()}.unfinished"
    try:
        with open(unfinished, "wb") as whole:
            for name in files:
                with open(name, "rb") as part:
                    shutil.copyfileobj(part, whole, 1 << 20)
            whole.flush()
            os.fsync(whole.fileno())
        os.replace(unfinished, output)
    except BaseException:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        raise


def main():
    if len(sys.argv) != 4 or not sys.argv[1].isdecimal() or int(sys.argv[1]) == 0:
        sys.exit("usage: join.py K FOLDER OUTPUT")
    count, folder, output = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    reports, files, faults = {}, [], {}
    for number in range(1, count + 1):
        try:
            reports[number], file = read_part(folder, number, count)
            files.append(file)
        except KeyError as error:
            faults[number] = f"has a report without {error}"
        except ValueError as error:
            faults[number] = str(error)
    check_input(reports, faults)
    check_whole(reports, faults)
    if not faults:
        check_ranges(reports, count, faults)
    for number, fault in sorted(faults.items()):
        print(f"join.py: part {number} of {count}: {fault}", file=sys.stderr)
    if faults:
        print("to do again:", ",".join(str(number) for number in sorted(faults)), file=sys.stderr)
        return 1
    join(files, output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
