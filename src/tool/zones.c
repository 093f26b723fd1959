/* SPDX-License-Identifier: MIT */
#include "tool/zones_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/read_at.h"
#include "tool/values.h"

enum {
    FILE_MOST = 256 * 1024, /* bytes */
    PATH_ROOM = 4096,
};

/* Reads a file, whose path is kept for messages. Returns 0 or an errno value, EBADMSG if it is no
 * file of a zone. */
static int read_zone(struct zone *zone, const char *path, char kept[PATH_ROOM])
{
    const int fd =
        (int)TEMP_FAILURE_RETRY(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    unsigned char *bytes = fd < 0 ? NULL : malloc(FILE_MOST);
    int failure = bytes == NULL ? errno : 0;
    struct stat status;
    size_t got;

    if (kept != path)
        snprintf(kept, PATH_ROOM, "%s", path);
    if (failure == 0 && fstat(fd, &status) != 0)
        failure = errno;
    if (failure == 0 && !S_ISREG(status.st_mode))
        failure = S_ISDIR(status.st_mode) ? EISDIR : EBADMSG;
    if (failure == 0) {
        got = read_at(fd, bytes, FILE_MOST, 0);
        failure = got < FILE_MOST && (off_t)got < status.st_size ? EIO
                  : zone_read(zone, bytes, got)                  ? 0
                                                                 : EBADMSG;
    }
    free(bytes);
    if (fd >= 0)
        close(fd);
    return failure;
}

/* "Europe/Berlin": no path out of the folder. */
static bool is_name(const char *name)
{
    return name[0] != '/' && name[0] != '\0' && strstr(name, "..") == NULL &&
           strlen(name) < ZONE_NAME &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                             "+-_/.")] == '\0';
}

static const char *folder(void)
{
    const char *given = getenv("TZDIR");

    return given != NULL && given[0] != '\0' ? given : "/usr/share/zoneinfo";
}

/* Is there no such file? A folder of zones is not a file. */
static bool is_missing(int failure)
{
    return failure == ENOENT || failure == ENOTDIR || failure == EISDIR;
}

static int read_named(struct zone *zone, const char *name, char path[PATH_ROOM])
{
    if (!is_name(name) || (size_t)snprintf(path, PATH_ROOM, "%s/%s", folder(), name) >= PATH_ROOM)
        return ENOENT;
    return read_zone(zone, path, path);
}

/* Finds the local zone as the C library does; without a file, clocks show UTC. */
static int read_local(struct zone *zone, char path[PATH_ROOM])
{
    const char *name = getenv("TZ");
    struct stat status;
    int failure;

    if (name == NULL) {
        failure = read_zone(zone, "/etc/localtime", path);
        return failure == ENOENT && lstat(path, &status) != 0 ? 0 : failure;
    }
    name += name[0] == ':';
    if (name[0] == '\0')
        return 0;
    failure = name[0] == '/' ? read_zone(zone, name, path) : read_named(zone, name, path);
    return is_missing(failure) && zone_read_rule(zone, name, strlen(name)) ? 0 : failure;
}

int zones_find(struct zone *zone, const char *name, struct error *error)
{
    const struct option_value value = {.option = "--time-zone", .text = name};
    const bool local = strcmp(name, "local") == 0;
    char path[PATH_ROOM] = "";
    int failure = 0;

    zone->count = 0;
    zone->repeats = false;
    zone->offset[0] = 0;
    snprintf(zone->name, sizeof zone->name, "%s", local ? "local time" : name);
    if (local)
        failure = read_local(zone, path);
    else if (strcmp(name, "UTC") != 0)
        failure = read_named(zone, name, path);
    if (failure == 0)
        return 0;
    if (failure == EBADMSG)
        return settings_refuse(error, &value, "its file is not a time zone, or is damaged");
    if (!is_missing(failure) || (local && getenv("TZ") == NULL))
        return error_system(error, ERROR_FILE, path, failure);
    if (local)
        return settings_refuse(error, &value, "the variable TZ has no zone: %.64s", getenv("TZ"));
    return settings_refuse(error, &value,
                           "no zone of this name in %s: give local, UTC, or one like Europe/Berlin "
                           "(+01:00 is Etc/GMT-1)",
                           folder());
}
