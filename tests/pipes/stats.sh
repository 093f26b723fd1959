#!/bin/bash
# --stats against `sox FILE -n stats`, on real sounds: stats.sh PROGRAM
set -eu

program=$1
if ! command -v sox >/dev/null; then
    echo "no sox"
    exit 77
fi
shopt -s nullglob
sounds=(/usr/share/sounds/alsa/*.wav)
if [ "${#sounds[@]}" -eq 0 ]; then
    echo "no sounds: install alsa-utils"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for sound in "${sounds[@]}"; do
    sox "$sound" -n stats -s 1 2>"$work/sox"
    "$program" --emit none --stats - --stats-format tsv "$sound" >"$work/ours"
    # sox prints levels to six places and decibels to two.
    awk -v name="$sound" '
        function decibels(x) { return 20 * log(x) / log(10) }
        function near(what, a, b, error) {
            if (a - b > error || b - a > error) {
                print name ": " what ": " a ", but sox says " b
                exit 1
            }
        }
        NR == FNR && /^DC offset/ { offset = $3 }
        NR == FNR && /^Min level/ { least = $3 }
        NR == FNR && /^Max level/ { most = $3 }
        NR == FNR && /^Pk lev dB/ { peak = $4 }
        NR == FNR && /^RMS lev dB/ { level = $4 }
        NR != FNR && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR != FNR && FNR == 2 {
            records++
            near("mean", $at["mean"], offset, 1e-6)
            near("min", $at["min"], least, 1e-6)
            near("max", $at["max"], most, 1e-6)
            near("peak", decibels($at["abs"]), peak, 0.006)
            near("rms", decibels($at["rms"]), level, 0.006)
        }
        END { if (records != 1) { print name ": " records " records"; exit 1 } }
    ' "$work/sox" "$work/ours" || failed=1
done
echo "${#sounds[@]} sounds"
exit "$failed"
