#include "bench/help.h"

/* 79 columns. The man page has the rules. A test holds the option names against the man page and
 * the completions. */
static const char text[] =
    "Usage: gpuenv-bench [OPTION]...\n"
    "Compares ways to compute the running minimum and maximum: those of gpuenv, and\n"
    "those that were published before it. Every one is checked before it is timed.\n"
    "\n"
    "LIST is numbers with commas (1000,1e6,10M) and ranges: 1000..1e6*10 (times 10),\n"
    "100..500+100 (100 more), 1..64 (times 2).\n"
    "\n"
    "What is compared:\n"
    "  -s, --samples LIST     how many float32 samples (10000000)\n"
    "  -w, --window LIST      the lengths of the window (512)\n"
    "      --reduce PROBLEM   max (largest magnitude and its index) or sum of all\n"
    "                         samples, instead of windows\n"
    "      --data KIND        random (default), positive, sorted, falling, constant,\n"
    "                         zero, ties, subnormal\n"
    "      --only NAMES       these flavours only: lemire,cpu\n"
    "      --list             print the flavours and what they are, and end\n"
    "\n"
    "How:\n"
    "  -i, --iterations N     timed runs of each (5)\n"
    "      --sweep WHAT       every pair of threads and blocks:\n"
    "                         threads=32..1024,blocks=4,16,64\n"
    "      --device N         the number of the CUDA device (0)\n"
    "\n"
    "Results (a table is printed to standard output):\n"
    "      --csv FILE         as comma-separated values; - instead of the table\n"
    "      --json FILE        as JSON; - instead of the table\n"
    "      --plot FILE        a picture, .svg or .png, by gnuplot\n"
    "  -v, --verbose          tell what is done\n"
    "  -h, --help             -V, --version\n"
    "\n"
    "Exit status: 0 all is right, 1 wrong usage, 2 a wrong result or a failure.\n"
    "\n"
    "Examples:\n"
    "  gpuenv-bench -s 10000000 -w 100,500,800,1000\n"
    "  gpuenv-bench -s 1e4..1e7*10 -w 100,1000 --plot times.svg\n"
    "  gpuenv-bench --reduce max --only vecmax --sweep threads=32..1024,blocks=4..64\n"
    "What each number means: man gpuenv-bench\n";

static const char version[] = "gpuenv-bench " GPUENV_VERSION "\n";

const char *bench_help_text(void)
{
    return text;
}

const char *bench_help_version(void)
{
    return version;
}
