#define _POSIX_C_SOURCE 200809L
#include "os/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 4096 /* PATH_MAX, and more than any of these small files */

typedef struct limits {
    double cpus;     /* 0: none */
    uint64_t memory; /* UINT64_MAX: none */
} limits;

/* The start of folder/name as a string; false when it is not there. */
static bool read_text(const char *folder, const char *name, char text[TEXT])
{
    char path[2 * TEXT];
    const int length = snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    FILE *f = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (!f) {
        return false;
    }
    const size_t n = fread(text, 1, TEXT - 1, f);
    text[n] = '\0';
    fclose(f);
    return n > 0;
}

/* A whole number at the start of a file, false also for "max" and -1. */
static bool read_number(const char *folder, const char *name, uint64_t *value)
{
    char text[TEXT];
    if (!read_text(folder, name, text) || text[0] < '0' || text[0] > '9') {
        return false;
    }
    *value = strtoull(text, NULL, 10);
    return true;
}

/* "key 123" in a file of such lines; 0 when it is not there. */
static uint64_t read_key(const char *folder, const char *name, const char *key)
{
    char text[TEXT];
    if (!read_text(folder, name, text)) {
        return 0;
    }
    const size_t n = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) == 0 && line[n] == ' ') {
            return strtoull(line + n, NULL, 10);
        }
    }
    return 0;
}

static void take_cpus(limits *l, double quota, double period)
{
    if (quota > 0 && period > 0 && (l->cpus <= 0 || quota / period < l->cpus)) {
        l->cpus = quota / period;
    }
}

static void take_memory(limits *l, uint64_t limit, uint64_t used, uint64_t cache)
{
    used -= cache < used ? cache : used;
    const uint64_t left = limit > used ? limit - used : 0;
    if (left < l->memory) {
        l->memory = left;
    }
}

static void look_v2(limits *l, const char *folder)
{
    char text[TEXT];
    double quota, period;
    if (read_text(folder, "cpu.max", text) && sscanf(text, "%lf %lf", &quota, &period) == 2) {
        take_cpus(l, quota, period); /* "max 100000" does not scan: no quota */
    }
    uint64_t limit, used;
    if (read_number(folder, "memory.max", &limit) && read_number(folder, "memory.current", &used)) {
        take_memory(l, limit, used, read_key(folder, "memory.stat", "inactive_file"));
    }
}

static void look_v1(limits *l, const char *folder)
{
    uint64_t quota, period, limit, used;
    if (read_number(folder, "cpu.cfs_quota_us", &quota) &&
        read_number(folder, "cpu.cfs_period_us", &period)) {
        take_cpus(l, (double)quota, (double)period);
    }
    if (read_number(folder, "memory.limit_in_bytes", &limit) &&
        read_number(folder, "memory.usage_in_bytes", &used)) {
        take_memory(l, limit, used, read_key(folder, "memory.stat", "total_inactive_file"));
    }
}

/*
 * Looks at the group and all above it. Inside a container the path may be the
 * host's and not exist here; the climb then still ends at the mounted root.
 */
static void climb(limits *l, const char *root, const char *group,
                  void (*look)(limits *l, const char *folder))
{
    char folder[TEXT];
    const int length = snprintf(folder, sizeof folder, "%s%s", root, group);
    if (length <= 0 || (size_t)length >= sizeof folder) {
        return;
    }
    const size_t end = strlen(root);
    for (;;) {
        look(l, folder);
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < end) {
            return;
        }
        *slash = '\0';
    }
}

/* Is `name` one of the comma-separated `list`? */
static bool lists(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, name, n) == 0 && (p[n] == ',' || p[n] == '\0')) {
            return true;
        }
    }
    return false;
}

/* One line of /proc/self/cgroup: "ID:CONTROLLERS:PATH". */
static void take_line(limits *l, char *line, const char *root)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) {
        return;
    }
    controllers++;
    *group++ = '\0';
    char folder[TEXT];
    if (*controllers == '\0') {
        climb(l, root, group, look_v2);
        snprintf(folder, sizeof folder, "%s/unified", root); /* where both versions are mounted */
        climb(l, folder, group, look_v2);
        return;
    }
    const char *const wanted[] = {"cpu", "memory"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (lists(controllers, wanted[i])) {
            snprintf(folder, sizeof folder, "%s/%s", root, wanted[i]);
            climb(l, folder, group, look_v1);
        }
    }
}

static limits find_limits(const char *self, const char *root)
{
    limits l = {.cpus = 0, .memory = UINT64_MAX};
    char text[TEXT];
    if (read_text(self, "", text)) {
        for (char *line = text; line && *line;) {
            char *end = strchr(line, '\n');
            if (end) {
                *end++ = '\0';
            }
            take_line(&l, line, root);
            line = end;
        }
    }
    return l;
}

double cgroup_cpus(const char *self, const char *root)
{
    return find_limits(self, root).cpus;
}

uint64_t cgroup_memory(const char *self, const char *root)
{
    return find_limits(self, root).memory;
}
