/* The thread pool: one crew for the whole process.
 *
 * The caller of crew_run() works on the parts of its job, and idle helper threads join in. Any
 * number of threads may call at once. Helpers are started on demand, so a process with little work
 * has none. */
#ifndef GPUENV_BASE_CREW_H
#define GPUENV_BASE_CREW_H

struct crew;

/* One job of a crew. Between crew_begin() and crew_end() all fields are protected by its lock. */
struct crew_job {
    void (*part)(void *context, unsigned index);
    void *context;
    unsigned parts;
    unsigned taken;
    unsigned finished;
    struct crew_job *next;
};

/* A crew of at most `threads` threads, the caller's included. Returns NULL, with errno set, when
 * out of memory. */
struct crew *crew_open(unsigned threads);
void crew_close(struct crew *crew);

/* The most threads that can work on a job, the caller included. */
unsigned crew_size(const struct crew *crew);

/* Calls part(context, i) for i = 0 .. parts-1 and returns when all have returned. Parts start in
 * order. Parts must not wait for each other: one thread may run them all. */
void crew_run(struct crew *crew, unsigned parts, void (*part)(void *context, unsigned index),
              void *context);

/* The same in two steps: helpers begin, and crew_end() joins in. */
void crew_begin(struct crew *crew, struct crew_job *job, unsigned parts,
                void (*part)(void *context, unsigned index), void *context);
void crew_end(struct crew *crew, struct crew_job *job);

#endif
