/* SPDX-License-Identifier: MIT */
// The runtime's functions for devices, errors and launches; and making calls fail.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>

#include "emu_stream.h"

// Everything here is protected by `lock_of_all`, which streams do not take.
static std::mutex lock_of_all;
static std::map<std::pair<int, const void *>, size_t> opted_in;
static int device_count = 1;
static int without_image = -1;
static int capability_major = 9;
static int capability_minor = 0;
static const unsigned MULTIPROCESSORS = 4;

static std::map<std::string, unsigned long> calls;
static std::string failing;
static unsigned long failing_nth;
static bool failing_read;

static thread_local cudaError_t last_error;
static thread_local int current_device;

static const char *const functions[] = {
    "cudaGetDeviceCount",
    "cudaSetDevice",
    "cudaGetDeviceProperties",
    "cudaDeviceGetAttribute",
    "cudaMemGetInfo",
    "cudaMalloc",
    "cudaHostAlloc",
    "cudaHostAlloc, unknown",
    "cudaHostRegister",
    "cudaHostGetDevicePointer",
    "cudaMemcpy",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "cudaStreamCreateWithFlags",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventRecord",
    "cudaEventSynchronize",
    "cudaEventQuery",
    "cudaEventElapsedTime",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaDeviceSynchronize",
    "launch",
    "kernel",
};

const char *emu_function(unsigned index)
{
    return index < sizeof functions / sizeof *functions ? functions[index] : NULL;
}

void emu_fail(const char *function, unsigned long nth)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    failing = function == NULL ? "" : function;
    failing_nth = nth;
    failing_read = true;
    calls.clear();
}

unsigned long emu_calls(const char *function)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    return calls[function];
}

// One line for each function with the number of its calls, in a mapped file: a process may end at
// any time without notice.
static char *counts;
enum { COUNTS_LINE = 48 };
static const size_t FUNCTIONS = sizeof functions / sizeof *functions;

static void open_counts(const char *path)
{
    FILE *file = fopen(path, "w+");

    if (file == NULL)
        return;
    for (size_t i = 0; i < FUNCTIONS; i++)
        fprintf(file, "%*s\n", COUNTS_LINE - 1, "");
    fflush(file);
    void *map =
        mmap(NULL, FUNCTIONS * COUNTS_LINE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    counts = map == MAP_FAILED ? NULL : (char *)map;
    fclose(file);
}

static void write_count(const char *function, unsigned long count)
{
    char line[COUNTS_LINE + 1];

    for (size_t i = 0; i < FUNCTIONS && counts != NULL; i++) {
        if (strcmp(functions[i], function) == 0) {
            snprintf(line, sizeof line, "%s %-*lu\n", function,
                     (int)(COUNTS_LINE - 2 - strlen(function)), count);
            memcpy(counts + i * COUNTS_LINE, line, COUNTS_LINE);
        }
    }
}

// Keeps the devices of CUDA_VISIBLE_DEVICES, in its order; one that is not there ends the list.
static void show_devices(const char *list)
{
    int count = 0;
    int hidden = without_image;

    without_image = -1;
    while (*list != '\0') {
        char *end;
        long device = strtol(list, &end, 10);

        if (end == list || device < 0 || device >= device_count)
            break;
        if (device == hidden)
            without_image = count;
        count++;
        list = *end == ',' ? end + 1 : end;
    }
    device_count = count;
}

// What the environment says, once, unless a test has said it.
static void read_environment(void)
{
    const char *wanted = getenv("GPUENV_EMU_FAIL");
    const char *colon = wanted == NULL ? NULL : strchr(wanted, ':');
    const char *devices = getenv("GPUENV_EMU_DEVICES");
    const char *order = getenv("GPUENV_EMU_ORDER");
    const char *capability = getenv("GPUENV_EMU_CAPABILITY");
    const char *image = getenv("GPUENV_EMU_WITHOUT_IMAGE");
    const char *count_in = getenv("GPUENV_EMU_COUNTS");
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");

    if (failing_read)
        return;
    failing_read = true;
    if (count_in != NULL)
        open_counts(count_in);
    if (capability != NULL)
        sscanf(capability, "%d.%d", &capability_major, &capability_minor);
    if (image != NULL)
        without_image = atoi(image);
    if (devices != NULL)
        device_count = atoi(devices);
    if (visible != NULL && device_count > 0)
        show_devices(visible);
    if (order != NULL)
        emu_set_order((enum emu_order)(atoi(order) % EMU_ORDERS), 1);
    if (colon != NULL) {
        failing.assign(wanted, (size_t)(colon - wanted));
        failing_nth = strtoul(colon + 1, NULL, 10);
    }
}

bool emu_should_fail(const char *function)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    read_environment();
    unsigned long count = ++calls[function];

    write_count(function, count);
    return count == failing_nth && failing == function;
}

cudaError_t emu_result(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

cudaError_t emu_enter(const char *function, cudaError_t failure)
{
    if (emu_should_fail(function))
        return failure;
    for (const char *refused : {"cudaMalloc", "cudaFree", "cudaMemcpy", "cudaHostAlloc",
                                "cudaStreamSynchronize", "cudaDeviceSynchronize"}) {
        if (emu_is_capturing() && strcmp(function, refused) == 0)
            return cudaErrorStreamCaptureUnsupported;
    }
    return emu_state();
}

bool emu_is_real(void)
{
    return false;
}

void emu_set_devices(int devices)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    device_count = devices;
}

void emu_set_capability(int major, int minor)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    capability_major = major;
    capability_minor = minor;
}

void emu_set_without_image(int device)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    without_image = device;
}

int emu_current_device(void)
{
    return current_device;
}

// Shared memory of a multiprocessor. On newer devices a block may use all but 1 KiB of it.
static size_t shared_of_multiprocessor(void)
{
    switch (capability_major * 10 + capability_minor) {
    case 70:
    case 72:
        return 96 * 1024;
    case 75:
        return 64 * 1024;
    case 80:
    case 87:
        return 164 * 1024;
    case 86:
    case 89:
    case 120:
    case 121:
        return 100 * 1024;
    default:
        return 228 * 1024;
    }
}

static size_t shared_limit(void)
{
    return shared_of_multiprocessor() - (capability_major < 8 ? 0 : 1024);
}

unsigned long emu_live_objects(void)
{
    return emu_live_memory() + emu_live_streams();
}

const char *cudaGetErrorString(cudaError_t error)
{
    static thread_local char number[32];

    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInsufficientDriver:
        return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice:
        return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorNoKernelImageForDevice:
        return "no kernel image is available for execution on the device";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    default:
        snprintf(number, sizeof number, "CUDA error %d", (int)error);
        return number;
    }
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;

    last_error = emu_state();
    return error;
}

static cudaError_t device_there(int device)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (device_count < 0)
        return cudaErrorInsufficientDriver;
    if (device_count == 0)
        return cudaErrorNoDevice;
    return device < 0 || device >= std::min(device_count, (int)EMU_DEVICES_MOST)
               ? cudaErrorInvalidDevice
               : cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 0;
    return emu_api_call(__func__, [=] {
        const cudaError_t error = device_there(0);

        *count = error == cudaSuccess ? device_count : 0;
        return error;
    });
}

cudaError_t cudaSetDevice(int device)
{
    return emu_api_call(__func__, [=] {
        const cudaError_t error = device_there(device);

        current_device = error == cudaSuccess ? device : current_device;
        return error;
    });
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current_device;
    return emu_result(device_there(current_device));
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    return emu_api_call(__func__, [=] {
        *properties = {"emulated device", capability_major, capability_minor};
        return device_there(device);
    });
}

static int attribute_value(enum cudaDeviceAttr attribute)
{
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
        return MULTIPROCESSORS;
    case cudaDevAttrGlobalMemoryBusWidth:
        return 6144;
    case cudaDevAttrL2CacheSize:
        return 1 << 20;
    case cudaDevAttrComputeCapabilityMajor:
        return capability_major;
    case cudaDevAttrComputeCapabilityMinor:
        return capability_minor;
    case cudaDevAttrCooperativeLaunch:
        return 1;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        return (int)shared_of_multiprocessor();
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return (int)shared_limit();
    }
    abort();
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    return emu_api_call(__func__, [=] {
        const cudaError_t error = device_there(device);

        *value = error == cudaSuccess ? attribute_value(attribute) : *value;
        return error;
    });
}

cudaError_t cudaDeviceSynchronize(void)
{
    return emu_api_call(__func__, [] {
        emu_drain_all();
        return emu_state();
    });
}

// ---- launches

/* Is there code for the current device? The program is built for 7.5 and up. */
static bool has_image(void)
{
    return without_image != current_device && capability_major * 10 + capability_minor >= 75;
}

cudaError_t emu_func_set_attribute(const void *function, int bytes)
{
    return emu_api_call("cudaFuncSetAttribute", [=] {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (!has_image())
            return cudaErrorNoKernelImageForDevice;
        if (bytes < 0 || (size_t)bytes > shared_limit())
            return cudaErrorInvalidValue;
        opted_in[{current_device, function}] = (size_t)bytes;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    return emu_api_call(__func__, [=] {
        std::lock_guard<std::mutex> lock(lock_of_all);

        if (function == NULL)
            return cudaErrorInvalidValue;
        attributes->binaryVersion = capability_major * 10 + capability_minor;
        return has_image() ? cudaSuccess : cudaErrorNoKernelImageForDevice;
    });
}

static bool fits(const void *kernel, dim3 grid, dim3 block, size_t shared)
{
    std::lock_guard<std::mutex> lock(lock_of_all);
    auto asked = opted_in.find({current_device, kernel});
    size_t most = asked != opted_in.end() ? asked->second : 48 * 1024;

    return grid.x > 0 && grid.x < 1U << 31 && grid.y > 0 && grid.y < 65536 && grid.z > 0 &&
           grid.z < 65536 && block.x * block.y * block.z > 0 && block.x <= 1024 &&
           block.y <= 1024 && block.z <= 64 && block.x * block.y * block.z <= 1024 &&
           (shared <= most || shared <= 48 * 1024);
}

// The work of a barrier grows with the square of the threads that ThreadSanitizer knows. It gets
// those of the first launch of each kernel, and of every eighth from there on; in others each warp
// is one thread, in which it finds no race, but those with other warps.
static bool is_seen_by_warps(const void *kernel)
{
    static std::map<const void *, unsigned> &launches = *new std::map<const void *, unsigned>();
    std::lock_guard<std::mutex> lock(lock_of_all);

    return launches[kernel]++ % 8 != 0;
}

static cudaError_t launch(const void *kernel, dim3 grid, dim3 block, size_t shared,
                          bool cooperative, cudaStream_t stream, const std::function<void()> &call)
{
    static std::atomic<unsigned> turn{0};
    const unsigned seed = turn++;
    const bool faults = emu_should_fail("kernel");

    return emu_api_call(__func__, [=] {
        if (!has_image())
            return cudaErrorNoKernelImageForDevice;
        if (emu_stream_of(stream)->device != current_device)
            return cudaErrorInvalidResourceHandle;
        if (!fits(kernel, grid, block, shared))
            return cudaErrorInvalidConfiguration;
        const bool warps = is_seen_by_warps(kernel);

        emu_push(stream, [=] {
            if (faults || !emu_run_grid(grid, block, shared, cooperative, warps, seed, call))
                emu_set_fault();
        });
        return cudaSuccess;
    });
}

void emu_launch(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                const std::function<void()> &call)
{
    (void)launch(kernel, grid, block, shared, false, stream, call);
}

cudaError_t emu_launch_cooperative(const void *kernel, dim3 grid, dim3 block, size_t shared,
                                   cudaStream_t stream, const std::function<void()> &call)
{
    /* One block per multiprocessor, see cudaOccupancyMaxActiveBlocksPerMultiprocessor(). */
    if ((uint64_t)grid.x * grid.y * grid.z > MULTIPROCESSORS)
        return emu_result(cudaErrorCooperativeLaunchTooLarge);
    return launch(kernel, grid, block, shared, true, stream, call);
}
