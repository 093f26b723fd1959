# SPDX-License-Identifier: MIT
"""The records of --stats by the words of the manual: extremes and their places by numpy, sums by the summation tree."""

import math

import numpy

LEAF = 4096
LANES = 32
NAMES = ["frame", "frames", "min", "argmin", "max", "argmax", "abs", "argabs", "sum",
         "mean", "rms", "nan", "peak_db", "rms_db", "clipped", "clipped_at", "column"]


def tree_sums(rows):
    """The summation tree of each row, by the manual's words."""
    count, length = rows.shape
    # A leaf that is shorter is filled up to whole steps: a sum that begins as +0 is not changed by zeros.
    leaf = LEAF if length > LEAF else max(1, -(-length // LANES)) * LANES
    leaves = max(1, -(-length // leaf))
    padded = numpy.zeros((count, leaves * leaf))
    padded[:, :length] = rows
    lanes = numpy.zeros((count, leaves, LANES))
    steps = padded.reshape(count, leaves, leaf // LANES, LANES)
    for step in range(leaf // LANES):
        lanes = lanes + steps[:, :, step]
    while lanes.shape[2] > 1:
        half = lanes.shape[2] // 2
        lanes = lanes[:, :, :half] + lanes[:, :, half:]
    nodes = lanes[:, :, 0]
    while nodes.shape[1] > 1:
        if nodes.shape[1] % 2:
            nodes = numpy.append(nodes, numpy.zeros((count, 1)), axis=1)
        nodes = nodes[:, 0::2] + nodes[:, 1::2]
    return nodes[:, 0]


def tree_sum(values):
    return float(tree_sums(values[numpy.newaxis])[0])


def joined(left, right):
    """Count, mean, and squares of the deviations of the numbers of both."""
    count, apart = left[0] + right[0], right[1] - left[1]
    with numpy.errstate(all="ignore"):
        both = numpy.stack([count, left[1] + apart * (right[0] / count),
                            left[2] + right[2] + apart * apart * (left[0] * (right[0] / count))])
    return numpy.where(left[0] == 0, right, numpy.where(right[0] == 0, left, both))


def deviations(rows):
    """Count, mean and squares of each row, NaN left out: two passes over blocks of 32, which are joined in pairs."""
    length = max(1, -(-rows.shape[1] // 32)) * 32
    padded = numpy.full((len(rows), length), numpy.nan)
    padded[:, :rows.shape[1]] = rows
    lost = numpy.isnan(padded)
    order = numpy.argsort(lost, axis=1, kind="stable")
    blocks = numpy.take_along_axis(padded, order, axis=1).reshape(len(rows), -1, 32)
    count = (~lost).sum(axis=1)[:, None].clip(32 * numpy.arange(length // 32), 32 * numpy.arange(1, length // 32 + 1))
    count = (count - 32 * numpy.arange(length // 32)).astype("f8")
    mean, squares = numpy.zeros((2, *count.shape))
    with numpy.errstate(all="ignore"):
        for i in range(32):
            mean += numpy.where(i < count, blocks[:, :, i] - blocks[:, :, 0], 0)
        mean = numpy.where(count > 0, blocks[:, :, 0] + mean / count, 0)
        for i in range(32):
            squares += numpy.where(i < count, (blocks[:, :, i] - mean) * (blocks[:, :, i] - mean), 0)
    nodes = numpy.stack([count, mean, squares])
    while nodes.shape[2] > 1:
        if nodes.shape[2] % 2:
            nodes = numpy.concatenate([nodes, numpy.zeros((3, len(rows), 1))], axis=2)
        nodes = joined(nodes[:, :, 0::2], nodes[:, :, 1::2])
    return nodes[:, :, 0]


def keys(samples):
    """Integers in the order of the samples, -0 below +0."""
    if samples.dtype.kind in "iu":
        return samples
    bits = samples.view(f"i{samples.itemsize}")
    return numpy.where(bits < 0, bits ^ numpy.iinfo(bits.dtype).max, bits)


def magnitudes(samples):
    """Unsigned integers in the order of the magnitudes of the samples."""
    if samples.dtype.kind == "f":
        bits = samples.view(f"u{samples.itemsize}")
        return bits & numpy.iinfo(f"i{samples.itemsize}").max
    return samples if samples.dtype.kind == "u" else numpy.abs(samples).view("u8")


def number(sample, unit):
    """As a record has it: integers that keep their value are integers."""
    if isinstance(sample, numpy.floating):
        return sample
    return int(sample) if unit == 1 else int(sample) * unit


def decibels(level):
    return 20 * math.log10(level) if level > 0 else -math.inf


def due(samples, first, channel, unit, ends):
    """The record of a block of one channel. The unit is that of integers, the ends are full scale."""
    numbers = ~numpy.isnan(samples)
    count = int(numbers.sum())
    record = dict.fromkeys(NAMES)
    record.update(frame=first, frames=len(samples), column=f"ch{channel + 1}", nan=len(samples) - count)
    if ends is not None:
        clipped = numpy.flatnonzero((samples <= ends[0]) | (samples >= ends[1]))
        record.update(clipped=len(clipped), clipped_at=first + int(clipped[0]) if len(clipped) else None)
    with numpy.errstate(all="ignore"):
        doubles = numpy.where(numbers, samples, samples.dtype.type(0)).astype(numpy.float64) * unit
        record["sum"] = tree_sum(doubles)
        squares = tree_sum(doubles * doubles)
    if count == 0:
        return record
    places = numpy.flatnonzero(numbers)
    low, high, most = (values[places] for values in (keys(samples), keys(samples), magnitudes(samples)))
    for name, at in (("min", low.argmin()), ("max", high.argmax()), ("abs", most.argmax())):
        place = int(places[at])
        record["arg" + name] = first + place
        record[name] = number(samples[place], unit)
    record["abs"] = abs(record["abs"])
    record["mean"] = record["sum"] / count
    record["rms"] = math.sqrt(squares / count)
    record["peak_db"] = decibels(float(record["abs"]))
    record["rms_db"] = decibels(record["rms"])
    return record


def same_number(value, wanted):
    if value is None or wanted is None or (isinstance(wanted, float) and math.isnan(wanted)):
        return value is None and (wanted is None or math.isnan(wanted))
    if isinstance(wanted, numpy.floating):
        value = type(wanted)(value)
        return value == wanted and numpy.signbit(value) == numpy.signbit(wanted)
    return value == wanted and (isinstance(value, int) or not isinstance(wanted, int))
