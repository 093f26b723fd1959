#include "tool/zones_priv.h"

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

enum found_zone {
    FOUND,
    FOUND_NOTHING,
    FOUND_DAMAGE,
};

static enum found_zone read_zone(struct zone *zone, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    unsigned char *bytes = fd < 0 ? NULL : malloc(FILE_MOST);
    enum found_zone found = FOUND_NOTHING;
    struct stat status;

    if (bytes != NULL && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        found = zone_read(zone, bytes, read_at(fd, bytes, FILE_MOST, 0)) ? FOUND : FOUND_DAMAGE;
    free(bytes);
    if (fd >= 0)
        close(fd);
    return found;
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

static enum found_zone read_named(struct zone *zone, const char *name)
{
    char path[PATH_ROOM];

    if (!is_name(name) ||
        (size_t)snprintf(path, sizeof path, "%s/%s", folder(), name) >= sizeof path)
        return FOUND_NOTHING;
    return read_zone(zone, path);
}

/* As the C library does it; without a file, clocks show UTC. */
static enum found_zone read_local(struct zone *zone)
{
    const char *name = getenv("TZ");
    enum found_zone found;

    if (name == NULL) {
        found = read_zone(zone, "/etc/localtime");
        return found == FOUND_NOTHING ? FOUND : found;
    }
    name += name[0] == ':';
    if (name[0] == '\0')
        return FOUND;
    found = name[0] == '/' ? read_zone(zone, name) : read_named(zone, name);
    if (found == FOUND_NOTHING && zone_read_rule(zone, name, strlen(name)))
        return FOUND;
    return found;
}

int zones_find(struct zone *zone, const char *name, struct error *error)
{
    const struct option_value value = {.option = "--time-zone", .text = name};
    const bool local = strcmp(name, "local") == 0;
    enum found_zone found = FOUND;

    zone->count = 0;
    zone->repeats = false;
    zone->offset[0] = 0;
    snprintf(zone->name, sizeof zone->name, "%s", local ? "local time" : name);
    if (local)
        found = read_local(zone);
    else if (strcmp(name, "UTC") != 0)
        found = read_named(zone, name);
    if (found == FOUND)
        return 0;
    if (found == FOUND_DAMAGE)
        return settings_refuse(error, &value, "its file is no file of a time zone, or damaged");
    if (local)
        return settings_refuse(error, &value, "the variable TZ has no zone: %.64s", getenv("TZ"));
    return settings_refuse(error, &value,
                           "no zone of this name in %s: give local, UTC, or one like Europe/Berlin "
                           "(+01:00 is Etc/GMT-1)",
                           folder());
}
