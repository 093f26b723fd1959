/* SPDX-License-Identifier: MIT */
// The emulator itself: it must notice the errors that it claims to notice. test_emu
// [no-race|race|fence]
//
// no-race: without the kernels that have a race, and for ThreadSanitizer, which must find them:
// race, only one that lacks a barrier; fence, only one that lacks a fence.
#include "check.h"

#include <cstring>
#include <thread>
#include <vector>

#include <cooperative_groups.h>

#include "cuda/launch.cuh"
#include "emu.h"

// Sums a block by a tree in shared memory, and again by shuffles; the samples are behind the
// results.
static __global__ void sum_kernel(int *out)
{
    SHARED_DYNAMIC(int, shared);
    int value = out[gridDim.x * 5 + blockIdx.x * blockDim.x + threadIdx.x];

    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffffU, value, delta);
    if (threadIdx.x % 32 == 0)
        out[blockIdx.x * 5 + 1 + threadIdx.x / 32] = value;
    if (threadIdx.x == 0)
        out[blockIdx.x * 5] = shared[0];
}

static __global__ void leaves_early(int *out)
{
    if (threadIdx.x == 5)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

static __global__ void lane_missing(int *out)
{
    if (threadIdx.x == 5)
        return;
    out[threadIdx.x] = __shfl_down_sync(0xffffffffU, 1, 1);
}

static __global__ void votes(int *out)
{
    int any = __syncthreads_or(threadIdx.x == 77);
    int none = __syncthreads_or(threadIdx.x == 777);
    unsigned ballot = __ballot_sync(0xffffffffU, threadIdx.x % 2);

    if (threadIdx.x == 0) {
        out[0] = any;
        out[1] = none;
        out[2] = (int)ballot;
    }
}

// All threads of all blocks modify the same places, which begin as 0.
static __global__ void atomics(int *out)
{
    int own = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    atomicAdd(&out[0], 1);
    atomicMax(&out[1], own);
    atomicMin(&out[2], -own);
    atomicCAS(&out[3], own, own + 1); // only the right order of threads gets this far
}

// Every thread writes for a thread of the next block, which must wait for it.
static __global__ void next_block(int *out)
{
    unsigned all = gridDim.x * blockDim.x;
    unsigned own = blockIdx.x * blockDim.x + threadIdx.x;

    out[own] = (int)own;
    cooperative_groups::this_grid().sync();
    int next = out[(own + blockDim.x) % all];
    cooperative_groups::this_grid().sync();
    out[own] = next;
}

static __global__ void waits_for_grid(int *out)
{
    cooperative_groups::this_grid().sync();
    out[threadIdx.x] = 1;
}

// Reads what its neighbour writes, without a barrier in between.
static __global__ void races(int *out)
{
    SHARED_DYNAMIC(int, shared);

    shared[threadIdx.x] = (int)threadIdx.x;
    out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

// The block that draws the last ticket sums what all blocks have written: out is the sum, that
// block, the ticket, and what each has written.
template <bool ATOMIC, bool FENCE> static __global__ void tickets(int *out)
{
    SHARED_DYNAMIC(int, is_last);
    int *const ticket = out + 2;
    int *const parts = out + 3;

    if (threadIdx.x == 0) {
        parts[blockIdx.x] = (int)blockIdx.x + 1;
        if (FENCE)
            __threadfence();
        if (ATOMIC) {
            is_last[0] = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
        } else {
            int own = *ticket;

            emu_pause();
            *ticket = own + 1;
            is_last[0] = own == (int)gridDim.x - 1;
        }
        if (FENCE)
            __threadfence();
    }
    __syncthreads();
    if (is_last[0] != 0 && threadIdx.x == 0) {
        out[1] = (int)blockIdx.x;
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += parts[i];
    }
}

// Runs a kernel on ints of the device, which begin as those of `memory` and come back to it.
static void run(void (*kernel)(int *), unsigned blocks, unsigned threads, std::vector<int> *memory)
{
    const size_t bytes = memory->size() * sizeof(int);
    int *device = NULL;

    CHECK(cudaMalloc((void **)&device, bytes) == cudaSuccess);
    CHECK(cudaMemcpy(device, memory->data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    LAUNCH(kernel, blocks, threads, 512, NULL, device);
    CHECK(cudaMemcpy(memory->data(), device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaFree(device) == cudaSuccess);
}

static void check_sum(void)
{
    enum { BLOCKS = 3, THREADS = 128 };
    std::vector<int> out(BLOCKS * 5 + BLOCKS * THREADS);
    int *const in = &out[BLOCKS * 5];

    for (int i = 0; i < BLOCKS * THREADS; i++)
        in[i] = i * i % 1000;
    run(sum_kernel, BLOCKS, THREADS, &out);
    for (int b = 0; b < BLOCKS; b++) {
        int sum = 0;

        for (int i = 0; i < THREADS; i++)
            sum += in[b * THREADS + i];
        CHECK(out[5 * b] == sum);
        CHECK(out[5 * b + 1] + out[5 * b + 2] + out[5 * b + 3] + out[5 * b + 4] == sum);
    }
    run(votes, 1, 96, &out);
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == (int)0xaaaaaaaaU);
}

static void expect_fault(void (*kernel)(int *), bool wanted)
{
    int *out = NULL;

    CHECK(cudaMalloc((void **)&out, 128 * sizeof *out) == cudaSuccess);
    emu_set_quiet(true);
    LAUNCH(kernel, 1, 128, 512, NULL, out);
    CHECK((cudaDeviceSynchronize() == cudaErrorLaunchFailure) == wanted);
    CHECK((cudaGetLastError() != cudaSuccess) == wanted);
    emu_set_quiet(false);
    emu_reset_fault();
    CHECK(cudaFree(out) == cudaSuccess);
    (void)cudaGetLastError();
}

static void check_atomics(void)
{
    std::vector<int> got(4);

    run(atomics, 5, 100, &got);
    CHECK(got[0] == 500 && got[1] == 499 && got[2] == -499);
    CHECK(got[3] >= 1 && got[3] <= 500);
}

// Blocks that run at the same time. Returns how often the sum was right of so many rounds.
template <bool ATOMIC, bool FENCE> static int play(int rounds)
{
    enum { BLOCKS = 64 };
    int right = 0;
    int others = 0; // how often the last ticket was not taken by the block launched last, or first

    for (int i = 0; i < rounds; i++) {
        std::vector<int> board(3 + BLOCKS);

        run(tickets<ATOMIC, FENCE>, BLOCKS, 64, &board);
        right += board[0] == BLOCKS * (BLOCKS + 1) / 2;
        others += board[1] % (BLOCKS - 1) != 0;
    }
    CHECK(others > 0 || !ATOMIC || rounds < 30);
    return right;
}

static void check_cooperative(void)
{
    enum { BLOCKS = 4, THREADS = 96 };
    int got[BLOCKS * THREADS];
    int *out = NULL;
    void *arguments[] = {&out};
    unsigned long wrong = 0;

    CHECK(cudaMalloc((void **)&out, sizeof got) == cudaSuccess);
    CHECK(cudaLaunchCooperativeKernel(next_block, dim3(BLOCKS), dim3(THREADS), arguments) ==
          cudaSuccess);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < BLOCKS * THREADS; i++)
        wrong += got[i] != (i + THREADS) % (BLOCKS * THREADS);
    CHECK(wrong == 0);
    CHECK(cudaLaunchCooperativeKernel(next_block, dim3(BLOCKS + 1), dim3(THREADS), arguments) ==
          cudaErrorCooperativeLaunchTooLarge);
    (void)cudaGetLastError();
    // Unsupported operations in such a grid are errors.
    emu_set_quiet(true);
    CHECK(cudaLaunchCooperativeKernel(votes, dim3(1), dim3(THREADS), arguments) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    emu_set_quiet(false);
    emu_reset_fault();
    (void)cudaGetLastError();
    CHECK(cudaFree(out) == cudaSuccess);
}

static void check_registered(void)
{
    static int host[64];
    void *device = NULL;

    CHECK(cudaHostGetDevicePointer(&device, host, 0) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaHostRegister(host, sizeof host, cudaHostRegisterMapped) == cudaSuccess);
    CHECK(cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess);
    LAUNCH(atomics, 1, 10, 0, NULL, (int *)device);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(host[0] == 10);
    CHECK(cudaHostUnregister(host) == cudaSuccess);
}

// The order of the threads changes each time: a race shows sooner or later.
static void check_race(void)
{
    std::vector<int> got(128);
    unsigned long wrong = 0;

    for (int turn = 0; turn < 10; turn++) {
        run(races, 1, 128, &got);
        for (int i = 0; i < 128; i++)
            wrong += got[i] != (i ^ 1);
    }
    CHECK(wrong > 0);
}

static void check_limits(void)
{
    LAUNCH(votes, 1, 1025, 0, NULL, (int *)NULL);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    LAUNCH(votes, 0, 32, 0, NULL, (int *)NULL);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    LAUNCH(races, 1, 32, 48 * 1024 + 1, NULL, (int *)NULL);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    CHECK(cudaFuncSetAttribute(races, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) ==
          cudaSuccess);
    CHECK(cudaFuncSetAttribute(races, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               227 * 1024 + 1) == cudaErrorInvalidValue);
    (void)cudaGetLastError();
}

// With maximally delayed streams, a copy does not happen until it is waited for.
static void check_lazy(void)
{
    char *pinned = NULL;
    char *device = NULL;
    char got[64];
    cudaStream_t one;
    cudaStream_t two;
    cudaEvent_t event;

    emu_set_order(EMU_LAZY, 1);
    CHECK(cudaHostAlloc((void **)&pinned, 64, 0) == cudaSuccess);
    CHECK(cudaMalloc((void **)&device, 64) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&one, 0) == cudaSuccess &&
          cudaStreamCreateWithFlags(&two, 0) == cudaSuccess);
    CHECK(cudaEventCreate(&event) == cudaSuccess);
    memset(pinned, 1, 64);
    CHECK(cudaMemcpyAsync(device, pinned, 64, cudaMemcpyHostToDevice, one) == cudaSuccess);
    memset(pinned, 2, 64); // too early
    CHECK(cudaEventRecord(event, one) == cudaSuccess);
    CHECK(cudaEventQuery(event) == cudaErrorNotReady);
    CHECK(cudaStreamWaitEvent(two, event, 0) == cudaSuccess);
    CHECK(cudaMemcpyAsync(got, device, 64, cudaMemcpyDeviceToHost, two) == cudaSuccess);
    CHECK(got[0] == 2);
    CHECK(cudaMemcpyAsync(device, device, 64, cudaMemcpyHostToDevice, one) ==
          cudaErrorInvalidValue);
    (void)cudaGetLastError();
    CHECK(cudaEventDestroy(event) == cudaSuccess);
    CHECK(cudaStreamDestroy(one) == cudaSuccess && cudaStreamDestroy(two) == cudaSuccess);
    CHECK(cudaFree(device) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
    emu_set_order(EMU_EAGER, 1);
}

// Objects of one device cannot be used with another, and each thread has its own current device.
static void check_devices(void)
{
    char bytes[64] = {0};
    void *memory = NULL;
    cudaStream_t stream;
    cudaEvent_t event;
    int device = -1;
    size_t free_bytes[2];
    size_t total;

    emu_set_devices(2);
    CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    CHECK(cudaSetDevice(1) == cudaSuccess);
    std::thread([&] { CHECK(cudaGetDevice(&device) == cudaSuccess && device == 0); }).join();
    CHECK(cudaGetDevice(&device) == cudaSuccess && device == 1);
    CHECK(cudaMalloc(&memory, 64) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&stream, 0) == cudaSuccess &&
          cudaEventCreate(&event) == cudaSuccess);
    CHECK(cudaMemGetInfo(&free_bytes[1], &total) == cudaSuccess);
    LAUNCH(votes, 1, 96, 0, stream, (int *)memory);
    CHECK(cudaGetLastError() == cudaSuccess);

    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaMemGetInfo(&free_bytes[0], &total) == cudaSuccess);
    CHECK(free_bytes[0] == free_bytes[1] + 64);
    LAUNCH(votes, 1, 96, 0, stream, (int *)memory);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    emu_set_quiet(true);
    CHECK(cudaMemcpyAsync(memory, bytes, 64, cudaMemcpyHostToDevice, NULL) ==
          cudaErrorInvalidResourceHandle);
    emu_set_quiet(false);
    CHECK(cudaMemcpyAsync(memory, bytes, 64, cudaMemcpyHostToDevice, stream) == cudaSuccess);
    CHECK(cudaEventRecord(event, NULL) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventRecord(event, stream) == cudaSuccess);
    CHECK(cudaEventSynchronize(event) == cudaSuccess);
    CHECK(cudaEventDestroy(event) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaSuccess);
    (void)cudaGetLastError();
    emu_set_devices(1);
}

static void check_images(void)
{
    struct cudaFuncAttributes attributes;
    int bytes = 0;

    CHECK(cudaFuncGetAttributes(&attributes, (const void *)votes) == cudaSuccess);
    CHECK(attributes.binaryVersion == 90);
    emu_set_without_image(0);
    CHECK(cudaFuncGetAttributes(&attributes, (const void *)votes) ==
          cudaErrorNoKernelImageForDevice);
    (void)cudaGetLastError();
    LAUNCH(votes, 1, 96, 0, NULL, (int *)NULL);
    CHECK(cudaGetLastError() == cudaErrorNoKernelImageForDevice);
    emu_set_without_image(-1);
    emu_set_capability(7, 5);
    CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
              cudaSuccess &&
          bytes == 64 * 1024);
    CHECK(cudaFuncSetAttribute(races, cudaFuncAttributeMaxDynamicSharedMemorySize, 99 * 1024) ==
          cudaErrorInvalidValue);
    (void)cudaGetLastError();
    emu_set_capability(9, 0);
}

static void check_failing(void)
{
    void *memory = NULL;

    emu_fail("cudaMalloc", 2);
    CHECK(cudaMalloc(&memory, 16) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaSuccess);
    CHECK(cudaMalloc(&memory, 16) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&memory, 16) == cudaSuccess);
    CHECK(cudaFree(memory) == cudaSuccess);
    CHECK(emu_calls("cudaMalloc") == 3);
    emu_fail(NULL, 0);
    emu_set_memory(1000);
    CHECK(cudaMalloc(&memory, 1001) == cudaErrorMemoryAllocation);
    (void)cudaGetLastError();
    emu_set_memory((size_t)1 << 30);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";

    if (strcmp(only, "race") == 0)
        check_race();
    if (strcmp(only, "fence") == 0)
        (void)play<true, false>(3);
    if (strcmp(only, "race") == 0 || strcmp(only, "fence") == 0)
        return check_result();
    check_sum();
    expect_fault(leaves_early, true);
    expect_fault(lane_missing, true);
    expect_fault(votes, false);
    expect_fault(waits_for_grid, true);
    check_sum();
    check_atomics();
    check_cooperative();
    check_registered();
    CHECK((play<true, true>(30)) == 30);
    if (strcmp(only, "no-race") != 0) {
        check_race();
        CHECK((play<false, true>(30)) < 30); // two blocks have drawn the same ticket
    }
    check_limits();
    check_lazy();
    check_devices();
    check_images();
    check_failing();
    CHECK(emu_live_objects() == 0);
    return check_result();
}
