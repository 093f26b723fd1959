/* --help and --version of gpuenv-bench. */
#ifndef GPUENV_BENCH_HELP_H
#define GPUENV_BENCH_HELP_H

const char *bench_help_text(void);
const char *bench_help_version(void);

#endif
