import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** In place of those of the C library: wait, and then do the same. */
const source = (flushMs: number) => `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>
static void wait_for_disk(void) {
  struct timespec left = {${Math.floor(flushMs / 1_000)}, ${(flushMs % 1_000) * 1_000_000}L};
  nanosleep(&left, NULL);
}
int fsync(int file) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
int msync(void* memory, size_t size, int flags) {
  wait_for_disk();
  return ((int (*)(void*, size_t, int))dlsym(RTLD_NEXT, "msync"))(memory, size, flags);
}
`;

/** Comes before the command line of a driver, whose flushes to the disk then take so long. Empty without a C compiler. */
export function slowFlushes(folder: string, flushMs: number): readonly string[] {
  const [from, to] = [`${folder}.slow.c`, `${folder}.slow.so`];
  writeFileSync(from, source(flushMs));
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', to, from, '-ldl']);
  return status === 0 ? ['env', `LD_PRELOAD=${to}`] : [];
}
