-- SPDX-License-Identifier: MIT
-- The envelope of an array, in LuaJIT. The declarations are those of gpuenv.h that it needs.
local ffi = require("ffi")

ffi.cdef [[
typedef struct gpuenv_error {
    size_t size;
    int code;
    uint64_t row, frame, channel;
    char subject[64];
    char text[256];
} gpuenv_error;
typedef struct gpuenv_spec {
    size_t size;
    uint64_t width, hop;
    int align, edge, nan, scaled;
    unsigned values;
    int value[5];
    unsigned threads;
} gpuenv_spec;
typedef struct gpuenv_array {
    size_t size;
    const void *data;
    int type, swapped;
    uint64_t rows, frames, channels;
    ptrdiff_t row, frame, channel;
} gpuenv_array;
typedef struct gpuenv_context gpuenv_context;
enum { GPUENV_OK = 0, GPUENV_F32 = 1 };
int gpuenv_open(const void *options, gpuenv_context **context, gpuenv_error *error);
void gpuenv_close(gpuenv_context *context);
int gpuenv_filter(gpuenv_context *context, const gpuenv_spec *spec, const gpuenv_array *in,
                  const gpuenv_array *out, gpuenv_error *error);
]]
local gpuenv = ffi.load("gpuenv")

-- A struct with its size set; Lua has cleared the rest.
local function init(kind, members)
    local made = ffi.new(kind, members or {})
    made.size = ffi.sizeof(kind)
    return made
end

local function check(code, error_)
    if code ~= gpuenv.GPUENV_OK then
        error(ffi.string(error_.subject) .. " " .. ffi.string(error_.text), 0)
    end
end

local failed = init("gpuenv_error")
local context = ffi.new("gpuenv_context *[1]")
check(gpuenv.gpuenv_open(nil, context, failed), failed)

local samples = ffi.new("float[10]", {3, 1, 4, 1, 5, 9, 2, 6, 5, 3})
local low, high = ffi.new("float[6]"), ffi.new("float[6]")
local spec = init("gpuenv_spec", {width = 5})

local function array(data, frames)
    local members = {data = data, type = gpuenv.GPUENV_F32, rows = 1, frames = frames, channels = 1, frame = 4}
    return init("gpuenv_array", members)
end

local out = ffi.new("gpuenv_array[2]", {array(low, 6), array(high, 6)})
check(gpuenv.gpuenv_filter(context[0], spec, array(samples, 10), out, failed), failed)
for i = 0, 5 do
    print(low[i] .. " " .. high[i])
end
spec.width = 0
print(select(2, pcall(check, gpuenv.gpuenv_filter(context[0], spec, array(samples, 10), out, failed), failed)))
gpuenv.gpuenv_close(context[0])
