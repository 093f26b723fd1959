/* SPDX-License-Identifier: MIT */
#include "engine/part.h"

#include <math.h>
#include <stdbool.h>

#include "base/min_max.h"
#include "window/rules.h"

/* The number of bits without leading zeros. */
static unsigned bits_of(uint64_t number)
{
    return number > 0 ? 64 - (unsigned)__builtin_clzll(number) : 0;
}

/* A block that lies fully within the frames is one part. The first block may start in the middle of
 * its tree and is covered by ever larger subtrees; the last one may stop in the middle of its tree
 * and is covered by ever smaller ones. */
uint64_t parts_most(uint64_t every, uint64_t count)
{
    return count / every + 4 + UINT64_C(2) * bits_of(count / TREE_LEAF);
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
        unsigned level; /* level of the largest subtree that fits and can begin with this leaf */
        uint64_t of_part;

        if (leaves == 0)
            break;
        level = ends ? bits_of(leaves - 1) : bits_of(leaves) - 1;
        if (leaf > 0)
            level = (unsigned)min_u64(level, (unsigned)__builtin_ctzll(leaf));
        of_part = min_u64((uint64_t)TREE_LEAF << level, left);
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
        uint64_t left = every - in_block;
        uint64_t span = min_u64(count - at, left);
        uint64_t begun = in_block % TREE_LEAF == 0 ? 0 : TREE_LEAF - in_block % TREE_LEAF;

        if (begun < span)
            parts += cut_block(part + parts, at + begun, span - begun,
                               (in_block + begun) / TREE_LEAF, span == left, frames);
        at += span;
    }
    return parts;
}

const struct stats_values stats_none = {
    .low = KEY64_ABOVE, .high = KEY64_BELOW, .first_at = STATS_NOWHERE};

static int64_t key_of(enum value_kind kind, double value)
{
    return kind == VALUE_F32 ? (int32_t)rules_flip(rules_bits((float)value))
                             : (int64_t)rules_flip64(rules_bits64(value));
}

/* Integers are scaled to [-1,1), so the highest code is one step below 1. For 64 bits a double
 * rounds both that number and the highest code to 1. The codes of G.711 end alike on both sides. */
struct full_scale full_scale_of(struct sample_type type, enum value_kind kind)
{
    const int bits = type.bits > 0 ? type.bits : 8 * (int)sample_type_bytes(type);
    double high = sample_type_has_nan(type) ? 1 : 1 - ldexp(1, 1 - bits);
    double low = -1;

    if (type.kind == SAMPLE_ULAW)
        high = 32124.0 / 32768;
    if (type.kind == SAMPLE_ALAW)
        high = 32256.0 / 32768;
    if (type.kind == SAMPLE_ULAW || type.kind == SAMPLE_ALAW)
        low = -high;
    if (sample_type_is_complex(type) || type.counts)
        return (struct full_scale){.known = false};
    if (kind == VALUE_I64)
        return (struct full_scale){.low = INT64_MIN, .high = INT64_MAX, .known = true};
    return (struct full_scale){
        .low = key_of(kind, low),
        .high = key_of(kind, high),
        .known = true,
    };
}
