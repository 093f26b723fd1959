#!/bin/bash
# SPDX-License-Identifier: MIT
# Intervals of local clocks and of the calendar, and the zones of times.
[ -e /usr/share/zoneinfo/Europe/Berlin ] || exit 77
cat >log.csv <<'CSV'
time,v
2026-03-28T22:30:00+01:00,1
2026-03-29T01:30:00+01:00,2
2026-03-29T03:30:00+02:00,3
2026-03-30T00:01:00+02:00,4
2026-04-01T12:00:00+02:00,5
CSV
log() { gpuenv --time time --emit max --no-frame -T csv "$@" log.csv; }
echo --- the offset of the first row
log --zoom 1d --gaps skip
echo --- zones
log --time-zone Europe/Berlin --zoom 1d
log --time-zone Europe/Berlin --zoom 5h --gaps skip
log --time-zone UTC --zoom 1d
log --time-zone Europe/Berlin -w 5
TZ=America/New_York log --time-zone local --zoom 1d --gaps skip
TZ='<+0545>-5:45' log --time-zone local --zoom 1w
TZ='' log --time-zone local --zoom 1w
echo --- the calendar
for length in 1w 1mo 3mo 1y; do log --time-zone Europe/Berlin --zoom $length; done
log --time-zone Europe/Berlin -T spans --level above:2 --zoom 1mo
gpuenv --emit none --stats - --stats-every 1mo --stats-format csv --time time --time-zone Europe/Berlin log.csv | cut -d, -f 1-4,6
gpuenv -r 1w -w 2w -T csv --no-frame <(printf 'v\n1\n2\n3\n') -t csv
echo --- forms
printf 't v\n2026-10 1\n2026-11 2\n' | gpuenv -t txt --time t --time-zone Europe/Berlin --zoom 1y -T txt
printf 't,v\n1774738800,1\n1774825200,2\n' | gpuenv -t csv --time t --time-zone Europe/Berlin --zoom 1d -T csv
printf 't,v\n29.03.26 01:00 -0300,1\n29.03.26 22:00 -0300,2\n' |
    gpuenv -t csv --time t --time-format '%d.%m.%y %R %z' --zoom 1d --time-zone Europe/Berlin -T csv
echo --- a doubled hour, and one that the clock skips
doubled() { printf 't,v\n%s 01:50,1\n%s 02:10,2\n%s 02:50,3\n%s 02:10,4\n%s 03:00,5\n' "$1" "$1" "$1" "$1" "$1"; }
doubled 2026-10-25 | gpuenv -t csv --time t --time-zone Europe/Berlin --zoom 1h -T csv
doubled 2026-03-29 | gpuenv -t csv --time t --time-zone Europe/Berlin --zoom 1h -T csv || echo "exit $?"
doubled 2026-03-29 | gpuenv -t csv --time t --time-zone Europe/Berlin --zoom 1h -T csv --bad-lines skip
echo --- a doubled hour of hourly logs: of a series, behind its beginning, of rows at the same time, and beside a bad line
hourly() { printf 't,k,v\n%s 01:00,a,1\n%s 02:00,a,2\n%s 02:00,a,3\n%s 03:00,a,4\n' "$1" "$1" "$1" "$1"; }
hour() { gpuenv -t csv --time t --columns v --time-zone Europe/Berlin --zoom 1h --no-frame -T csv "$@"; }
hourly 2026-10-25 | hour
(hourly 2026-10-25 | head -n 1; sleep 0.2; printf '2026-10-25 02:00,b,%s\n' 5; sleep 0.2; printf '2026-10-25 02:00,b,6\n') |
    hour --by k
hourly 2026-10-25 | hour --skip 2
hourly 2026-10-25 | sed '2{p;s/1$/0/}' | hour
hourly 2026-10-25 | sed '2{p;s/.*/x,a,0/}' | hour --bad-lines nan 2>&1
echo --- a long table, by one thread and by several
awk 'BEGIN {
    print "t,v" >"day.csv"
    print "t,v" >"other.csv"
    for (i = 0; i < 90000; i++) {
        t = i < 10800 ? i : i - 3600
        printf "2026-10-25 %02d:%02d:%02d,%d\n", t / 3600, t / 60 % 60, t % 60, i >"day.csv"
        printf "2026-10-%d %02d:%02d:%02d+0%d:00,%d\n", 20 + i / 86400, i / 3600 % 24, i / 60 % 60, i % 60, i < 65000, i >"other.csv"
    }
}'
TZ=Europe/Berlin awk 'BEGIN { print "t,v"; for (i = 0; i < 90000; i++) print strftime("%Y-%m-%d %H:%M,", 9e8 + 3600 * i) i }' >hours.csv
for threads in 1 4; do
    gpuenv --time t --time-zone Europe/Berlin --zoom 1h --emit count --threads $threads -T csv hours.csv | cut -d , -f 3 | sort | uniq -c
    gpuenv --time t --time-zone Europe/Berlin --zoom 1h --threads $threads -T csv day.csv >by$threads.csv
    gpuenv --time t --zoom 1h -T csv --threads $threads other.csv 2>&1 | sed 's/.*\(line [0-9]*\): its time.*/\1/' >other$threads.csv
done
cmp by1.csv by4.csv && sed -n '3,6p; $p' by4.csv
cmp other1.csv other4.csv && grep line other4.csv
