// How a process that serves for months is started: by `npm start` and `npm run gateway`, by `svc serve`, in the gateway's
// container and executable, and in the benches.

/**
 * The runtime's defaults trade memory for speed that a service has no use for: what a request needs dies with it, so a
 * small nursery and a heap that grows in small steps keep the process at a third, for a few hundredths of processor time.
 */
export const leanNodeFlags = ['--max-semi-space-size=4', '--heap-growing-percent=20']

/**
 * What the whole service has once it serves is known: the steps up to there would cost a start an eighth of its processor
 * time. The gateway alone has less, and would keep what it has no use for.
 */
export const serviceNodeFlags = [...leanNodeFlags, '--initial-old-space-size=48']

/** A small nursery alone, for whoever must not be held up: it is looked through in little time, and the rest of the heap seldom. */
export const promptNodeFlags = ['--max-semi-space-size=4']

/**
 * The C library otherwise keeps an arena for every thread, and what is freed in one is of no use to the others; and it
 * learns from large buffers to keep ever more of what was freed, where with fixed thresholds it gives it back.
 */
export const leanProcessVariables = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}
