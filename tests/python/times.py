# SPDX-License-Identifier: MIT
"""Windows of time over arrays, against pandas and against a loop.

    times.py PACKAGE_DIR [CASES]
"""

import datetime
import fractions

from package import *
from harness import argument, check, finish, needed_modules

with needed_modules():
    import pandas

CASES = argument(2, 200)
rng = np.random.default_rng(1)
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def loop(x, times, width, center, omit):
    """Of integers. The extremes along the last axis."""
    lo, hi = np.empty(x.shape), np.empty(x.shape)
    for k, at in enumerate(times):
        inside = (2 * times > 2 * at - width) & (2 * times <= 2 * at + width) if center else \
            (times > at - width) & (np.arange(len(times)) <= k)
        cells = x[..., inside].astype(float)
        with np.errstate(all="ignore"):
            lo[..., k] = np.fmin.reduce(cells, -1) if omit else cells.min(-1)
            hi[..., k] = np.fmax.reduce(cells, -1) if omit else cells.max(-1)
    return lo, hi


for case in range(CASES):
    n = int(rng.choice([0, 1, 2, 30, 400]))
    shape = [(n,), (3, n), (2, 3, n)][case % 3]
    kind = rng.choice(["f8", "f4", "i2", "u8", "f2"])
    x = rng.integers(0, 50, shape).astype(kind)
    if x.dtype.kind == "f":
        x[rng.random(shape) < 0.1] = np.nan
    numbers = np.cumsum(rng.integers(0, 9, n)) + int(rng.integers(-100, 100))
    width = int(rng.choice([1, 2, 7, 60, 10**6]))
    center, omit = bool(rng.random() < 0.4), bool(rng.random() < 0.5)
    named = {"align": "center"} if center else {} if rng.random() < 0.5 else {"align": "causal"}
    due = loop(x, numbers, width, center, omit) if n else (x.astype(float), x.astype(float))
    unit = str(rng.choice(list(UNITS)))
    ways = {
        "integers": (numbers, width),
        "a list": (numbers.tolist(), np.int16(width % 30000) if width < 30000 else width),
        "floats": (numbers / 8, width / 8),
        "datetime64": (numbers.astype(f"M8[{unit}]"), np.timedelta64(width, unit)),
        "a string": (numbers.astype("M8[s]"), f"{width}s"),
        "minutes": (numbers.astype("M8[m]"), datetime.timedelta(minutes=width)),
        "coarse times": ((numbers * 1000).astype("M8[s]"), f"{width * 10**6} ms"),
        "pandas": (pandas.DatetimeIndex(numbers.astype("M8[s]"), tz="Europe/Berlin"), pandas.Timedelta(width, "s")),
        "a series": (pandas.Series(numbers.astype("M8[s]")).dt.tz_localize("UTC"), f"{width}s"),
        "a series of objects": (pandas.Series(numbers.astype("M8[s]")).dt.tz_localize("UTC").astype(object), f"{width}s"),
        "datetimes": (numbers.astype("M8[s]").astype("O"), f"{width}s"),
        "timedeltas": (numbers.astype("m8[s]").astype("O"), datetime.timedelta(seconds=width)),
        "decimals": (numbers * 0.001, width * 0.001),
        "epoch milliseconds": (1.7e12 + numbers / 4, width / 4),
        "nothing finer": (numbers * 2.0**-1060, width * 2.0**-1060),
    }
    for way, (times, w) in ways.items():
        y = np.moveaxis(x, -1, 0) if case % 2 else x
        got = gpuenv.minmax(y, w, axis=0 if case % 2 else -1, times=times, nan="omit" if omit else "propagate", **named)
        got = [np.moveaxis(one, 0, -1) if case % 2 else one for one in got]
        check(all(one.dtype == x.dtype and np.array_equal(one.astype(float), other, equal_nan=True)
                  for one, other in zip(got, due)), f"{case}: {way}, {shape} {kind}, w={w!r}")
    if n and x.ndim == 1 and x.dtype == "f8" and omit:
        series = pandas.Series(x, pandas.DatetimeIndex(numbers.astype("M8[s]")))
        rolling = series.rolling(f"{width}s", center=center)
        check(np.array_equal(rolling.min(), due[0], equal_nan=True), f"{case}: pandas' rolling()")

# ---- floats are exact

for scale in (1e-300, 1e-9, 1, 1e5, 1e9, 1e12, 1e300):
    times = np.sort(rng.uniform(1, 2, 50)) * scale
    exact = [fractions.Fraction(time) for time in times]
    for first, last in rng.integers(0, 50, (20, 2)):
        w = abs(times[last] - times[first]) or times[1] - times[0]
        due = [sum(at - one < fractions.Fraction(w) for one in exact[: k + 1]) for k, at in enumerate(exact)]
        got = np.arange(1.0, 51) - gpuenv.minimum(np.arange(50.0), w, times=times)
        check(got.tolist() == due, "floats", scale, w)
check(gpuenv.minimum(np.arange(5.0), 1e-9, times=np.arange(5) * 4e-10).tolist() == [0, 0, 0, 1, 2], "finer than 1e-9")
check(gpuenv.minimum(np.arange(3.0), np.inf, times=[1e-9, 1e-5, 1.5]).tolist() == [0, 0, 0], "a window of all")

# ---- pandas

index = pandas.DatetimeIndex(np.cumsum(rng.integers(0, 90, 500)).astype("M8[s]"))
frame = pandas.DataFrame({"a": rng.normal(size=500), "b": rng.integers(0, 99, 500)}, index)
frame.loc[rng.random(500) < 0.2, "a"] = np.nan
for w in ("5min", "90s", pandas.Timedelta(1, "s"), datetime.timedelta(hours=1), pandas.offsets.Minute(7)):
    for need in (None, 0, 1, 3):
        due = frame.rolling(w, min_periods=need)
        pandas.testing.assert_frame_equal(gpuenv.rolling_min(frame, w, need), due.min())
        pandas.testing.assert_frame_equal(gpuenv.rolling_max(frame, w, need), due.max())
        pandas.testing.assert_series_equal(gpuenv.rolling_max(frame["b"], w, need), frame["b"].rolling(w, need).max())
check(True, "rolling_min")
check_refused("pandas", globals())

# ---- out, and what is refused

x = np.array([3.0, 1, 4, 1, 5])
t = np.array([0, 1, 2, 10, 11])
out = np.empty(5)
check(gpuenv.maximum(x, 3, times=t, out=out) is out and out.tolist() == [3, 3, 4, 1, 5], "out")
check(gpuenv.ptp(x, 3, times=t, align="center").tolist() == [2, 3, 3, 4, 4], "ptp")
day = t.astype("M8[D]")
dates = day.tolist()
for times in (dates, [one - dates[0] for one in dates], [pandas.Timestamp(one, tz="Europe/Berlin") for one in dates]):
    check(gpuenv.maximum(x, "3D", times=times).tolist() == [3, 3, 4, 1, 5], "a list", times[0])
check_refused("times", globals())
odd = gpuenv._times.read_times(np.frombuffer(bytes(41), "i8", offset=1), 3, 5)[0]
check(odd.flags.aligned, "times at odd addresses are moved")
for w, at in itertools.product(("1s", "1500ms", "1ns"), (0, 2, 4)):
    times = day.astype("M8[s]")
    times[at] = "NaT"
    check("NaT" in raises(ValueError, gpuenv.minmax, x, w, times=times), f"NaT at {at}, {w}")
finish()
