#!/bin/bash
# Truncated files, and two concatenated ones, that libsndfile reads: ends.sh PROGRAM
#
# All frames of the first file are written, then there is an error; from files and from pipes. Then files that
# libsndfile would misread: an error, and no frames.
#
# cat is used because the tests are about pipes:
# shellcheck disable=SC2002
# shellcheck source=tests/containers/prelude.sh
. "$(dirname "$0")/prelude.sh"

if [ "$has_sndfile" -ne 0 ]; then
    echo "built without libsndfile"
    exit 77
fi

# fails NAME FILE DUE WORDS: as a file and in a pipe, gives DUE, then an error with these words.
fails()
{
    local name=$1 file=$2 due=$3 words=$4 way status
    for way in file pipe; do
        status=0
        if [ "$way" = pipe ]; then
            cat "$file" | "$program" -w 1 --emit max >out 2>said || status=$?
        else
            "$program" -w 1 --emit max "$file" >out 2>said || status=$?
        fi
        printf '%-22s %s: %6d frames due, %6d came, exit %d\n' "$name" "$way" \
            "$(($(wc -c <"$due") / 4))" "$(($(wc -c <out) / 4))" "$status"
        [ "$status" -eq 2 ] || complain "$name, $way: exit $status"
        cmp out "$due" || complain "$name, $way"
        grep -q "^gpuenv: .*$words" said || complain "$name, $way: $(cat said)"
    done
}

sox -D mono.wav -e u-law ulaw.wav
sox -D mono.wav -e u-law ulaw.au
sox -D mono.wav -e ima-adpcm adpcm.wav
sox -D mono.wav -b 16 s16.voc
sox -D mono.wav -b 8 s8.voc 2>/dev/null
sox -D mono.wav -b 16 s16.sph
sox -D mono.wav s8.8svx 2>/dev/null
sox -D mono.wav s16.flac
sox -D mono.wav s16.ogg
ffmpeg -v error -nostdin -y -i mono.wav -c:a pcm_mulaw -f caf ulaw.caf
ffmpeg -v error -nostdin -y -i mono.wav -write_id3v2 0 xing.mp3
ffmpeg -v error -nostdin -y -i mono.wav id3.mp3

for file in ulaw.wav ulaw.au adpcm.wav s16.voc s8.voc s16.sph s8.8svx s16.flac s16.ogg ulaw.caf \
    xing.mp3 id3.mp3; do
    "$program" -w 1 --emit max "$file" >whole 2>said || complain "$file: $(cat said)"
    [ ! -s said ] || complain "$file: $(cat said)"
    cat "$file" "$file" >twice
    fails "$file twice" twice whole follows
    # A few bytes may be tags.
    (cat "$file" && echo "a remark") >tagged
    case $file in
    # sox writes a wrong size for a VOC, which shows only at its end.
    *.ogg | s16.voc) ;;
    *) "$program" -w 1 --emit max tagged 2>/dev/null | cmp - whole || complain "$file, tagged" ;;
    esac
    for less in 200 $(($(wc -c <"$file") / 3)); do
        head -c "-$less" "$file" >short
        "$program" -w 1 --emit max short >out 2>/dev/null || true
        # The number of lost frames is known only for samples of one size; otherwise decoding goes on.
        case $file in
        ulaw.* | s8.*) head -c -$((less * 4)) whole >due ;;
        s16.voc | s16.sph) head -c -$((less * 2 + less % 2 * 2)) whole >due ;;
        *) cp out due ;;
        esac
        # The terminator of a VOC, and padding, are not samples.
        case $file in
        *.voc | *.8svx | ulaw.wav) head -c "$(wc -c <out)" whole >due ;;
        esac
        fails "$file less $less" short due 'ends\|cut off\|lost sync\|malformed'
    done
done

# An odd number of bytes. Some writers add a byte; for others the last one is a frame.
sox -D mono.wav -e u-law odd.caf
sox -D mono.wav -e u-law odd.w64
cp ulaw.au odd.au
cp ulaw.caf bare.caf
cp s16.sph odd.sph
for file in odd.caf odd.w64 odd.au bare.caf odd.sph; do
    "$program" -w 1 --emit max "$file" >whole
    head -c -4 whole >due
    less=1
    [ "$file" != odd.caf ] || less=2
    head -c -"$less" "$file" >short
    fails "$file less $less" short due 'ends after'
    cat "$file" "$file" >twice
    fails "$file twice" twice whole follows
    (cat "$file" && echo "a remark") >tagged
    "$program" -w 1 --emit max tagged | cmp - whole || complain "$file, tagged"
done

# A file of another kind follows.
"$program" -w 1 --emit max s16.flac >whole
cat s16.flac mono.wav >two
fails "FLAC and WAV" two whole 'header knows of'
"$program" -w 1 --emit max bare.caf >whole
cat bare.caf mono.wav >two
fails "CAF and WAV" two whole 'a WAV file follows'

# The FLAC decoder returns whole blocks: a truncated file gives the same frames as flac.
head -c -5000 s16.flac >cut.flac
flac -s -d -c -F --force-raw-format --endian little --sign signed cut.flac >flac.raw 2>said || true
"$program" -w 1 --emit max -t s16 flac.raw >due 2>/dev/null
"$program" -w 1 --emit max cut.flac >out 2>/dev/null || true
cmp -n "$(wc -c <out)" out due || complain "a FLAC that is cut"

# libsndfile would take block headers for samples, and the right channel for later frames.
: >nothing
ffmpeg -v error -nostdin -y -i mono.wav blocks.voc
fails "VOC of many blocks" blocks.voc nothing 'misreads: try ffmpeg'
sox -D -M mono.wav mono.wav stereo.8svx 2>/dev/null
fails "stereo 8SVX" stereo.8svx nothing 'misreads: try ffmpeg'
exit "$failed"
