/* Makes the n-th call that opens, copies, writes, syncs, cuts, renames, links, makes or deletes a file fail, for files whose path begins
   with $FAILING_FILES. Loaded before the C library, by LD_PRELOAD; each call stands in front of the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_FILES 4096

static atomic_long seen;
static long nth;      /* which call fails; 0 for none */
static int forever;   /* whether all calls after it fail too */
static int reason;    /* errno */
static char failed[64];
static char ours[MOST_FILES]; /* whether a descriptor is one of a file of ours */

/* Begin to count, and let the n-th call fail. */
void failing_begin(long n, int all_after, int number)
{
    nth = n;
    forever = all_after;
    reason = number;
    failed[0] = 0;
    atomic_store(&seen, 0);
}

/* How many calls came. */
long failing_seen(void) { return atomic_load(&seen); }

/* Which call was the first to fail. */
const char *failing_which(void) { return failed; }

static int is_ours(const char *path)
{
    const char *prefix = getenv("FAILING_FILES");
    return prefix && path && strncmp(path, prefix, strlen(prefix)) == 0;
}

static int is_open(int file) { return file >= 0 && file < MOST_FILES && ours[file]; }

static int fails(int concerned, const char *call)
{
    if (!concerned)
        return 0;
    long number = atomic_fetch_add(&seen, 1) + 1;
    if (!nth || number < nth || (number > nth && !forever))
        return 0;
    if (number == nth)
        snprintf(failed, sizeof failed, "%s", call);
    errno = reason;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int opened(int file, const char *path)
{
    if (file >= 0 && file < MOST_FILES)
        ours[file] = (char)is_ours(path);
    return file;
}

#define MODE_OF(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...)
{
    REAL(open);
    MODE_OF(flags)
    return fails(is_ours(path), "open") ? -1 : opened(real(path, flags, mode), path);
}

int open64(const char *path, int flags, ...)
{
    REAL(open64);
    MODE_OF(flags)
    return fails(is_ours(path), "open") ? -1 : opened(real(path, flags, mode), path);
}

int openat(int folder, const char *path, int flags, ...)
{
    REAL(openat);
    MODE_OF(flags)
    return fails(is_ours(path), "open") ? -1 : opened(real(folder, path, flags, mode), path);
}

int openat64(int folder, const char *path, int flags, ...)
{
    REAL(openat64);
    MODE_OF(flags)
    return fails(is_ours(path), "open") ? -1 : opened(real(folder, path, flags, mode), path);
}

int close(int file)
{
    REAL(close);
    if (file >= 0 && file < MOST_FILES)
        ours[file] = 0;
    return real(file);
}

/* name, its parameters, their names, what it gives, what is concerned */
#define STANDS_BEFORE(type, name, taken, given, concerned) \
    type name taken { REAL(name); return fails(concerned, #name) ? -1 : real given; }

STANDS_BEFORE(ssize_t, write, (int file, const void *data, size_t size), (file, data, size), is_open(file))
STANDS_BEFORE(ssize_t, pwrite, (int file, const void *data, size_t size, off_t at), (file, data, size, at), is_open(file))
STANDS_BEFORE(ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at),
              is_open(file))
STANDS_BEFORE(int, fsync, (int file), (file), is_open(file))
STANDS_BEFORE(int, fdatasync, (int file), (file), is_open(file))
STANDS_BEFORE(int, ftruncate, (int file, off_t size), (file, size), is_open(file))
STANDS_BEFORE(int, ftruncate64, (int file, off64_t size), (file, size), is_open(file))
STANDS_BEFORE(int, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), is_open(file))
STANDS_BEFORE(int, fallocate64, (int file, int mode, off64_t at, off64_t size), (file, mode, at, size), is_open(file))
STANDS_BEFORE(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags),
              (from, at, to, there, size, flags), is_open(to))
STANDS_BEFORE(int, mkdir, (const char *path, mode_t mode), (path, mode), is_ours(path))
STANDS_BEFORE(int, unlink, (const char *path), (path), is_ours(path))
STANDS_BEFORE(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), is_ours(path))
STANDS_BEFORE(int, remove, (const char *path), (path), is_ours(path))
STANDS_BEFORE(int, rename, (const char *old, const char *new), (old, new), is_ours(old) || is_ours(new))
STANDS_BEFORE(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new),
              is_ours(old) || is_ours(new))
STANDS_BEFORE(int, link, (const char *old, const char *new), (old, new), is_ours(old) || is_ours(new))
STANDS_BEFORE(int, linkat, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags),
              is_ours(old) || is_ours(new))
STANDS_BEFORE(int, chmod, (const char *path, mode_t mode), (path, mode), is_ours(path))
