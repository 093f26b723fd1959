/* SPDX-License-Identifier: MIT */
/* One block of van Herk's method, for samples of type vanherk_value. No include guard: window.c
 * includes it for each type. */

static void VANHERK(find_suffixes)(const vanherk_value *block, size_t width, vanherk_value *lows,
                                   vanherk_value *highs)
{
    vanherk_value low = (vanherk_value)INFINITY;
    vanherk_value high = -low;

    for (size_t i = width; i-- > 0;) {
        low = LESSER(low, block[i]);
        high = GREATER(high, block[i]);
        lows[i] = low;
        highs[i] = high;
    }
}

/* The windows that begin in the block: a suffix of it and a prefix of the next. */
static void VANHERK(slide)(const struct vanherk *filter, const vanherk_value *next, size_t windows,
                           vanherk_value *low_out, vanherk_value *high_out)
{
    const vanherk_value *lows = filter->low;
    const vanherk_value *highs = filter->high;
    vanherk_value low = (vanherk_value)INFINITY;
    vanherk_value high = -low;

    low_out[0] = lows[0];
    high_out[0] = highs[0];
    for (size_t i = 1; i < windows; i++) {
        low = LESSER(low, next[i - 1]);
        high = GREATER(high, next[i - 1]);
        low_out[i] = LESSER(lows[i], low);
        high_out[i] = GREATER(highs[i], high);
    }
}

static void VANHERK(run)(const struct vanherk *filter)
{
    const struct bench_task *task = filter->task;
    const vanherk_value *samples = task->samples;
    vanherk_value *low = task->windows;
    size_t width = (size_t)task->width;
    size_t windows = bench_windows(task);

    for (size_t at = 0; at < windows;) {
        size_t count = windows - at < width ? windows - at : width;

        VANHERK(find_suffixes)(samples + at, width, filter->low, filter->high);
        VANHERK(slide)(filter, samples + at + width, count, low + at, low + windows + at);
        at += count;
    }
}

#undef VANHERK
#undef vanherk_value
