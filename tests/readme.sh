#!/bin/bash
# Types the commands of README.md at a terminal: readme.sh GPUENV README.md
#
# These are the commands of the first section, of "What you type" and of "Many files". Each must run as
# it stands there, on files of the names that it uses, and write nothing but text to the terminal.
# Scripts take the places of the recorder, of the radio receiver and of other machines.
set -eu

gpuenv=$(realpath "$1")
readme=$(realpath "$2")
for program in script sox ffmpeg od; do
    if ! command -v "$program" >/dev/null; then
        echo "no $program"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir bin
ln -s "$gpuenv" bin/gpuenv
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
chmod +x bin/arecord bin/rtl_sdr bin/ssh
export PATH=$work/bin:$PATH TERM=dumb PARALLEL_HOME=$work

sox -n -r 44100 -c 2 -b 16 in.wav synth 1 sine 300 sine 500 vol 0.5
cp in.wav stereo.wav
ffmpeg -v error -f lavfi -i color=s=64x64:d=1 -i in.wav -shortest in.mp4
# A NumPy array of 1,000 zeros.
{
    printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }"
    head -c 4000 /dev/zero
} >in.npy
{
    echo time,pressure
    seq -f '%g,1013.25' 0 2000
} >log.csv
mkdir examples
cp "$(dirname "$readme")/examples/station.csv" examples
mkdir logs recordings recordings/night station station/in
cp log.csv logs/monday.csv
cp log.csv logs/tuesday.csv
cp in.wav recordings/one.wav
cp in.wav recordings/night/two.wav
cp in.wav station/in/three.wav
touch -d '1 hour ago' station/in/three.wav

# A command is indented, and goes on in the next line after a pipe sign.
awk '/^## / { looking = $0 == "## What you type" || $0 == "## Many files" }
    NR == 1 { looking = 1 }
    looking && /^ +(gpuenv|sox|ffmpeg|arecord|rtl_sdr|find|parallel) / {
        sub(/^ +/, "")
        printf "%s%s", $0, /\|$/ ? " " : "\n"
    }' "$readme" >commands
# A cron job, and a rule of a Makefile.
sed -n 's/^17 [*] [*] [*] [*] *//p' "$readme" >>commands
awk '/^```/ { inside = $0 == "```make"; next } inside' "$readme" >Makefile
if command -v make >/dev/null; then
    echo 'make -s overviews.done && make -q overviews.done' >>commands
fi
if ! parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    sed -i '/parallel/d' commands
fi
if [ "$(wc -l <commands)" -lt 20 ] || [ ! -s Makefile ]; then
    echo "README.md has hardly any command"
    exit 1
fi

failed=0
while read -r command; do
    echo "$command" >typed.sh
    status=0
    script -q -e -c "bash -o pipefail typed.sh" typescript </dev/null >screen 2>&1 || status=$?
    if [ "$status" -ne 0 ] || grep -a -q 'gpuenv: ' screen ||
        LC_ALL=C grep -a -q '[^[:print:][:space:]]' screen; then
        echo "exit status $status: $command"
        head -c 1000 screen | cat -v
        failed=1
    fi
done <commands

# The lines of the log and of its overview stand there as they are.
gpuenv --zoom 1h --time time --decimal , --nan omit examples/station.csv -T csv >hours
sed -n 2,4p examples/station.csv >>hours
while IFS= read -r line; do
    if ! grep -qxF "    $line" "$readme"; then
        echo "not in README.md: $line"
        failed=1
    fi
done <hours
exit "$failed"
