#!/bin/bash
# Outputs on a file system without nameless files: named.sh PROGRAM LIBRARY
#
# A signal that ends the input gives the temporary file its name, any other one removes it; but a file that another process has put in its place is not
# used as the output.
set -eu

program=$1
export FAULTS_NAMELESS=no
library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkfifo in

# start: a run that waits for more input, with its temporary file in place
start()
{
    rm -f out/* out/.out*
    env --default-signal LD_PRELOAD="$library" "$program" -w 2 -t f32 -o out/out.f32 <in 2>words &
    pid=$!
    exec 3>in
    printf 'aaaabbbbcccc' >&3
    for _ in $(seq 1 500); do
        if [ -n "$(find out -name '.out.f32.*')" ]; then
            # The run begins when its files are open, and then it has threads.
            until [ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 1 ]; do sleep 0.01; done
            sleep 0.1
            return 0
        fi
        sleep 0.01
    done
    echo "no temporary file"
    exit 1
}

mkdir out
for signal in INT TERM HUP QUIT USR2 IO PWR RTMIN RTMAX ABRT SEGV BUS FPE ILL TRAP SYS; do
    case $signal in
    ABRT | SEGV | BUS | FPE | ILL | TRAP | SYS)
        [ -z "${GPUENV_SANITIZE-}" ] || continue # the sanitizer's
        ;;
    esac
    start
    kill -s "$signal" "$pid"
    status=0
    { wait "$pid" || status=$?; } 2>/dev/null
    exec 3>&-
    if [ "$status" -ne $((128 + $(kill -l "$signal"))) ]; then
        echo "SIG$signal: status $status"
        exit 1
    fi
    case $signal in
    INT | TERM | HUP) due="out.f32 16" ;;
    *) due= ;;
    esac
    left=$(find out -mindepth 1 -printf '%f %s')
    if [ "$left" != "$due" ]; then
        echo "SIG$signal leaves '$left', due is '$due'"
        exit 1
    fi
done

start
theirs=$(find out -name '.out.f32.*')
mv "$theirs" out/ours
echo "not what was written" >"$theirs"
exec 3>&-
status=0
wait "$pid" || status=$?
if [ "$status" -ne 2 ] || [ -e out/out.f32 ] || ! grep -q 'another file' words; then
    echo "a file that was put in the place of ours: status $status, $(cat words)"
    exit 1
fi
