#include "engine/part.h"

#include <stdbool.h>

enum { LEVELS_MOST = 52 }; /* of the summation tree */

/* A block that lies fully within the frames is one part. The first block may start in the middle of
 * its tree and is covered by ever larger subtrees; the last one may stop in the middle of its tree
 * and is covered by ever smaller ones. */
uint64_t parts_most(uint64_t every, uint64_t count)
{
    uint64_t edges = 4;

    for (uint64_t leaves = count / TREE_LEAF; leaves > 0; leaves /= 2)
        edges += 2;
    return count / every + edges;
}

static unsigned floor_log2(uint64_t number)
{
    unsigned log = 0;

    for (; number > 1; number /= 2)
        log++;
    return log;
}

static unsigned ceil_log2(uint64_t number)
{
    return number > 1 ? floor_log2(number - 1) + 1 : 0;
}

/* The level of the largest subtree that begins with leaf number `leaf`. */
static unsigned levels_above(uint64_t leaf)
{
    unsigned levels = 0;

    if (leaf == 0)
        return LEVELS_MOST;
    for (; leaf % 2 == 0; leaf /= 2)
        levels++;
    return levels;
}

/* Cuts frames of one block, starting at a leaf boundary; `leaf` is the number of the first leaf.
 * Where the block ends, its last leaf may be short, and its last subtree may lack leaves. Returns
 * the number of parts, and adds their frames to `*frames`. */
static size_t cut_block(struct stats_part *part, uint64_t first, uint64_t count, uint64_t leaf,
                        bool ends, uint64_t *frames)
{
    size_t parts = 0;

    for (uint64_t done = 0; done < count;) {
        uint64_t left = count - done;
        uint64_t leaves = left / TREE_LEAF + (ends && left % TREE_LEAF != 0 ? 1 : 0);
        unsigned level = levels_above(leaf);
        unsigned fits = ends ? ceil_log2(leaves) : floor_log2(leaves);
        uint64_t of_part;

        if (leaves == 0)
            break;
        level = level < fits ? level : fits;
        of_part = (uint64_t)TREE_LEAF << level;
        of_part = of_part < left ? of_part : left;
        part[parts++] = (struct stats_part){first + done, of_part, level};
        leaf += UINT64_C(1) << level;
        done += of_part;
        *frames += of_part;
    }
    return parts;
}

size_t parts_cut(struct stats_part *part, uint64_t every, uint64_t first, uint64_t count,
                 uint64_t *frames)
{
    size_t parts = 0;

    *frames = 0;
    for (uint64_t at = 0; at < count;) {
        uint64_t in_block = (first + at) % every;
        uint64_t room = every - in_block;
        uint64_t span = count - at < room ? count - at : room;
        uint64_t begun = in_block % TREE_LEAF == 0 ? 0 : TREE_LEAF - in_block % TREE_LEAF;

        if (begun < span)
            parts += cut_block(part + parts, at + begun, span - begun,
                               (in_block + begun) / TREE_LEAF, span == room, frames);
        at += span;
    }
    return parts;
}
