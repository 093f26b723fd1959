// SPDX-License-Identifier: MIT
// The envelope of a slice.
//
// Descriptions of arrays have no pointers in them here, and gpuenv_filter_at() takes the slices beside
// them: what Go passes to C must not point to other memory of Go.
package main

// #cgo pkg-config: gpuenv
// #include <gpuenv.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

// Context has threads. One a process is enough, and goroutines may share it.
type Context struct {
	raw *C.gpuenv_context
}

func newError() C.gpuenv_error {
	return C.gpuenv_error{size: C.sizeof_gpuenv_error}
}

func check(code C.int, failed *C.gpuenv_error) error {
	if code == C.GPUENV_OK {
		return nil
	}
	return fmt.Errorf("%s %s", C.GoString(&failed.subject[0]), C.GoString(&failed.text[0]))
}

// Open makes a context.
func Open() (*Context, error) {
	failed := newError()
	context := &Context{}
	return context, check(C.gpuenv_open(nil, &context.raw, &failed), &failed)
}

// Close frees it.
func (context *Context) Close() {
	C.gpuenv_close(context.raw)
}

// Envelope gives the minimum and the maximum of every width samples.
func (context *Context) Envelope(samples []float32, width uint64) (low, high []float32, err error) {
	failed := newError()
	spec := C.gpuenv_spec{size: C.sizeof_gpuenv_spec, width: C.uint64_t(width), align: C.GPUENV_ALIGN_VALID}
	in := C.gpuenv_array{size: C.sizeof_gpuenv_array, _type: C.GPUENV_F32, rows: 1, channels: 1, frame: 4}
	in.frames = C.uint64_t(len(samples))
	out := in
	err = check(C.gpuenv_outputs(&spec, in.frames, &out.frames, &failed), &failed)
	if err != nil || out.frames == 0 {
		return
	}
	// Minima first, then maxima.
	results := make([]float32, 2*out.frames)
	err = check(C.gpuenv_filter_at(context.raw, &spec, &in, unsafe.Pointer(&samples[0]), &out,
		unsafe.Pointer(&results[0]), 4*C.size_t(out.frames), &failed), &failed)
	return results[:out.frames], results[out.frames:], err
}

func main() {
	context, err := Open()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer context.Close()
	low, high, err := context.Envelope([]float32{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}, 5)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := range low {
		fmt.Println(low[i], high[i])
	}
	_, _, err = context.Envelope([]float32{1}, 0)
	fmt.Println(err)
}
