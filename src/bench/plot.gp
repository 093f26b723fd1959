# Draws each flavour's time, relative to a copy of the same bytes, over the number of samples, and over
# the window. The work per sample hardly depends on the window, so one window represents all in the
# first panel. Both axes are logarithmic. The legend has its own strip below the panels, so it covers
# no line; where one of our engines is slower than another method, its point has a ring.
#
# plot.c puts these in front: $rows, one line per result: flavour, samples, window, time relative to
# the ceiling, seconds; rows, their number; all_samples, all_windows: the numbers on the command line;
# windowed: 1 for windows; title: for other problems; ceiling: its name; runs: how many; format: svg or png.
flavour(i) = word($rows[i], 1)
samples(i) = real(word($rows[i], 2))
window(i) = real(word($rows[i], 3))
times(i) = real(word($rows[i], 4))
seconds(i) = real(word($rows[i], 5))
is_other(f) = f ne ceiling && f[1:3] ne 'cpu' && f[1:4] ne 'cuda'
is_beaten(i) = (flavour(i) eq 'cpu' || flavour(i) eq 'cuda') && 0 < sum [j = 1:rows] \
    (is_other(flavour(j)) && samples(j) == samples(i) && window(j) == window(i) && seconds(j) < seconds(i))

names = ''
do for [i = 1:rows] {
    if (!strstrt(' '.names.' ', ' '.flavour(i).' ')) { names = names.(names eq '' ? '' : ' ').flavour(i) }
}
lines = words(names)

# A single number of samples makes no line over samples, unless there is nothing else to show.
over_samples = words(all_samples) > 1 || words(all_windows) <= 1
panels = over_samples + (words(all_windows) > 1)
middle = word(all_windows, words(all_windows) / 2 + 1)
most = 0
do for [s in all_samples] { most = s + 0 > most ? s + 0 : most }
is_samples(p) = p == 1 && over_samples
is_shown(p, i) = is_samples(p) ? !windowed || window(i) == middle : samples(i) == most

low = 0; high = 0; rings = 0
do for [p = 1:panels] { do for [i = 1:rows] { if (is_shown(p, i)) {
    low = low == 0 || times(i) < low ? times(i) : low
    high = times(i) > high ? times(i) : high
    rings = rings || is_beaten(i)
} } }
if (low == 0) { low = 1; high = 1 }
low = 10**floor(log10(low))
high = 10**ceil(log10(high))
if (low == high) { high = 10 * high }

width = 560 * panels
legend = (1 + (160 * lines + width - 1) / width) * 24
height = real(44 + 420 + legend)
if (format eq 'svg') {
    set terminal svg size width,height dynamic font 'sans-serif,12' background rgb 'white'
} else {
    set terminal pngcairo size width,height font 'sans,10' background rgb 'white'
}

# The colours of Okabe and Ito, which are distinguishable for colour-blind people, without the yellow,
# which is hard to see on white. Shapes and dashes differ as well.
colours = '#000000 #D55E00 #0072B2 #009E73 #CC79A7 #E69F00 #56B4E9'
shapes = '7 5 9 11 13 4 6 8 10 12 2 1 3'
style = 0
do for [l = 1:lines] {
    if (word(names, l) eq ceiling) {
        set linetype l linecolor rgb '#888888' linewidth 2 dashtype 3 pointtype 0
    } else {
        dashes = style / 7 % 4 + 1
        set linetype l linecolor rgb word(colours, style % 7 + 1) linewidth 1.6 dashtype dashes \
            pointtype int(word(shapes, style % 13 + 1)) pointsize 0.8
        style = style + 1
    }
}
set linetype (lines + 1) linecolor rgb '#CC0000' linewidth 1.6 pointtype 6 pointsize 2

set multiplot
set logscale xy
set tics nomirror scale 0.6, 0
set format x '10^{%T}'
set format y '10^{%T}'
set grid linecolor rgb '#dddddd' linewidth 0.5 dashtype solid
set border linecolor rgb '#444444'
# The CPU's model if the system names it.
machine = system("sed -n '/^model name/{s/^[^:]*: *//p;q}' /proc/cpuinfo")
if (machine eq '') { machine = system('uname -m') }
set label 1 machine.', '.runs at screen 0.5, screen (1 - 44 / 3.0 / height) center noenhanced
if (rings) {
    set label 2 'red ring: slower than a method of others' at screen 0.5, screen (1 - 44 / 1.3 / height) \
        center textcolor rgb '#CC0000'
}
do for [p = 1:panels] {
    # One data set per line, followed by the rings.
    curves = ''
    sets = 0
    set print $points
    do for [l = 1:lines + 1] {
        any = 0
        do for [i = 1:rows] {
            if (is_shown(p, i) && (l > lines ? is_beaten(i) : flavour(i) eq word(names, l))) {
                print word($rows[i], is_samples(p) ? 2 : 3), ' ', times(i)
                any = 1
            }
        }
        if (any) {
            print ''
            print ''
            curves = curves.sprintf('%s$points index %d using 1:2 with %s linestyle %d notitle', \
                curves eq '' ? '' : ', ', sets, l > lines ? 'points' : 'linespoints', l)
            sets = sets + 1
        }
    }
    unset print

    set origin (p - 1.0) / panels, legend / height
    set size 1.0 / panels, 420 / height
    numbers = is_samples(p) ? all_samples : all_windows
    set title (!is_samples(p) ? sprintf('%d samples', most) : windowed ? 'window '.middle : title)
    set xlabel (is_samples(p) ? 'samples' : 'window (samples)')
    set ylabel 'time over that of a '.ceiling
    set yrange [low:high]
    first = real(word(numbers, 1))
    last = first
    do for [s in numbers] { first = s + 0 < first ? s + 0 : first; last = s + 0 > last ? s + 0 : last }
    set xrange [first / 1.3:last * 1.3]
    # If there are only a few numbers, each gets a label, unless all are powers of ten; slanted, so
    # that neighbours do not touch.
    if (words(numbers) > 8 || (last >= 10 * first && first >= 1000)) {
        set xtics norotate auto
    } else {
        tics = ''
        do for [s in numbers] { tics = tics.sprintf("%s'%s' %s", tics eq '' ? '' : ', ', s, s) }
        eval 'set xtics '.(words(numbers) > 2 ? 'rotate by 35 right' : 'norotate').' ('.tics.')'
    }
    eval 'plot '.(curves eq '' ? '[1:10] [1:10] NaN notitle' : curves) # the others keep their places
    unset label
}

# The legend, as an empty plot over the whole width of the picture.
set origin 0, 0
set size 1, legend / height
unset logscale; unset border; unset tics; unset grid; unset title; unset xlabel; unset ylabel
set lmargin 2; set rmargin 2; set tmargin 0; set bmargin 0
set key inside center center horizontal Left reverse samplen 3 width 1
set xrange [0:1]
set yrange [0:1]
plot for [l = 1:lines] NaN with linespoints linestyle l title word(names, l) noenhanced
unset multiplot
