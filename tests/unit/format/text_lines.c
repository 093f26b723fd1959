/* SPDX-License-Identifier: MIT */
/* Text that is written: by threads, and in parts, the lines that one thread writes. */
#include "files.h"

#include "base/memory_text.h"
#include "base/threads.h"

enum { FRAMES = 60000, CHANNELS = 2, FIRST = 5, HOP = 3 };

static float frames[FRAMES * 2 * CHANNELS];
static struct memory_text due; /* the whole table */

static void make_frames(void)
{
    (void)memory_text_put(&due, "frame,ch1_min,ch1_max,ch2_min,ch2_max\n");
    for (size_t i = 0; i < FRAMES; i++) {
        float *row = frames + i * 2 * CHANNELS;

        for (size_t k = 0; k < 4; k++)
            row[k] = (float)((i * 7919 + k * 104729) % 1000003);
        (void)memory_text_print(&due, "%zu,%.0f,%.0f,%.0f,%.0f\n", FIRST + i * HOP, (double)row[0],
                                (double)row[1], (double)row[2], (double)row[3]);
    }
    scratch_need(!due.failed, "memory");
}

static void open_text(const char *path, struct threads *threads)
{
    struct sink_request request = {.type = "csv"};
    struct sink_format format = {.row = {.count = 2, .kind = {VALUE_F32, VALUE_F32}},
                                 .channels = 2 * CHANNELS};

    scratch_need(sink_choose(&request, &format, &out.error) == 0, words_of(&out.error));
    format.context = (struct sink_context){
        .emits = {.count = 2, .item = {EMIT_MIN, EMIT_MAX}},
        .channels = CHANNELS,
        .window = {.width = HOP, .hop = HOP},
        .first_frame = FIRST,
        .threads = threads,
    };
    sink_open_file(path, &format);
}

static void check_table(const char *words)
{
    (void)sink_end();
    CHECK_THAT(scratch_holds("out.csv", due.bytes), "%s", words);
}

/* A write of any length has the same lines. */
static void check_writes(unsigned most)
{
    static const size_t lengths[] = {1, 4, 900, 11000, 33333, FRAMES};
    struct threads *threads = most == 0 ? NULL : threads_open(most);
    size_t some;

    open_text("out.csv", threads);
    for (size_t done = 0, i = 0; done < FRAMES; done += some, i++) {
        some = lengths[i] < FRAMES - done ? lengths[i] : FRAMES - done;
        CHECK(sink_writes(frames + done * 2 * CHANNELS, some));
    }
    check_table("writes");
    threads_close(threads);
}

static struct sink *part_of(size_t first, size_t count)
{
    struct sink *part = out.sink->class->part(out.sink, first, count);

    scratch_need(part != NULL, "part");
    CHECK(part->class->write(part, frames + first * 2 * CHANNELS, count / 2, NULL, false,
                             &out.error) == 0);
    CHECK(part->class->write(part, frames + (first + count / 2) * 2 * CHANNELS, count - count / 2,
                             NULL, false, &out.error) == 0);
    return part;
}

static void join(struct sink *part)
{
    CHECK(out.sink->class->join(out.sink, part, &out.error) == 0);
    part->class->close(part);
}

/* A later part may be ready first, and writes go on behind the last. */
static void check_parts(void)
{
    struct sink *later;
    struct sink *earlier;

    open_text("out.csv", NULL);
    later = part_of(20001, 9000);
    earlier = part_of(0, 20001);
    join(earlier);
    join(later);
    CHECK(sink_writes(frames + 29001 * 2 * CHANNELS, FRAMES - 29001));
    check_table("parts");
}

/* No thread looks at the frames when a write has failed. */
static void check_full(unsigned most)
{
    struct threads *threads = threads_open(most);
    const size_t bytes = sizeof frames;
    float *copy = malloc(bytes);
    struct sink *part;

    scratch_need(copy != NULL, "malloc");
    memcpy(copy, frames, bytes);
    open_text("/dev/full", threads);
    part = part_of(0, 100);
    CHECK(!sink_writes(copy, FRAMES) && out.error.number == ENOSPC);
    free(copy);
    CHECK(out.sink->class->join(out.sink, part, &out.error) != 0 && out.error.number == ENOSPC);
    part->class->close(part);
    out.sink->class->close(out.sink);
    output_close(&out.output);
    threads_close(threads);
}

int main(void)
{
    scratch_enter();
    make_frames();
    for (unsigned most = 0; most < 6; most++)
        check_writes(most);
    check_parts();
    check_full(1);
    check_full(4);
    memory_text_free(&due);
    return check_result();
}
