#!/bin/bash
# SPDX-License-Identifier: MIT
# Tables as sensors write them: what they look like, times of rows, intervals of the clock, and errors.
cat >log.csv <<'END'
logger 12
# weather
time;pressure;status;"temp, air"
;hPa;;°C
2026-11-20T12:00:00Z;1013,25;ok;20,1
2026-11-20T12:00:40Z;1013,2;ok;NA
2026-11-20T12:02:05Z;1012,9;bad;19,9
2026-11-20T12:02:59.5Z;1012,7;ok;20
END
log() { gpuenv --skip-lines 1 --decimal , log.csv -T csv "$@"; }
log -w 2
log -w 2 --time time --align causal --hop 2
log --time 1 --zoom 1min --nan omit --emit max
log --time time --zoom 1min --gaps skip --nan omit --columns '"temp, air"' -T txt
log --time time --zoom 1min --nan omit --no-frame -T tsv --columns 2
log --time time --zoom 1min -v -q 2>/dev/null >one.csv
log --time time --zoom 1min
log --time time --zoom 1min --nan propagate
gpuenv --skip-lines 1 --decimal , --time time --emit none --stats - --stats-every 1min --columns 2 log.csv | cut -d, -f 1-5
gpuenv --skip-lines 1 --decimal , --time time --emit none --stats - --stats-format csv --columns 2 log.csv | cut -d, -f 1-4
gpuenv --skip-lines 1 --decimal , --time time --emit none --stats - --stats-format text --columns 2 log.csv | grep Time
cp log.csv other.csv
gpuenv --jobs 1 --skip-lines 1 --decimal , --time time --zoom 1min -T csv --out-dir out log.csv other.csv
cat out/*
gpuenv --skip-lines 1 --decimal , --time time --columns 2 --emit none --stats levels.tsv log.csv other.csv
cut -f 1-4,19-27 levels.tsv
echo --- other times
printf 'd c v\n20.11.2026 12:00:00 1\n20.11.2026 12:10:00 2\n20.11.2026 12:20:00 3\n' >date.txt
gpuenv -t txt --time d,c --time-format '%d.%m.%Y %T' -w 20min date.txt -T csv
gpuenv -t txt --time d,c --time-format '%d.%m.%Y %T' --zoom 15min date.txt -T txt
printf 't,v\n1700000000250,1\n1700000000500,2\n1700000001000,-999\n' >ms.csv
gpuenv --time t --time-unit ms --zoom 500ms --missing -999,x ms.csv -T csv
gpuenv --time t --time-unit ms ms.csv --stats - --stats-every 1 --emit none | cut -d, -f 1-3
printf '2026-11-20,1\n2026-11-21,2\n' | gpuenv -t csv --header no --time 1 -w 2d -T csv
printf '2026-11-20 00:00,1\n2026-11-21 00:00,2\n' | gpuenv -t csv --time 1 --zoom 1d -T txt
echo --- rates
printf 'v\n1\n2\n3\n' >rate.csv
gpuenv -r 1/60 -w 2min rate.csv -T csv
gpuenv -r 60s -w 1 --skip 2 rate.csv -T csv
echo --- bad lines
printf 't,v\n1,1\n2,x\n3\n2,5\n4,4\n' >bad.csv
gpuenv --time t -w 1 --emit max --bad-lines nan bad.csv -T csv
gpuenv --time t -w 1 --emit max --bad-lines skip bad.csv -T csv
echo --- the intervals before a NaN
printf 't,v\n0,1\n1,2\n130,nan\n131,3\n' >nan.csv
gpuenv --time t --zoom 1min --nan error nan.csv -T csv || echo "exit $?"
gpuenv --time t --zoom 1min --nan error --gaps skip nan.csv -T csv || echo "exit $?"
gpuenv --time t --zoom 1h --nan error nan.csv -T csv || echo "exit $?"
echo --- a gap of a million intervals
gap() { printf 't,v\n0,1\n%s,2\n' "$1" | gpuenv --time t --zoom 250ms --emit max -t csv -T f32 - | wc -c; }
gap 250000.25
gap 250000.5
echo --- headers
says() { gpuenv -t csv -w 1 -T csv "$@" - 2>&1 | grep -v -e frames -e ' f[0-9]' -e plan -e auto: -e engine -e stages -e busy; }
printf 'Month,0\n1959-01,5\n1959-02,6\n' | says -v
printf 'Month,0\n1959-01,5\n1959-02,6\n' | says --time 1
printf '0,1,2\n5,6,7\n' | says
printf '0,1,2\n5,6,7\n' | says --header 1
printf 'name,id,1990,1991\nx,y,5,6\n' | says -v
printf 't,v\nd,hPa\n01.02.2026 10:00,\n01.02.2026 10:01,5\n' | says -v --time t --time-format '%d.%m.%Y %H:%M'
printf '5 6\n7 8\n' | says
printf 't v\n7 8\n' | says
echo --- columns that begin with a word
printf 't,pm,hum,site\n1,<0.006,off,a\n2,>9,40%%,b\n3,"1,352",x,c\n' | says
printf 't,pm,hum,site\n1,<0.006,off,a\n2,0.5,40%%,b\n' | says --columns 1
printf 'a,b\n1,2\na,b\n3,4\n' | says
printf 'v\r1\r2\r' | says
printf '# t,v\n1,2\n' | says
footer() { printf '%b' "$1" | gpuenv -t csv -w 1 --emit max -T csv --no-frame --skip-footer "$2"; }
footer 'v\n1\n2\nmean\n1.5\n' 2
footer 'v\n1\n2\nmean' 1
footer 'v\n1' 2
echo --- times
printf 't,v\n2026/3/7 9:00,1\n' | says --time t || true
printf 't,v\n2026/3/7,1\n2026/11/10,2\n' | says --time t
printf 't,v\n9999-12-31,1\n' | gpuenv -t csv --time t --zoom 1d -T spans --level above:0
printf 't,v\n1 3 2026,1\n' | says --time t --time-format '%e %m %Y'
echo --- times in several columns
printf 'y,m,d,h,v\n2026,3,7,9,1\n2026,3,7,10,2\n2026,3,7,24,3\n' >parts.csv
gpuenv --time y,m,d,h --time-format '%Y %m %d %H' --zoom 1h --gaps skip parts.csv -T csv
gpuenv --time 1,2,3,4 --time-format '%Y %m %d %H' -w 1 --emit max parts.csv -T tsv
printf '20 Nov 2026,1:30,PM,1\n20 Nov 2026,2:30,PM,2\n' >half.csv
gpuenv --header no --time 1,2,3 --time-format '%d %b %Y %I:%M %p' --zoom 1h half.csv -T csv
printf '2026 066,.5 9,1\n2026 066,.75 9,2\n' >day.csv
gpuenv --header no --time 1,2 --time-format '%Y %j .%f %H' -w 1 --emit max day.csv -T csv
printf 't,v\n2026-11-19 9:05,1\n2026-11-19 24:00,2\n' | says --time t
printf 'v,clock,date\n1,9:05,2026-11-20\n2,10:00,2026-11-20\n3,9:30,2026-11-20\n' >apart.csv
gpuenv --time date,clock --bad-lines skip -w 1 --emit max apart.csv -T csv
skip() { printf '%b' "$1" | gpuenv -t csv --time t -T csv "${@:2}"; }
skip 't,v\n0,1\n1,2\n100,3\n101,4\n' -w 2 --hop 1s --skip 2
skip 't,v\n0,1\n250000.5,2\n250000.6,3\n' --zoom 250ms --skip 1
echo --- windows of time
printf 't,v\n0,1\n0,9\n59.5,nan\n60,5\n60,7\n200,3\n' >far.csv
gpuenv --time t -w 1min far.csv -T csv
gpuenv --time t -w 1min --align center far.csv -T csv
gpuenv --time t -w 1min --align center --emit abs,range,mid --nan propagate far.csv -T txt
gpuenv --time t -w 1min --skip 1 far.csv --stats stats --stats-every 1min -T csv
cut -d, -f 2,3 stats
gpuenv --time t -w 1min -T spans --level above:4 far.csv
gpuenv --time t -w 1min -T spans --level below:8 --join 2min far.csv
gpuenv --time t -w 1min --nan error far.csv -T csv || echo "exit $?"
gpuenv --time t -w 1min --align center --nan error far.csv -T csv || echo "exit $?"
gpuenv --time t -w 1min -v far.csv -T csv --emit max 2>&1 >/dev/null | grep plan
printf 't,v\n' | gpuenv -t csv --time t -w 1min -T spans --level above:4
