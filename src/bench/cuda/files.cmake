# SPDX-License-Identifier: MIT
# One file per family. The emulated device of tests/emu runs them as well, except Thrust.
set(flavour_c flavour_state.c window_ours.c library.c)
set(flavour_kernels window.cu max.cu sum.cu)
