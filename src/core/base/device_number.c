/* SPDX-License-Identifier: MIT */
#include "base/device_number.h"

static const unsigned *numbers;
static unsigned numbered;

unsigned device_number(unsigned seen)
{
    return seen < numbered ? numbers[seen] : seen;
}

void device_number_all(const unsigned *number, unsigned count)
{
    numbers = number;
    numbered = count;
}
