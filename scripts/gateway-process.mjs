// How the gateway's own process is started: by `npm run gateway`, in the container, in the executable and the bench.

/**
 * The runtime's defaults trade memory for speed that a gateway has no use for: what a request needs dies with it, so a
 * small nursery and a heap that grows in small steps keep the process at a third, for a few hundredths of processor time.
 */
export const gatewayNodeFlags = ['--max-semi-space-size=4', '--heap-growing-percent=20']

/**
 * The C library otherwise keeps an arena for every thread, and what is freed in one is of no use to the others; and it
 * learns from large buffers to keep ever more of what was freed, where with fixed thresholds it gives it back.
 */
export const gatewayProcessVariables = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}
