#!/bin/bash
# SPDX-License-Identifier: MIT
# A task of the job array that slurm.sh submits. Slurm runs a copy of this file, so it is told where
# the others are: slurm_task.sh HERE K FOLDER INPUT [OPTION OF GPUENV]...
set -eu

here=$1
shift
exec "$here/part.sh" "$SLURM_ARRAY_TASK_ID" "$@"
