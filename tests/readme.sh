#!/bin/bash
# Types the commands of README.md at a terminal: readme.sh GPUENV README.md
#
# These are the commands of the first section and of "What you type". Each must run as it stands
# there, on files of the names that it uses, and write nothing but text to the terminal. Scripts take
# the places of the recorder and of the radio receiver.
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
chmod +x bin/arecord bin/rtl_sdr
export PATH=$work/bin:$PATH TERM=dumb

sox -n -r 44100 -c 2 in.wav synth 1 sine 300 sine 500 vol 0.5
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

# A command is indented, and goes on in the next line after a pipe sign.
awk '/^## / { looking = $0 == "## What you type" }
    NR == 1 { looking = 1 }
    looking && /^ +(gpuenv|sox|ffmpeg|arecord|rtl_sdr) / {
        sub(/^ +/, "")
        printf "%s%s", $0, /\|$/ ? " " : "\n"
    }' "$readme" >commands
if [ "$(wc -l <commands)" -lt 10 ]; then
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
exit "$failed"
