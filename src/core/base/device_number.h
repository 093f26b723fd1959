/* SPDX-License-Identifier: MIT */
/* How devices are numbered. CUDA counts those that the process can see, from 0; people count those
 * that the machine has. */
#ifndef GPUENV_BASE_DEVICE_NUMBER_H
#define GPUENV_BASE_DEVICE_NUMBER_H

/* The number by which people know CUDA's device `seen`. */
unsigned device_number(unsigned seen);

/* From now on, people know CUDA's device i as number[i]. Only the program calls this, before it has
 * threads; without the call, both count alike. `number` is not copied. */
void device_number_all(const unsigned *number, unsigned count);

#endif
