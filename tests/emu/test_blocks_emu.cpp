// Blocks of the emulator that run at the same time: test_blocks_emu [no-race|race]
//
// Static shared memory would make them run one by one, so the kernels here have none.
#include "check.h"

#include <cstring>

#include "cuda/launch.cuh"
#include "emu.h"

enum { BLOCKS = 64, THREADS = 64 };

// The block that draws the last ticket sums what all blocks have written.
template <bool ATOMIC, bool FENCE>
static __global__ void tickets(int *parts, unsigned *ticket, int *out)
{
    SHARED_DYNAMIC(int, is_last);

    if (threadIdx.x == 0) {
        parts[blockIdx.x] = (int)blockIdx.x + 1;
        if (FENCE)
            __threadfence();
        if (ATOMIC) {
            is_last[0] = atomicAdd(ticket, 1U) == gridDim.x - 1;
        } else {
            unsigned own = *ticket;

            emu_pause();
            *ticket = own + 1;
            is_last[0] = own == gridDim.x - 1;
        }
        if (FENCE)
            __threadfence();
    }
    __syncthreads();
    if (is_last[0] != 0 && threadIdx.x == 0) {
        out[0] = 0;
        out[1] = (int)blockIdx.x;
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += parts[i];
    }
}

struct board {
    int parts[BLOCKS];
    unsigned ticket;
    int out[2];
};

// Runs it several times. Returns how often the sum was right; `*others`: how often the last ticket
// was not taken by the block launched last.
template <bool ATOMIC, bool FENCE> static int play(int rounds, int *others)
{
    const int sum = BLOCKS * (BLOCKS + 1) / 2;
    struct board *board = NULL;
    struct board got;
    int right = 0;

    *others = 0;
    CHECK(cudaMalloc((void **)&board, sizeof *board) == cudaSuccess);
    for (int i = 0; i < rounds; i++) {
        CHECK(cudaMemset(board, 0, sizeof *board) == cudaSuccess);
        LAUNCH((tickets<ATOMIC, FENCE>), BLOCKS, THREADS, sizeof(int), NULL, board->parts,
               &board->ticket, board->out);
        CHECK(cudaMemcpy(&got, board, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
        right += got.out[0] == sum;
        *others += got.out[1] % (BLOCKS - 1) != 0;
    }
    CHECK(cudaFree(board) == cudaSuccess);
    return right;
}

int main(int argc, char **argv)
{
    bool race_only = argc > 1 && strcmp(argv[1], "race") == 0;
    bool without_race = argc > 1 && strcmp(argv[1], "no-race") == 0;
    int others;

    if (!race_only) {
        CHECK((play<true, true>(30, &others)) == 30);
        CHECK(others > 0);
    }
    if (!race_only && !without_race)
        CHECK((play<false, true>(30, &others)) < 30); // two blocks have drawn the same ticket
    if (race_only)
        (void)play<true, false>(3, &others);
    CHECK(emu_live_objects() == 0);
    return check_result();
}
