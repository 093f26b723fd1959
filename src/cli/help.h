/* --help and --version. */
#ifndef GPUENV_CLI_HELP_H
#define GPUENV_CLI_HELP_H

const char *help_text(void);
const char *help_version(void);

#endif
