#!/bin/bash
# Signals that are no reason to end: signals.sh PROGRAM
#
# SIGUSR1 prints a line of progress; after SIGSTOP and SIGCONT the stream goes on, whole.
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkfifo "$work/in"
"$program" -w 3 "$work/in" >"$work/out" 2>"$work/words" &
pid=$!
exec 3>"$work/in"
printf 'aaaabbbbccccdddd' >&3

# Two windows of eight bytes are out when the signals are handled.
for _ in $(seq 1 500); do
    [ "$(stat -c %s "$work/out")" -lt 16 ] || break
    sleep 0.01
done
kill -s USR1 "$pid"
for _ in $(seq 1 500); do
    [ ! -s "$work/words" ] || break
    sleep 0.01
done
lines=$(wc -l <"$work/words")
cat "$work/words"
if [ "$lines" -ne 1 ] || ! grep -q '^gpuenv: .*[0-9]' "$work/words"; then
    echo "one line of progress was due"
    exit 1
fi
kill -s USR1 "$pid"
sleep 0.3
if [ "$(wc -l <"$work/words")" -ne 2 ]; then
    echo "a second line of progress was due"
    exit 1
fi

kill -s STOP "$pid"
printf 'eeee' >&3
sleep 0.2
kill -s CONT "$pid"
printf 'ffff' >&3
exec 3>&-
wait "$pid"
printf 'aaaabbbbccccddddeeeeffff' | "$program" -w 3 | cmp - "$work/out"

# At full speed, stopped again and again, with signals all the while.
head -c 100000000 /dev/zero | "$program" -w 1000 2>"$work/words" >"$work/out" &
pid=$!
# It must be up before the first SIGUSR1, which would end a program that does not handle it.
for _ in $(seq 1 500); do
    [ ! -s "$work/out" ] || break
    sleep 0.01
done
for _ in 1 2 3 4 5; do
    kill -s USR1 "$pid" 2>/dev/null || break
    kill -s STOP "$pid" 2>/dev/null || break
    sleep 0.02
    kill -s CONT "$pid" 2>/dev/null || break
done
wait "$pid"
[ "$(stat -c %s "$work/out")" -eq $(((25000000 - 999) * 8)) ]
