#!/bin/bash
# SPDX-License-Identifier: MIT
# Tables of several series (--by), and rows that come late (--late).
cat >long.csv <<'END'
time,sensor,temp,hum
2026-01-01T00:00:00,kitchen,20,40
2026-01-01T00:00:10,"bath, ""3""",22,60
2026-01-01T00:00:30,kitchen,21,41
2026-01-01T00:03:00,kitchen,19,42
2026-01-01T00:00:20,"bath, ""3""",23,61
2026-01-01T00:01:20,"bath, ""3""",24,
END
long() { gpuenv --time time long.csv -T csv "$@" || echo "exit $?"; }
long --zoom 1min --by sensor
long --zoom 1min --by 2 --gaps skip --emit max --pick 2,1
long --zoom 1min --by sensor --overall --no-frame -T tsv
long --zoom 1min --by sensor --no-frame --emit mean,count
long -w 30s --by sensor
long -w 1min --align center --by sensor --mix -T txt
long --zoom 1min --by sensor --skip 1 --frames 4
printf 'a,1,5\na,2,6\n,3,7\n' | gpuenv -t csv --header no --time 2 --by 1 --zoom 1s -T csv
echo --- spans, statistics and pictures
long --by sensor -T spans --level above:20.5
long --by sensor -T spans --level above:20.5 --zoom 1min
long --by sensor -T spans --level below:22 --columns temp -w 15s
long --by sensor -T spans --level above:0 --overall --from 2026-01-01T00:00:20
gpuenv long.csv --by sensor -T spans --level above:40 --columns hum --least 1min -q
printf 'v,s,t\n5,b,2\n6,a,3\n7,b,1\n,a,5\n' >other.csv
gpuenv -T spans --level above:1 --time 3 --by 2 --columns v --late all --out-dir - other.csv other.csv
gpuenv --emit none --stats - --time 3 --by 2 --columns v --late all --stats-format csv other.csv other.csv
summed() { gpuenv --time time long.csv --emit none --stats - --stats-format "$@" --by sensor | cut -d, -f 1-12; }
summed csv
summed tsv --columns temp --stats-every 1min | cut -f 1-8
summed jsonl --columns temp --stats-every 2
summed jsonl --columns temp --from 2026-01-01T00:00:20 --to 2026-01-01T00:02:00
summed text --columns hum
gpuenv long.csv -q --by sensor --zoom 1min --columns temp --stats temps.csv
gpuenv long.csv -q --by sensor --emit none --stats temps.csv && head -1 temps.csv
panels() { grep -o '<title>[^<]*\|<text class="m" x="20"[^<]*<[^<]*' "$@" | sed 's/<text[^>]*>//'; }
gpuenv long.csv -q --by sensor -o keys.svg && panels keys.svg
gpuenv long.csv -q --by sensor --zoom 1min --columns hum --from 2026-01-01T00:01:00 --to 2026-01-01T00:02:00 -o keys.svg
panels keys.svg
grep 'time,\|kitchen' long.csv >kitchen.csv
gpuenv kitchen.csv -q --plain -o kitchen.svg
gpuenv kitchen.csv -q --by sensor --plain -o keys.svg && cmp kitchen.svg keys.svg
gpuenv kitchen.csv -q --zoom 1min --plain -o kitchen.svg
gpuenv kitchen.csv -q --by sensor --zoom 1min --plain -o keys.svg && cmp kitchen.svg keys.svg
{ echo t,k,v; seq 33 | sed "s|.*|&,k&,1|"; } >many.csv
gpuenv -t csv --time t --by k --columns v -T svg many.csv >panels || echo "exit $?"
head -33 many.csv | gpuenv -t csv --time t --by k --columns v -T svg | grep -c '<g '
echo --- keys that are not named
printf 't,s,v,u\n1,a,1,x\n1,b,2,x\n1,c,3,x\n' >same.csv
gpuenv --time t --zoom 1s same.csv -T csv
sed 1d same.csv | gpuenv -t csv --time 1 -w 1s -T csv
gpuenv --time t --zoom 1s --by s same.csv -T csv
printf 't,s,v\n1,a,1\n2,b,2\n2,b,3\n' | gpuenv -t csv --time t --zoom 1s -T csv
{ echo t,s,v; seq 300 | sed 's/.*/&,a,1\n&,b,2/'; } | gpuenv -t csv --time t --zoom 1h
echo --- late
long --zoom 1min --late 160s
long -w 1min --late 160s --emit max
long --zoom 1min --late 159s
long --zoom 1min --late 159s --bad-lines skip
long --zoom 1min --late 159s --bad-lines nan --nan propagate --emit max
printf 'k,t,v\na,1,1\nb,9,2\na,0,3\nb,20,4\na,2,5\n' | gpuenv -t csv --time t --by k --late 1s --zoom 1s --gaps skip -T csv
# A row that is read again does not come again.
printf 't,v\n1,1\n0,2\n1,x\n' | gpuenv -t csv --time t --late 5s --zoom 1s -T csv || echo "exit $?"
printf 't,v\n1,1\n0,2\n1,x\n9,5\n' | gpuenv -t csv --time t --late 5s --zoom 1s --bad-lines skip -T csv
printf 't,v\n5,1\n1,2\n4,3\n' | gpuenv -t csv --time t --late 5s --emit none --stats - --stats-every 2s | cut -d, -f 2,3,6
{ echo t,v; seq -f '%g,1' 5000; } | gzip >whole.csv.gz
head -c 9000 whole.csv.gz >cut.csv.gz
gpuenv --time t --late 1h --zoom 1s --accept-damaged -o cut.csv cut.csv.gz
gpuenv --time t --zoom 1s --accept-damaged cut.csv.gz -T csv | cmp - cut.csv
gpuenv --time t --late 1h --zoom 1s cut.csv.gz -T csv >part.csv || echo "exit $?"
echo --- a doubled hour
printf 't,v\n2026-10-25 01:30,1\n2026-10-25 02:30,2\n2026-10-25 02:20,3\n2026-10-25 03:30,4\n' >doubled.csv
gpuenv --time t --zoom 1h --time-zone Europe/Berlin doubled.csv -T csv
gpuenv --time t --zoom 1h --time-zone Europe/Berlin --late 15min doubled.csv -T csv
echo --- errors
long --zoom 1min
long --zoom 1min --by room
long --zoom 1min --by sensor -T npy
long -T spans --level above:1 --by sensor -w 3
long -T spans --level above:1 --by sensor -r 1
gpuenv long.csv --time time --by sensor || echo "exit $?"
printf 'k,t,v\na,2,1\nb,1,2\na,1,3\n' | gpuenv -t csv --time t --by k --zoom 1s -T csv || echo "exit $?"
printf 'k,t,v\na,2,1\nb,1\na,3,x\n,5,y\nb,7,z\n' | gpuenv -t csv --time t --by k --zoom 1s --bad-lines nan -T csv
printf 'k,t\na,1\n' | gpuenv -t csv --time t --by k --zoom 1s -T csv || echo "exit $?"
printf 'k,t,v\n%01025d,1,1\n' 7 | gpuenv -t csv --time t --by k --zoom 1s -T csv || echo "exit $?"
printf 'k,t,v\n%01024d,1,1\n' 7 | gpuenv -t csv --time t --by k --zoom 1s -T csv | wc -c
