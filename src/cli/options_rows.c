#include "cli/options_rows.h"

static const struct option_section *const sections[] = {
    &options_window, &options_input, &options_table,    &options_output,
    &options_many,   &options_work,  &options_messages, NULL,
};

/* 79 columns; with the options one page. The manual has the rules. */
static const char usage[] =
    "Usage: gpuenv -w LEN [OPTION]... [FILE]\n"
    "       gpuenv -w LEN --out-dir DIR [OPTION]... FILE...\n"
    "       gpuenv --emit none --stats FILE [OPTION]... [FILE]...\n"
    "The running minimum and maximum (the envelope) of sound or other samples.\n"
    "\n"
    "Reads FILE, or standard input. Writes to standard output, as float32, the\n"
    "minimum and the maximum of each channel in every window of LEN frames.\n"
    "LEN is frames (512) or, if the rate is known, a time (10ms; us ms s min h d).\n";

static const char notes[] =
    "Examples:\n"
    "  gpuenv -w 10ms in.wav -o envelope.wav\n"
    "  sox in.wav -t f32 - | gpuenv -w 512 -c 2 > envelope.f32\n"
    "  gpuenv -t s16 -r 48k -w 10ms --hop 10ms -o overview.f32 recording.s16\n"
    "  gpuenv -w 10ms --recursive --out-dir envelopes recordings\n"
    "  rtl_sdr -f 100M -s 2.4M - | gpuenv -t cu8 -r 2.4M -w 1ms --emit max > am.f32\n"
    "Every rule, more examples: man gpuenv\n";

/* As sox, ffmpeg, audiowaveform and cut call them. */
static const struct option_elsewhere elsewhere[] = {
    {"start", "--skip passes over the beginning"},
    {"offset", "--skip passes over the beginning"},
    {"seek", "--skip passes over the beginning"},
    {"end", "--frames says how much is used"},
    {"duration", "--frames says how much is used"},
    {"length", "--frames says how much is used"},
    {"mono", "--mix takes the mean of the channels"},
    {"separator", "--delimiter says what is between columns"},
    {"pixels-per-second", "--zoom takes the time of a pixel (10ms)"},
    {"bits", "-T dat:s8 and -T dat:s16 say them"},
    {NULL, NULL},
};

const struct command options_command = {
    .program = "gpuenv",
    .usage = usage,
    .sections = sections,
    .notes = notes,
    .elsewhere = elsewhere,
};
