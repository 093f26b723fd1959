/* The threads that share out work: one crew for the whole process.
 *
 * Whoever has a job of several parts runs it through the crew: the caller does parts itself, and
 * helpers that are free do others. Any number of threads may call at once. Helpers are started when
 * a job has use for them, so a process whose work is small has none. */
#ifndef GPUENV_BASE_CREW_H
#define GPUENV_BASE_CREW_H

struct crew;

/* Work by at most `threads` threads, one of which is the caller's. NULL, with errno set, when there
 * is no memory. */
struct crew *crew_open(unsigned threads);
void crew_close(struct crew *crew);

/* How many threads a job can have, counting the caller. */
unsigned crew_size(const struct crew *crew);

/* Starts helpers for a job of so many parts. Returns how many threads it can have, counting the
 * caller: fewer where the system has no more threads. */
unsigned crew_call(struct crew *crew, unsigned parts);

/* Calls part(context, i) for i = 0 .. parts-1 and returns when all have returned. Parts start in
 * order. No two of them may wait for one another: there may be one thread for all. */
void crew_run(struct crew *crew, unsigned parts, void (*part)(void *context, unsigned index),
              void *context);

#endif
