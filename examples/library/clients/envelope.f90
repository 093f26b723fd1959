! SPDX-License-Identifier: MIT
! The envelope of an array. The interfaces are those of gpuenv.h that it needs.
module gpuenv
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: GPUENV_OK = 0, GPUENV_F64 = 2

  type, bind(c) :: gpuenv_error
    integer(c_size_t) :: size = 0
    integer(c_int) :: code = 0
    integer(c_int64_t) :: row = 0, frame = 0, channel = 0
    character(kind=c_char) :: subject(64) = c_null_char, text(256) = c_null_char
  end type

  type, bind(c) :: gpuenv_spec
    integer(c_size_t) :: size = 0
    integer(c_int64_t) :: width = 0, hop = 0
    integer(c_int) :: align = 0, edge = 0, nan = 0, scaled = 0, values = 0, value(5) = 0, threads = 0
  end type

  type, bind(c) :: gpuenv_array
    integer(c_size_t) :: size = 0
    type(c_ptr) :: data = c_null_ptr
    integer(c_int) :: type = 0, swapped = 0
    integer(c_int64_t) :: rows = 0, frames = 0, channels = 0
    integer(c_size_t) :: row = 0, frame = 0, channel = 0
  end type

  interface
    integer(c_int) function gpuenv_open(options, context, error) bind(c)
      import
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: context
      type(gpuenv_error), intent(inout) :: error
    end function

    subroutine gpuenv_close(context) bind(c)
      import
      type(c_ptr), value :: context
    end subroutine

    integer(c_int) function gpuenv_filter_at(context, spec, in, in_data, out, out_data, step, error) bind(c)
      import
      type(c_ptr), value :: context
      type(gpuenv_spec), intent(in) :: spec
      type(gpuenv_array), intent(in) :: in, out
      real(c_double), intent(in) :: in_data(*)
      real(c_double), intent(out) :: out_data(*)
      integer(c_size_t), value :: step
      type(gpuenv_error), intent(inout) :: error
    end function
  end interface
end module

program envelope
  use gpuenv
  implicit none

  real(c_double) :: samples(10) = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3], results(6, 2)
  type(gpuenv_spec) :: spec
  type(gpuenv_array) :: in, out
  type(gpuenv_error) :: error
  type(c_ptr) :: context
  integer :: i

  spec%size = c_sizeof(spec)
  error%size = c_sizeof(error)
  in%size = c_sizeof(in)
  spec%width = 5
  in%type = GPUENV_F64
  in%rows = 1
  in%channels = 1
  in%frames = size(samples)
  in%frame = c_sizeof(samples(1))
  out = in
  out%frames = size(results, 1)
  if (gpuenv_open(c_null_ptr, context, error) /= GPUENV_OK) stop 1
  ! Each value is a column of the results.
  if (gpuenv_filter_at(context, spec, in, samples, out, results, size(results, 1) * c_sizeof(samples(1)), &
                       error) /= GPUENV_OK) stop 1
  do i = 1, size(results, 1)
    print '(i0, 1x, i0)', nint(results(i, :))
  end do
  call gpuenv_close(context)
end program
