/* A session: everything that one command line of gpuenv-bench asks for. */
#ifndef GPUENV_BENCH_SESSION_H
#define GPUENV_BENCH_SESSION_H

#include "base/error.h"
#include "bench/bench_options.h"

/* A wrong result or a failure becomes an error at the end, after all results have been printed. */
int session_run(const struct bench_options *options, struct error *error);

#endif
