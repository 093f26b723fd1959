/* A crew: a few threads that work on the parts of one job at a time. The caller is one of them. */
#ifndef GPUENV_BASE_CREW_H
#define GPUENV_BASE_CREW_H

struct crew;

/* Starts a crew of `threads`, counting the caller. It is smaller when the system refuses to start
 * more threads. NULL only when there is no memory. */
struct crew *crew_open(unsigned threads);
void crew_close(struct crew *crew);

/* How many threads it has, counting the caller. */
unsigned crew_size(const struct crew *crew);

/* Calls part(context, i) for i = 0 .. parts-1, spread over the crew; returns when all
 * have returned. */
void crew_run(struct crew *crew, unsigned parts, void (*part)(void *context, unsigned index),
              void *context);

#endif
