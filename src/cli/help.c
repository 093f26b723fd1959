#include "cli/help.h"

/* 79 columns; one screen. The man page has the rules. A test holds the option names against
 * the man page and the completions. */
static const char text[] =
    "Usage: gpuenv -w LEN [OPTION]... [FILE]\n"
    "       gpuenv --emit none --stats FILE [OPTION]... [FILE]\n"
    "The running minimum and maximum (the envelope) of sound or other samples.\n"
    "\n"
    "Reads FILE, or standard input. Writes to standard output, as float32, the\n"
    "minimum and the maximum of each channel in every window of LEN frames.\n"
    "LEN is frames (512) or, where the rate is known, a time (10ms; us ms s min h).\n"
    "\n"
    "Window:\n"
    "  -w, --window LEN       how long the window is (required)\n"
    "      --align WHERE      output k covers\n"
    "                           valid   frames k to k+LEN-1 (default)\n"
    "                           causal  the LEN frames up to k\n"
    "                           center  the LEN frames around k\n"
    "      --edge RULE        a window cut by an end gives: shrink (default), nan\n"
    "      --hop LEN          write every LEN-th output frame only\n"
    "      --emit LIST        what to write: min,max (default),abs,range,mid; none\n"
    "      --nan POLICY       propagate (default), omit, error\n"
    "\n"
    "Input:\n"
    "  -t, --type TYPE        auto (default): what its first bytes say, else f32;\n"
    "                         wav rf64 w64 au npy aiff caf flac ogg mp3 sndfile;\n"
    "                         raw: f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32,\n"
    "                         complex: cf32 cs16 cs8 cu8; s16le, s16be\n"
    "  -c, --channels N       interleaved channels of raw frames (1)\n"
    "  -r, --rate HZ          their frames a second: 48000, 44.1k, 2.4M\n"
    "  -L, --little-endian    byte order of TYPE where its name has none (default)\n"
    "  -B, --big-endian\n"
    "      --counts           integers as they are; else scaled to [-1,1)\n"
    "      --skip LEN         pass over the first LEN frames\n"
    "      --frames LEN       read LEN frames at most\n"
    "\n"
    "Output:\n"
    "  -o, --output FILE      a file that appears whole or not at all\n"
    "  -T, --output-type TYPE f32 (default) or another real type; or a container:\n"
    "                         wav rf64 w64 au npy aiff caf flac ogg; wav:s16\n"
    "  -f, --force            use a terminal for frames\n"
    "      --stats FILE       extremes, mean, RMS of the input; - with --emit none\n"
    "      --stats-every LEN  a record each LEN frames; --stats-format jsonl, tsv\n"
    "\n"
    "Work (changes no byte of the output):\n"
    "      --device NAME      auto, cpu, cuda[:N]\n"
    "      --threads N        at most N threads\n"
    "      --isa NAME         at most scalar, sse4, avx2, avx512, neon\n"
    "      --chunk FRAMES     at most FRAMES at a time\n"
    "      --algorithm NAME   engine, lemire (the sequential reference)\n"
    "\n"
    "Messages:\n"
    "      --report FILE      write an account of the run, as JSON\n"
    "      --progress, --no-progress\n"
    "  -v, --verbose          -q, --quiet\n"
    "  -h, --help             -V, --version\n"
    "\n"
    "Examples:\n"
    "  gpuenv -w 10ms in.wav -o envelope.wav\n"
    "  sox in.wav -t f32 - | gpuenv -w 512 -c 2 > envelope.f32\n"
    "  gpuenv -t s16 -r 48k -w 10ms --hop 10ms -o overview.f32 recording.s16\n"
    "  rtl_sdr -f 100M -s 2.4M - | gpuenv -t cu8 -r 2.4M -w 1ms --emit max > am.f32\n"
    "Every rule, more examples: man gpuenv\n";

static const char version[] = "gpuenv " GPUENV_VERSION "\n";

const char *help_text(void)
{
    return text;
}

const char *help_version(void)
{
    return version;
}
