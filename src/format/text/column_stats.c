#include "format/text/column_stats_priv.h"

#include <math.h>
#include <stdbool.h>

static struct column_node node_of(const double *numbers, unsigned count)
{
    struct column_node node = {.count = count};

    for (unsigned i = 0; i < count; i++)
        node.mean += numbers[i] - numbers[0];
    node.mean = numbers[0] + node.mean / count;
    for (unsigned i = 0; i < count; i++)
        node.squares += (numbers[i] - node.mean) * (numbers[i] - node.mean);
    return node;
}

static struct column_node join(struct column_node left, struct column_node right)
{
    const double count = left.count + right.count;
    const double apart = right.mean - left.mean;

    return (struct column_node){
        .count = count,
        .mean = left.mean + apart * (right.count / count),
        .squares =
            left.squares + right.squares + apart * apart * (left.count * (right.count / count)),
    };
}

/* A binary counter, as in tree_add_subtree(). */
static void end_block(struct column_stats *stats)
{
    struct column_node node = node_of(stats->block, stats->filled);
    unsigned level = 0;

    for (uint64_t left = stats->blocks; (left & 1) != 0; left >>= 1)
        node = join(stats->level[level++], node);
    stats->level[level] = node;
    stats->blocks++;
    stats->filled = 0;
}

static bool is_empty(const struct column_stats *stats)
{
    return stats->blocks == 0 && stats->filled == 0;
}

void column_stats_add(struct column_stats *stats, const double *numbers,
                      const struct moment *moments, size_t count)
{
    size_t last = count;

    for (size_t i = 0; i < count; i++) {
        if (isnan(numbers[i]))
            continue;
        if (is_empty(stats)) {
            stats->first = numbers[i];
            if (moments != NULL)
                stats->times[TIME_OF_FIRST] = moments[i];
        }
        last = i;
        stats->block[stats->filled++] = numbers[i];
        if (stats->filled == COLUMN_BLOCK)
            end_block(stats);
    }
    if (last == count)
        return;
    stats->last = numbers[last];
    if (moments != NULL)
        stats->times[TIME_OF_LAST] = moments[last];
}

double column_stats_deviation(const struct column_stats *stats)
{
    struct column_node all = {.count = 0};

    if (stats->filled > 0)
        all = node_of(stats->block, stats->filled);
    for (unsigned level = 0; stats->blocks >> level != 0; level++) {
        if ((stats->blocks >> level & 1) != 0)
            all = all.count > 0 ? join(stats->level[level], all) : stats->level[level];
    }
    return all.count < 2 ? (double)NAN : sqrt(all.squares / (all.count - 1));
}

double column_stats_first(const struct column_stats *stats)
{
    return is_empty(stats) ? (double)NAN : stats->first;
}

double column_stats_last(const struct column_stats *stats)
{
    return is_empty(stats) ? (double)NAN : stats->last;
}
