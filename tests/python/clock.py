# SPDX-License-Identifier: MIT
"""Windows of the clock, zoom(series, '1h'), against a walk along the clock, and against pandas' resample().

    clock.py PACKAGE_DIR [CASES]
"""

import datetime
import zoneinfo

from package import *
from harness import argument, check, finish, needed_modules

with needed_modules():
    import pandas

CASES = argument(2, 60)
rng = np.random.default_rng(3)
UTC = datetime.timezone.utc
MINUTE = datetime.timedelta(minutes=1)
# Around changes of the clock: by an hour, by half an hour, at midnight and to it, back from a new day to the old one, over a
# whole day.
CHANGES = [
    ("Europe/Berlin", "2026-03-29"), ("Europe/Berlin", "2026-10-25"), ("America/New_York", "2026-11-01"),
    ("Australia/Lord_Howe", "2026-04-04"), ("Australia/Lord_Howe", "2026-10-03"), ("America/Santiago", "2023-09-03"),
    ("America/Santiago", "2024-04-07"), ("America/St_Johns", "1990-10-28"), ("Pacific/Apia", "2011-12-30"),
    ("America/Havana", "2026-11-01"), ("Asia/Kathmandu", "2026-01-01"), (None, "2026-03-01"),
]  # fmt: skip
# Of pandas, with closed="left", label="left".
SAME = {"1h": "h", "1d": "D", "1w": "W-MON", "1mo": "MS", "3mo": "QS", "1y": "AS"}
DAYS = {"1w": 8, "1mo": 32, "3mo": 93, "1y": 367}
NUMBER = {
    "1w": lambda day: (day.toordinal() - 1) // 7, "1mo": lambda day: day.year * 12 + day.month,
    "3mo": lambda day: (day.year * 12 + day.month - 1) // 3, "1y": lambda day: day.year,
}  # fmt: skip
EMITS = ["min", "max", "mean", "count"]


def walk(index, n, zone):
    """Where windows begin, minute by minute: the first that begins no later than the first row, to that of the last row."""
    clock = UTC if zone is None else zoneinfo.ZoneInfo(zone)
    length = None if n in NUMBER else pandas.Timedelta(n)
    first, last = (moment.to_pydatetime() for moment in (index[0], index[-1]))
    at = first.astimezone(UTC).replace(second=0, microsecond=0) - (datetime.timedelta(days=DAYS[n]) if n in DAYS else 2 * length)
    at, step = (at, MINUTE) if length is not None else (at.replace(minute=0), 15 * MINUTE)
    borders, before = [], None
    while at <= last:
        shown = at.astimezone(clock)
        if length is None:
            window = NUMBER[n](shown)
        else:
            window = (shown.replace(tzinfo=UTC) - datetime.datetime(1970, 1, 1, tzinfo=UTC)) // length
        if length is not None and length < datetime.timedelta(days=1):
            window = (window, shown.utcoffset())
        elif before is not None:
            window = max(window, before)
        if window != before:
            borders.append(at)
        at, before = at + step, window
    return borders[sum(border <= first for border in borders) - 1 :]


def draw_series(zone, day, rows, step):
    middle = pandas.Timestamp(day).value // 10**9
    moments = np.sort(middle + rng.integers(-rows * step // 2, rows * step // 2, rows))
    index = pandas.DatetimeIndex(moments.astype("M8[s]"), name="at")
    index = index.tz_localize("UTC").tz_convert(zone) if zone else index
    values = rng.normal(size=rows)
    values[rng.random(rows) < 0.1] = np.nan
    return pandas.Series(values, index, name="level")


def moments_of(index):
    return index.values.astype("M8[ns]").view("i8")


for case in range(CASES):
    zone, day = CHANGES[case % len(CHANGES)]
    whole_days = case < len(CHANGES)
    n = "1d" if whole_days else ["10min", "1h", "6h", "90min", "1d", "2d", "36h", *NUMBER][case % 11]
    size = (400, 700) if whole_days else (int(rng.choice([1, 2, 50, 400])), int(rng.choice([60, 700, 3600])))
    series = draw_series(zone, day, *size)
    words = (case, zone, n, len(series))
    utc = series.index.tz_localize("UTC") if zone is None else series.index.tz_convert("UTC")
    borders = [pandas.Timestamp(border) for border in walk(utc, n, zone)]
    got = gpuenv.zoom(series, n, emit=EMITS)
    labels = got[0].index
    check(all(one.index.equals(labels) and one.name == "level" for one in got) and labels.name == "at", *words)
    check(str(labels.tz) == str(series.index.tz), labels.tz, *words)
    check(moments_of(labels).tolist() == [border.value for border in borders], labels, borders, *words)
    rows = np.searchsorted(moments_of(series.index), moments_of(labels), "left").tolist() + [len(series)]
    for k, (begin, end) in enumerate(zip(rows, rows[1:])):
        due = gpuenv.stats(series.to_numpy()[begin:end])
        due = (due.min, due.max, due.mean, due.size - due.nans)
        check(same(np.array([one.iloc[k] for one in got]), np.array(due, float)), k, due, *words)

late = pandas.Series([1.0], pandas.DatetimeIndex(["1990-10-28 02:45"], tz="UTC").tz_convert("America/St_Johns"))
check(gpuenv.zoom(late, "1d", emit="max").index[0].isoformat() == "1990-10-28T00:00:00-02:30", "the clock has shown the day")

# ---- what pandas makes of the same windows

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Sydney", "America/Santiago", "Asia/Kathmandu", None]
WORDS = "min max mean count std first last abs range absmax ptp".split()
OWN = {"abs": lambda of: np.maximum(of.min().abs(), of.max().abs()), "range": lambda of: of.max() - of.min()}
OWN.update({"absmax": OWN["abs"], "ptp": OWN["range"]})

for zone, (n, rule) in itertools.product(ZONES[:6 if CASES > 100 else 1], SAME.items()):
    hours = rng.integers(0, 9000 if n != "1h" else 900, 3000 if n != "1h" else 500)
    index = pandas.Timestamp("2026-03-20", tz="UTC") + pandas.to_timedelta(np.sort(hours), "h")
    index = index.tz_localize(None) if zone is None else index.tz_convert(zone)
    x = rng.normal(size=len(index))
    x[rng.random(len(index)) < 0.1] = np.nan
    frame = pandas.DataFrame({"a": x, "b": rng.integers(-9, 9, len(index)), "c": x.astype("f4")}, index)
    for word in WORDS:
        resampled = frame.resample(rule, closed="left", label="left")
        due = OWN[word](resampled) if word in OWN else getattr(resampled, word)()
        got = gpuenv.zoom(frame, n, emit=word)
        check(got.index.equals(due.index) and str(got.index.tz) == str(due.index.tz), zone, n, word, got.index, due.index)
        close = {"rtol": 1e-5, "atol": 1e-6} if word not in ("min", "max", "first", "last", "count") else {"rtol": 0, "atol": 0}
        check(np.allclose(got, due, equal_nan=True, **close), zone, n, word, got, due)
        if word in ("min", "max"):
            check((got.dtypes == due.dtypes).all(), zone, n, word, got.dtypes, due.dtypes)
        check((got["a"] == gpuenv.zoom(frame["a"], n, emit=word)).sum() == got["a"].notna().sum(), zone, n, word, "a column")
whole = pandas.Series(np.arange(48, dtype="i2"), pandas.date_range("2026-01-01", periods=48, freq="h"))
for got, due in zip(gpuenv.zoom(whole, datetime.timedelta(days=1)), ([0, 24], [23, 47])):
    check(got.dtype == "i2" and got.tolist() == due, got)
check(gpuenv.zoom(whole, "20000d", emit="max").index[0].isoformat() == "2024-10-04T00:00:00", "longer than all")
check(gpuenv.zoom(whole, "1d", emit="argmax", threads=1).tolist() == [23, 47], "positions are those of rows")
gaps = whole.drop(whole.index[5:30])
check(gpuenv.zoom(gaps, "6h", emit="argmin,count")[0].tolist() == [0, -1, -1, -1, -1, 5, 11, 17], "and -1 without rows")
check(gpuenv.zoom(gaps, "6h", emit="count").tolist() == [5, 0, 0, 0, 0, 6, 6, 6], gpuenv.zoom(gaps, "6h", emit="count"))
check(gpuenv.zoom(gaps.astype("f8").replace(30.0, np.nan), "6h", emit="min", nan="propagate").isna().tolist() == [0, 1, 1, 1, 1, 1, 0, 0], "nan")
for name, length in {"MS": "1mo", "QS": "3mo", "YS": "1y"}.items():
    check(gpuenv.zoom(whole, name, emit="max").equals(gpuenv.zoom(whole, length, emit="max")), "a name of pandas", name)
for got in gpuenv.zoom(whole[:0], "1mo", emit="min,count"):
    check(len(got) == 0 and isinstance(got.index, pandas.DatetimeIndex), got)
Mine = type("Mine", (pandas.DataFrame,), {"_constructor": property(lambda self: Mine)})
twice = Mine({0: whole, 1: whole}).set_axis(["x", "x"], axis=1)
check(type(gpuenv.zoom(twice, "1d", emit="max")) is Mine, "a subclass")
check(gpuenv.zoom(twice, "1d", emit="max").columns.tolist() == ["x", "x"], "columns of the same name")
check_refused("zoom", globals())
finish()
