/* --version. */
#ifndef GPUENV_TOOL_VERSION_PRIV_H
#define GPUENV_TOOL_VERSION_PRIV_H

#include "base/error.h"

/* Prints the versions of the program and of what it uses. */
int version_print(struct error *error);

#endif
