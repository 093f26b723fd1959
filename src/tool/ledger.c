/* SPDX-License-Identifier: MIT */
#include "tool/ledger_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory_text.h"
#include "base/min_max.h"
#include "base/size_words.h"
#include "lib/gpuenv.h"

int ledger_open(struct ledger *ledger, unsigned threads, uint64_t files, uint64_t bytes)
{
    *ledger = (struct ledger){
        .files = files, .bytes = bytes, .threads = threads, .started = clock_seconds()};
    pthread_mutex_init(&ledger->lock, NULL);
    ledger->under_way = calloc(threads, sizeof *ledger->under_way);
    return ledger->under_way == NULL ? -1 : 0;
}

void ledger_close(struct ledger *ledger)
{
    free(ledger->under_way);
    pthread_mutex_destroy(&ledger->lock);
}

void ledger_begin(struct ledger *ledger, struct under_way *under_way, uint64_t size)
{
    pthread_mutex_lock(&ledger->lock);
    *under_way = (struct under_way){.size = size};
    pthread_mutex_unlock(&ledger->lock);
}

void ledger_end(struct ledger *ledger, struct under_way *under_way, enum input_outcome outcome,
                const struct run_result *result)
{
    pthread_mutex_lock(&ledger->lock);
    ledger->ended[outcome]++;
    ledger->size += under_way->size;
    ledger->in_bytes += result->in_bytes;
    ledger->out_bytes += result->out_bytes;
    *under_way = (struct under_way){.size = 0};
    pthread_mutex_unlock(&ledger->lock);
}

uint64_t ledger_ended(struct ledger *ledger)
{
    uint64_t ended = 0;

    pthread_mutex_lock(&ledger->lock);
    for (int i = 0; i < OUTCOMES; i++)
        ended += ledger->ended[i];
    pthread_mutex_unlock(&ledger->lock);
    return ended;
}

/* Call with the lock held. Decoded frames may be larger than their file. */
static uint64_t done_bytes(const struct ledger *ledger)
{
    uint64_t bytes = ledger->size;

    for (unsigned i = 0; i < ledger->threads; i++) {
        const struct under_way *under_way = &ledger->under_way[i];
        const struct pipeline_progress *progress = &under_way->progress;

        bytes += min_u64(atomic_load(&progress->in_frames) * atomic_load(&progress->frame_bytes),
                         under_way->size);
    }
    return bytes;
}

void ledger_format(struct ledger *ledger, char *text, size_t size)
{
    const double seconds = clock_seconds() - ledger->started;
    const bool is_known = ledger->files != UINT64_MAX;
    const uint64_t ended = ledger_ended(ledger);
    uint64_t failures;
    uint64_t bytes;
    bool ends;
    double rate;
    char amounts[2][48];
    char time[48];
    char of[32] = "";
    char failed[48] = "";

    pthread_mutex_lock(&ledger->lock);
    bytes = done_bytes(ledger);
    failures = ledger->ended[OUTCOME_FAILED];
    pthread_mutex_unlock(&ledger->lock);
    ends = is_known && bytes > 0 && bytes <= ledger->bytes;
    rate = seconds > 0 ? (double)bytes / seconds : 0;
    if (is_known)
        snprintf(of, sizeof of, " of %" PRIu64, ledger->files);
    if (failures > 0)
        snprintf(failed, sizeof failed, ", %" PRIu64 " failed", failures);
    size_amount((double)bytes, true, "B", amounts[0], sizeof amounts[0]);
    size_amount(rate, true, "B/s", amounts[1], sizeof amounts[1]);
    progress_time(ends && rate > 0 ? (double)(ledger->bytes - bytes) / rate : seconds, time,
                  sizeof time);
    snprintf(text, size, "%" PRIu64 "%s file%s%s, %s, %s, %s %s", ended, of,
             size_plural(is_known ? ledger->files : ended), failed, amounts[0], amounts[1], time,
             ends ? "left" : "so far");
}

char *ledger_line(struct ledger *ledger, int status, uint64_t not_begun, size_t *size)
{
    struct memory_text text = {.bytes = NULL};

    memory_text_print(&text,
                      "{\"version\": \"%s\", \"status\": %d, \"files\": %" PRIu64
                      ", \"done\": %" PRIu64 ", \"failed\": %" PRIu64 ", \"passed_over\": %" PRIu64
                      ", \"not_begun\": %" PRIu64 ", \"in_bytes\": %" PRIu64
                      ", \"out_bytes\": %" PRIu64 ", \"seconds\": %.6f}\n",
                      gpuenv_version(), status,
                      ledger->ended[OUTCOME_DONE] + ledger->ended[OUTCOME_FAILED] +
                          ledger->ended[OUTCOME_PASSED_OVER] + not_begun,
                      ledger->ended[OUTCOME_DONE], ledger->ended[OUTCOME_FAILED],
                      ledger->ended[OUTCOME_PASSED_OVER], not_begun, ledger->in_bytes,
                      ledger->out_bytes, clock_seconds() - ledger->started);
    return memory_text_take(&text, size);
}
