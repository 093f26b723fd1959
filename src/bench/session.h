/* A session: everything that one command line of gpuenv-bench asks for. */
#ifndef GPUENV_BENCH_SESSION_H
#define GPUENV_BENCH_SESSION_H

#include "base/error.h"
#include "bench/bench_options.h"

/* Prints what there is to compare. */
int session_list(const struct bench_options *options, struct error *error);

/* A wrong result or a failure is an error at the end, when everything has been told. */
int session_run(const struct bench_options *options, struct error *error);

#endif
