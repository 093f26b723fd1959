// The runtime's functions for devices, errors and launches; and making calls fail.
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
    "cudaMallocHost",
    "cudaHostRegister",
    "cudaHostGetDevicePointer",
    "cudaMemcpy",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "cudaStreamCreate",
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

bool emu_should_fail(const char *function)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (!failing_read) {
        const char *wanted = getenv("GPUENV_EMU_FAIL");
        const char *colon = wanted == NULL ? NULL : strchr(wanted, ':');
        const char *devices = getenv("GPUENV_EMU_DEVICES");
        const char *order = getenv("GPUENV_EMU_ORDER");
        const char *capability = getenv("GPUENV_EMU_CAPABILITY");
        const char *image = getenv("GPUENV_EMU_WITHOUT_IMAGE");
        const char *count_in = getenv("GPUENV_EMU_COUNTS");
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");

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

// The beginning of every call: has the device faulted, and is this the call that must fail?
cudaError_t emu_enter(const char *function, cudaError_t failure)
{
    if (emu_should_fail(function))
        return emu_result(failure);
    if (emu_has_faulted())
        return emu_result(cudaErrorLaunchFailure);
    for (const char *refused : {"cudaMalloc", "cudaFree", "cudaMemcpy", "cudaHostAlloc",
                                "cudaStreamSynchronize", "cudaDeviceSynchronize"}) {
        if (emu_is_capturing() && strcmp(function, refused) == 0)
            return emu_result(cudaErrorStreamCaptureUnsupported);
    }
    return cudaSuccess;
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

    last_error = emu_has_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
    return error;
}

static cudaError_t device_there(int device)
{
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (device_count < 0)
        return cudaErrorInsufficientDriver;
    if (device_count == 0)
        return cudaErrorNoDevice;
    if (device >= EMU_DEVICES_MOST)
        return cudaErrorInvalidDevice;
    return device < 0 || device >= device_count ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    cudaError_t error = emu_enter("cudaGetDeviceCount", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(0);
    *count = error == cudaSuccess ? device_count : 0;
    return emu_result(error);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = emu_enter("cudaSetDevice", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(device);
    if (error == cudaSuccess)
        current_device = device;
    return emu_result(error);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current_device;
    return emu_result(device_there(current_device));
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = emu_enter("cudaGetDeviceProperties", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(device);
    if (error != cudaSuccess)
        return emu_result(error);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "emulated device");
    properties->major = capability_major;
    properties->minor = capability_minor;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    cudaError_t error = emu_enter("cudaDeviceGetAttribute", cudaErrorUnknown);

    if (error == cudaSuccess)
        error = device_there(device);
    if (error != cudaSuccess)
        return emu_result(error);
    switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
        *value = MULTIPROCESSORS;
        break;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = 6144;
        break;
    case cudaDevAttrL2CacheSize:
        *value = 1 << 20;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = capability_major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = capability_minor;
        break;
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)shared_of_multiprocessor();
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)shared_limit();
        break;
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = emu_enter("cudaDeviceSynchronize", cudaErrorUnknown);

    emu_drain_all();
    return emu_result(error != cudaSuccess ? error
                      : emu_has_faulted()  ? cudaErrorLaunchFailure
                                           : cudaSuccess);
}

// ---- launches

/* Is there code for the current device? The program is built for 7.5 and up. */
static bool has_image(void)
{
    return without_image != current_device && capability_major * 10 + capability_minor >= 75;
}

cudaError_t emu_func_set_attribute(const void *function, enum cudaFuncAttribute attribute,
                                   int value)
{
    cudaError_t error = emu_enter("cudaFuncSetAttribute", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (error != cudaSuccess)
        return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (!has_image())
        return emu_result(cudaErrorNoKernelImageForDevice);
    if (value < 0 || (size_t)value > shared_limit())
        return emu_result(cudaErrorInvalidValue);
    opted_in[{current_device, function}] = (size_t)value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    cudaError_t error = emu_enter("cudaFuncGetAttributes", cudaErrorUnknown);
    std::lock_guard<std::mutex> lock(lock_of_all);

    if (error == cudaSuccess && function == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !has_image())
        error = cudaErrorNoKernelImageForDevice;
    if (error != cudaSuccess)
        return emu_result(error);
    attributes->binaryVersion = capability_major * 10 + capability_minor;
    return cudaSuccess;
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
                          bool cooperative, cudaStream_t stream, std::function<void()> call)
{
    static std::atomic<unsigned> turn{0};
    unsigned seed = turn++;
    bool faults = emu_should_fail("kernel");
    cudaError_t error = emu_enter("launch", cudaErrorUnknown);

    if (error != cudaSuccess)
        return error;
    if (!has_image())
        return emu_result(cudaErrorNoKernelImageForDevice);
    if (emu_stream_of(stream)->device != current_device)
        return emu_result(cudaErrorInvalidResourceHandle);
    if (!fits(kernel, grid, block, shared))
        return emu_result(cudaErrorInvalidConfiguration);
    const bool warps = is_seen_by_warps(kernel);

    emu_push(stream, [=] {
        if (faults || !emu_run_grid(grid, block, shared, cooperative, warps, seed, call))
            emu_set_fault();
    });
    return cudaSuccess;
}

void emu_launch(const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                std::function<void()> call)
{
    (void)launch(kernel, grid, block, shared, false, stream, std::move(call));
}

cudaError_t emu_launch_cooperative(const void *kernel, dim3 grid, dim3 block, size_t shared,
                                   cudaStream_t stream, std::function<void()> call)
{
    /* One block per multiprocessor, see cudaOccupancyMaxActiveBlocksPerMultiprocessor(). */
    if ((uint64_t)grid.x * grid.y * grid.z > MULTIPROCESSORS)
        return emu_result(cudaErrorCooperativeLaunchTooLarge);
    return launch(kernel, grid, block, shared, true, stream, std::move(call));
}
