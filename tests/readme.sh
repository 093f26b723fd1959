#!/bin/bash
# SPDX-License-Identifier: MIT
# Types the commands of the pages at a terminal: readme.sh GPUENV GPUENV_BENCH SOURCE_DIR [PAGE...]
#
# The pages are README.md, those of docs/ for users, and the examples of gpuenv(1) that show what they print, unless
# others are named. Every indented line is a comment, a command, or a line that a command before it prints. Each command must run as it stands there, on files of the names
# that it uses, and write nothing but text to the terminal, without a warning. Fenced blocks are the rules of a Makefile
# (make), cron jobs (cron), text that no command repeats (text), or code that other tests run (c, python).
#
# Scripts take the places of the recorder, of the radio receiver and of other machines; gpuenv-bench, and the scripts of
# tests/ that a table names, run on fewer samples. Commands that other tests run, or that take long, are only looked at:
# see "elsewhere". Each file of this repository that a page names must exist, and so must each option.
set -eu

gpuenv=$(realpath "$1")
bench=$(realpath "$2")
source_dir=$(realpath "$3")
shift 3
pages=("$@")
[ "$#" -gt 0 ] || pages=(README.md docs/install.md docs/speed.md docs/batch.md docs/library.md man/gpuenv.1)
sound=/usr/share/sounds/alsa/Front_Center.wav
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
need script sox ffmpeg od
if [ ! -e "$sound" ]; then
    echo "no $sound (Debian: alsa-utils)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir bin
ln -s "$gpuenv" bin/gpuenv
cat >bin/gpuenv-bench <<END
#!/bin/sh
case " \$* " in
*" -w "*) set -- "\$@" -w 100 ;;
esac
exec "$bench" "\$@" -s 1000 -i 1
END
cat >bin/arecord <<'END'
#!/bin/sh
exec sox -n -r 48000 -c 1 -b 16 -t wav - synth 1 sine 440 vol 0.5
END
cat >bin/rtl_sdr <<'END'
#!/bin/sh
head -c 480000 /dev/zero
END
# GNU parallel runs: ssh [OPTION...] HOST -- COMMAND
cat >bin/ssh <<'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec sh -c "$*"
END
# What measures takes fewer samples, or lines: python3 tests/perf/FILE PROGRAM
cat >bin/python3 <<END
#!/bin/sh
cd "$source_dir" && exec /usr/bin/python3 "\$@" 4096
END
chmod +x bin/gpuenv-bench bin/arecord bin/rtl_sdr bin/ssh bin/python3
export PATH=$work/bin:$PATH TERM=dumb PARALLEL_HOME=$work

cp "$sound" in.wav
sox -n -r 44100 -c 2 -b 16 stereo.wav synth 1 sine 300 sine 500 vol 0.5
ffmpeg -v error -f lavfi -i color=s=64x64:d=1 -i stereo.wav -shortest in.mp4
# A NumPy array of 1,000 zeros.
{
    printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }"
    head -c 4000 /dev/zero
} >in.npy
{
    echo time,pressure
    for ((i = 0; i <= 2000; i++)); do
        TZ=UTC printf '%(%F %T)T,1013.25\n' "$((1767225600 + i))"
    done
} >log.csv
printf 'time,sensor,pressure\n2026-01-01,roof,1013.25\n2026-01-01,cellar,1013.5\n' >sensors.csv
head -c 480000 /dev/urandom >capture.bin
cp capture.bin capture.cu8
cp stereo.wav iq.wav
head -c 12000000 /dev/zero >huge.f32
mkdir examples logs recordings recordings/night station station/in
cp "$source_dir/examples/station.csv" examples
cp "$source_dir/examples/station.csv" .
cp log.csv logs/monday.csv
cp log.csv logs/tuesday.csv
cp in.wav recordings/one.wav
cp in.wav recordings/night/two.wav
cp in.wav station/in/three.wav
touch -d '1 hour ago' station/in/three.wav

failed=0
complain()
{
    echo "$*"
    failed=1
}

# elsewhere COMMAND: is it one that is not run here? Then what it names must exist.
elsewhere()
{
    local name

    case $1 in
    "cmake --preset "* | "cmake --build "* | "sudo cmake --install "*) return 0 ;; # tests/quickstart.sh, tests/install.sh
    *" dpkg-buildpackage "*) return 0 ;;                       # tests/packages.sh
    examples/* | tests/*)
        name=${1%% *}
        [ -x "$source_dir/$name" ] || complain "$page: $name cannot be run"
        case $name in
        *.sh) bash -n "$source_dir/$name" || failed=1 ;;
        esac
        return 0
        ;;
    parallel* | *"| parallel "*)
        ! parallel --version 2>/dev/null | grep -q '^GNU parallel'
        return
        ;;
    make*)
        ! command -v make >/dev/null
        return
        ;;
    *--plot*)
        ! command -v gnuplot >/dev/null
        return
        ;;
    esac
    return 1
}

told="the times of its rows are in column|spans? ends? at a gap|gpuenv: (for example:|gpuenv )"

run()
{
    local status=0

    echo "$1" >typed.sh
    script -q -e -c "bash -o pipefail typed.sh" typescript </dev/null >screen 2>&1 || status=$?
    tr -d '\r' <screen >>printed
    # What a table was found to be, and what to do next, are no warnings.
    if [ "$status" -ne 0 ] || grep -a 'gpuenv: ' screen | grep -a -q -v -E "$told" ||
        LC_ALL=C grep -a '[^[:print:][:space:]]' screen | grep -a -q -v '[[:print:]]°C'; then
        complain "$page: exit status $status: $1"
        head -c 1000 screen | cat -v
    fi
}

# The lines of a page: a command with its continuation ("! gpuenv ..."), or another indented line ("= 0,1,2").
lines_of()
{
    awk '/^```/ { fence = fence == "" ? $0 : ""; next }
        fence == "```cron" { sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+ */, ""); print "! " $0; next }
        fence == "```make" { print > "Makefile"; next }
        fence != "" { if (fence !~ /^```(text|c|python)$/) print "= " fence; next }
        ! /^    / { next }
        { sub(/^ +/, "") }
        going_on { printf "%s", $0 }
        ! going_on && /^#/ { next }
        ! going_on && /^[(]?(gpuenv|gpuenv-bench|sox|od|ffmpeg|arecord|rtl_sdr|find|parallel|cat|head|cd|cmake|sudo) / ||
            /^(examples|tests)\// { printf "! %s", $0; command = 1 }
        ! going_on && ! command { printf "= %s", $0 }
        { going_on = command && /[|]$/; printf "%s", going_on ? " " : "\n"; if (! going_on) command = 0 }' \
        "$source_dir/$1"
    if [ -s Makefile ]; then
        echo '! make -s overviews.done && make -q overviews.done'
    fi
}

# The same of a manual page: its commands stand behind "$ ".
examples_of()
{
    awk '/^\.Sh EXAMPLES/ { examples = 1 }
        /^\./ { typed = 0; next }
        ! examples { next }
        going_on { sub(/^ +/, "") }
        ! going_on && /^\$ / { typed = 1; sub(/^\$ /, "! ") }
        typed == 0 { next }
        ! going_on && ! /^! / { printf "= " }
        { going_on = sub(/\\e$/, ""); printf "%s%s", $0, going_on ? "" : "\n" }' "$source_dir/$1"
}

# says TEXT...: README.md has these words, which what follows tries.
says()
{
    local text

    for text in "$@"; do
        tr '\n' ' ' <"$source_dir/README.md" | grep -q -F -e "$text" || complain "README.md does not say: $text"
    done
}

# tried STATUS COMMAND...: its output is a pipe
tried()
{
    local due=$1 status

    shift
    "$@" 2>said | cat >tried
    status=${PIPESTATUS[0]}
    [ "$status" = "$due" ] || complain "README.md: exit status $status, not $due: $*: $(head -n 1 said)"
}

# What README.md says of formats, types, units and intervals without a command.
# shellcheck disable=SC2016 # Markdown has backquotes
check_prose()
{
    local name

    says '(`.csv`, `.tsv`, `.txt`, `.svg`, `.png`, `.wav`, `.flac`, `.npy`, `.f32`'
    for name in csv tsv txt svg wav flac npy f32; do
        tried 0 gpuenv --zoom 10ms in.wav -o "ending.$name"
    done
    ! command -v rsvg-convert >/dev/null || tried 0 gpuenv in.wav -o ending.png
    says 'a table gives a table; anything else gives raw float32 samples without a header'
    gpuenv -w 2 log.csv 2>/dev/null | grep -q '^frame,' || complain "README.md: a table gives no table"
    gpuenv --zoom 1s -T f32 in.wav | cmp - <(gpuenv --zoom 1s in.wav) || complain "README.md: sound does not give float32"

    says 'WAV, RF64, W64, AIFF, AU, CAF and NumPy arrays are read and written as streams, FLAC and Ogg through' \
        'recognised by their first bytes, even from a pipe'
    for name in wav rf64 w64 aiff au caf npy flac ogg; do
        tried 0 gpuenv -w 10 in.wav -T "$name" -o unnamed
        gpuenv -w 10 < <(cat unnamed) >piped || complain "README.md: $name is not read from a pipe"
        gpuenv -w 10 -t "$name" unnamed | cmp - piped || complain "README.md: $name from a pipe is read otherwise"
        case $name in
        rf64 | w64 | npy) tried 1 gpuenv -w 2 -t cu8 -r 48k -T "$name" < <(cat capture.cu8) ;;
        *) tried 0 gpuenv -w 2 -t cu8 -r 48k -T "$name" < <(cat capture.cu8) ;;
        esac
    done
    says 'need an input of known length' 'shorter than its header says is an error; with `--accept-damaged`'
    head -c 5000 in.wav >cut.wav
    tried 2 gpuenv -w 2 cut.wav
    tried 0 gpuenv -w 2 --accept-damaged cut.wav

    says '`log.csv.gz`, `.bz2`, `.xz`, `.zst`'
    for name in gzip:gz bzip2:bz2 xz:xz zstd:zst; do
        command -v "${name%:*}" >/dev/null || continue
        "${name%:*}" -c log.csv >"packed.csv.${name#*:}"
        gpuenv --zoom 1min "packed.csv.${name#*:}" 2>/dev/null | cmp - <(gpuenv --zoom 1min log.csv 2>/dev/null) ||
            complain "README.md: .${name#*:} is not read"
    done
    says '`--time-unit`: seconds to days, `year`, `excel`, `matlab`, `jd`, `mjd`'
    printf 't,v\n2000,1\n2001,2\n' >numbers.csv
    for name in s ms us ns min h d year excel matlab jd mjd; do
        tried 0 gpuenv --zoom 1d --time t --time-unit "$name" --gaps skip numbers.csv
    done
    says "the clock's intervals (\`1min\`, \`1h\`, \`1d\`) and the calendar's (\`1w\`, \`1mo\`, \`3mo\`, \`1y\`)"
    for name in 1min 1h 1d 1w 1mo 3mo 1y; do
        tried 0 gpuenv --zoom "$name" log.csv
    done

    says '`cf32 cf64 cs16 cs8 cu8`' '`f32 f64 f16` and integers of 8 to 64 bits, in both byte orders'
    for name in cf32 cf64 cs16 cs8 cu8 {f32,f64,f16,s16,u16,s24,u24,s32,u32,s64,u64}{le,be} s8 u8; do
        tried 0 gpuenv -w 2 -t "$name" huge.f32 -T f32 -o typed
    done
    # gpuenv is for none of these.
    says 'not for medians and percentiles'
    tried 1 gpuenv -w 2 --emit median in.wav
}

"$gpuenv" --help all >options
"$bench" --help >>options
commands=0
for page in "${pages[@]}"; do
    rm -f Makefile
    : >printed
    case $page in
    man/*) examples_of "$page" >lines ;;
    *) lines_of "$page" >lines ;;
    esac
    while IFS= read -r line; do
        text=${line#??}
        case $line in
        "! "*)
            commands=$((commands + 1))
            elsewhere "$text" || run "$text"
            ;;
        *) grep -a -q -x -F -e "$text" printed || complain "$page: no command prints: $text" ;;
        esac
    done <lines

    # Commands in tables, which measure: bars may be missed, and libraries may not be there (77).
    sed -n 's/^|.*| .\(python3 tests\/.*\). |$/\1/p' "$source_dir/$page" >names
    while read -r name; do
        status=0
        bash -c "$name" >screen 2>&1 || status=$?
        case $status in
        0 | 1 | 77) ! grep -q Traceback screen || complain "$page: $name: $(tail -n 1 screen)" ;;
        *) complain "$page: exit status $status: $name" ;;
        esac
    done <names

    # What a page names in passing, and the picture.
    grep -o -E '\b(examples|tests|docs|src|cuda|packaging|debian)/[A-Za-z0-9_./-]*[A-Za-z0-9_]' "$source_dir/$page" >names || true
    while read -r name; do
        [ -e "$source_dir/$name" ] || complain "$page: there is no $name"
    done <names
    grep -o -E '`(gpuenv |gpuenv-bench )?--[a-z][a-z-]*' "$source_dir/$page" | grep -o -E -e '--.*' | sort -u >names || true
    while read -r name; do
        grep -q -w -F -e "$name" options || complain "$page: there is no option $name"
    done <names
done

case " ${pages[*]} " in
*" README.md "*)
    [ "$commands" -ge 40 ] || complain "hardly any command"
    # Its numbers, and the picture.
    grep -q "68,545 frames" "$source_dir/README.md" || complain "README.md: not 68,545 frames"
    [ "$(soxi -s in.wav)" = 68545 ] || complain "README.md: in.wav has not 68,545 frames"
    for rows in sliding:68,066 overview:143; do
        number=${rows#*:}
        grep -q "$number rows" "$source_dir/README.md" || complain "README.md: not $number rows"
        [ "$(tail -n +2 "${rows%%:*}.csv" | wc -l)" = "${number/,/}" ] || complain "${rows%%:*}.csv: not $number rows"
    done
    check_prose
    gpuenv "$sound" -o picture.svg
    cmp picture.svg "$source_dir/examples/envelope-speech.svg" || complain "examples/draw.sh draws another picture"
    cmp station.svg "$source_dir/examples/station.svg" || complain "examples/draw.sh draws another station.svg"
    grep -o -E '[a-z-]+\.svg' "$source_dir/examples/draw.sh" >names
    while read -r name; do
        grep -q -F "](examples/$name)" "$source_dir/README.md" || complain "README.md does not show examples/$name"
    done <names
    ;;
esac
case " ${pages[*]} " in
*" docs/batch.md "*)
    gpuenv -w 1s -r 2.4M huge.f32 | cmp - out.f32 || complain "docs/batch.md: the parts differ from one run"
    ;;
esac
exit "$failed"
