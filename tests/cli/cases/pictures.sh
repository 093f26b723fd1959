#!/bin/bash
# SPDX-License-Identifier: MIT
# -T svg: its options.
floats 0 0.5 -1 -0.25 >in.f32
ends() { sed -n 's/.*class="m r".*>\(.*\)<.*/\1/p' | sed -n '1p;$p' | tr '\n' ' ' && echo; }
gpuenv in.f32 -T svg | ends
gpuenv in.f32 -T svg --scale fit | ends
gpuenv in.f32 -T svg --counts | ends
gpuenv in.f32 -T svg --counts --scale full | ends
gpuenv in.f32 -T svg --scale -2:4 | ends
gpuenv in.f32 -T svg --title 'Loud & clear' --size 640x200 | grep -o -e ' viewBox="[^"]*"' -e '<title>.*</title>'
gpuenv in.f32 -o x.svg && grep -c '>in.f32<' x.svg
gpuenv <in.f32 -T svg | grep -c 'class="t"' || true
gpuenv in.f32 --out-dir there --name '{name}.svg' --scale fit && ls there
ls
echo --- tables, with names and times
printf 'time,hPa,rain\n2026-11-20T22:00Z,1013.5,0\n2026-11-20T23:00Z,1012,0.25\n2026-11-21T01:00Z,1011.5,\n' >log.csv
gpuenv log.csv --time time -T svg | sed -n -e '/class="m c"/s/<tspan[^>]*>\(.*\)<.tspan>/ \1/' -e 's/.*class="m c".*>\(.*\)<.*/\1/p' -e 's/<tspan[^>]*>/ /; s/.*<text y=[^>]*>\(.*\)<.tspan.*/\1/p' -e 's/.*>\(time.*\)<.*/\1/p'
gpuenv log.csv --time time --zoom 1h --columns hPa -T svg | sed -n 's/.* \([0-9]*\)[^0-9]*% without a value<.desc>.*/\1/p'
echo --- units, steps, the RMS, what is quiet, and nothing but the envelope
printf 'time,pressure,temp\n,hPa,°C\n2026-11-20,1013.5,20\n2026-11-21,1012,21\n' >units.csv
gpuenv units.csv --time time -T svg | grep -o '>[a-z]* ([^<]*<tspan'
gpuenv units.csv --time time --columns pressure -T svg | grep -o 'pressure (hPa)'
sed 's/hPa,/[hPa],/' units.csv | gpuenv --time time --columns pressure -T svg | grep -o 'pressure (hPa)'
gpuenv units.csv --time time --pick 2 --zoom 1d -T svg | grep -o -e 'temp ([^)]*)' -e '24 h[^<]*1d' | tail -n 2
gpuenv units.csv --time time --zoom 1d --columns 2 --size 220x220 -T svg | grep -c 'd="M0 0l 2 0 7[0-9]* 0 '
seq 0 39999 | awk '{ print $1 % 2 ? 0.05 : -0.03 }' >quiet.csv
gpuenv -q quiet.csv -w 1 --no-frame --emit max -T wav -o quiet.wav -r 8k
gpuenv quiet.wav -T svg | grep -o -e 'peak.*dB<' -e 'class="s"' | tail -n 2
gpuenv -q quiet.wav -w 10ms -T svg | grep -c 'class="s"' || true
gpuenv quiet.wav --scale full -T svg >full.svg
gpuenv quiet.wav --plain -T svg | grep -c -e '<text' -e '<rect' -e '<style' || true
gpuenv quiet.wav --plain -T svg | grep -o -e 'viewBox="[^"]*"' -e 'fill="currentColor"'
gpuenv quiet.wav --plain --size 300x40 -T svg | grep -o -e 'viewBox="[^"]*"'
echo --- a name that would turn round, and thousands of columns
gpuenv in.f32 -T svg --title $'x\xe2\x80\xaegnp' | grep -o '<title>x.*</title>'
{ seq -s , 0 15000; for i in 1 2 3; do yes $i | head -n 15001 | paste -s -d ,; done; } >wide.csv
(
    [ -n "${GPUENV_SANITIZE-}" ] || ulimit -v 700000
    gpuenv wide.csv --time 1 --time-unit s --threads 1 --header 1 -T svg | grep -c '>14999'
)
echo --- what is said is true
gpuenv -q quiet.wav --zoom 3s -T svg | grep -o 'y="53">[^<]*'
gpuenv quiet.wav --zoom 1s --emit rms --db -T svg | grep -o 'y="53">[^<]*'
printf 'time,a,b\n2026-11-20 22:00,1,\n2026-11-20 23:00,2,\n' >local.csv
gpuenv local.csv --time time -T svg | grep -o -e '>time[^<]*' -e 'without' -e 'no value'
gpuenv local.csv --time time --time-zone Europe/Berlin -T svg | grep -o '>time[^<]*'
sed 's/22:00/22:00Z/' local.csv | gpuenv --time time --frames 1 -T svg | grep -o -e '>time[^<]*' -e 'class="m c".*'
sed -e 's/22:00/22:00:00.7/' local.csv | gpuenv --time time --frames 1 --size 300x300 -T svg | grep -e 'class="m c"' -e 'columns<'
echo --- decibels of magnitudes
printf '\200\300%.0s' {1..40000} >iq.cu8
gpuenv iq.cu8 -r 10k --db -T svg | grep -c -e 'class="s"'
gpuenv iq.cu8 -r 10k --db --zoom 10ms -T svg | grep -o -e 'class="s"' -e 'y="53">[^<]*'
gpuenv iq.cu8 -r 10k --db --zoom 10ms --emit max -T svg | grep -c -e 'class="s"' || true
gpuenv in.f32 -T svg | grep -c 'style="max-width:100%;height:auto"'
gpuenv in.f32 --plain -T svg | grep -c 'style="max-width:100%;height:auto"'
