// SPDX-License-Identifier: MIT
//! The envelope of a slice. The declarations are those of gpuenv.h that it needs; bindgen makes them
//! of the whole header: every constant and every member that holds one is an i32.
//!
//! rustc envelope.rs -L native=/usr/local/lib -l gpuenv

use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::{mem, ptr};

const GPUENV_OK: c_int = 0;
const GPUENV_F32: c_int = 1;

#[repr(C)]
struct Error {
    size: usize,
    code: c_int,
    row: u64,
    frame: u64,
    channel: u64,
    subject: [c_char; 64],
    text: [c_char; 256],
}

#[repr(C)]
struct Spec {
    size: usize,
    width: u64,
    hop: u64,
    align: c_int,
    edge: c_int,
    nan: c_int,
    scaled: c_int,
    values: c_uint,
    value: [c_int; 5],
    threads: c_uint,
}

#[repr(C)]
struct Array {
    size: usize,
    data: *const c_void,
    kind: c_int,
    swapped: c_int,
    rows: u64,
    frames: u64,
    channels: u64,
    row: isize,
    frame: isize,
    channel: isize,
}

#[repr(C)]
struct RawContext {
    _private: [u8; 0],
}

#[link(name = "gpuenv")]
extern "C" {
    fn gpuenv_open(options: *const c_void, context: *mut *mut RawContext, error: *mut Error) -> c_int;
    fn gpuenv_close(context: *mut RawContext);
    fn gpuenv_outputs(spec: *const Spec, frames: u64, outputs: *mut u64, error: *mut Error) -> c_int;
    fn gpuenv_filter(
        context: *mut RawContext, spec: *const Spec, input: *const Array, out: *const Array, error: *mut Error,
    ) -> c_int;
}

/// Zeros, with the size set, as GPUENV_INIT() does it.
macro_rules! init {
    ($kind:ty) => {{
        let mut made: $kind = unsafe { mem::zeroed() };
        made.size = mem::size_of::<$kind>();
        made
    }};
}

/// One a process is enough; threads may share it.
struct Context(*mut RawContext);

unsafe impl Send for Context {}
unsafe impl Sync for Context {}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { gpuenv_close(self.0) }
    }
}

fn check(code: c_int, error: &Error) -> Result<(), String> {
    if code == GPUENV_OK {
        return Ok(());
    }
    let words = |text: &[c_char]| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned();
    Err(format!("{} {}", words(&error.subject), words(&error.text)))
}

impl Context {
    fn open() -> Result<Context, String> {
        let mut error = init!(Error);
        let mut raw = ptr::null_mut();
        check(unsafe { gpuenv_open(ptr::null(), &mut raw, &mut error) }, &error)?;
        Ok(Context(raw))
    }

    /// The minimum and the maximum of every `width` samples.
    fn envelope(&self, samples: &[f32], width: u64) -> Result<(Vec<f32>, Vec<f32>), String> {
        let mut error = init!(Error);
        let mut spec = init!(Spec);
        let mut count = 0;
        spec.width = width;
        check(unsafe { gpuenv_outputs(&spec, samples.len() as u64, &mut count, &mut error) }, &error)?;
        let mut low = vec![0f32; count as usize];
        let mut high = vec![0f32; count as usize];
        let array = |data: *const f32, frames: usize| {
            let mut made = init!(Array);
            made.data = data.cast();
            made.kind = GPUENV_F32;
            made.rows = 1;
            made.frames = frames as u64;
            made.channels = 1;
            made.frame = mem::size_of::<f32>() as isize;
            made
        };
        let input = array(samples.as_ptr(), samples.len());
        let out = [array(low.as_mut_ptr(), low.len()), array(high.as_mut_ptr(), high.len())];
        check(unsafe { gpuenv_filter(self.0, &spec, &input, out.as_ptr(), &mut error) }, &error)?;
        Ok((low, high))
    }
}

fn main() -> Result<(), String> {
    let context = Context::open()?;
    let (low, high) = context.envelope(&[3., 1., 4., 1., 5., 9., 2., 6., 5., 3.], 5)?;
    for (low, high) in low.iter().zip(&high) {
        println!("{} {}", low, high);
    }
    println!("{}", context.envelope(&[1.], 0).unwrap_err());
    Ok(())
}
