/** Numbers of the own-machine host, each with its unit and reason. */

/** A runtime that dies this often within the window will not get better by starting again. */
export const runtimeRestartsMax = 5
export const runtimeRestartWindowMs = 60_000
/** A restart takes some 200 ms; past this the runtime is not coming back. */
export const runtimeRestartWaitMs = 10_000
/** An ended process is gone in milliseconds; past this it hangs in the kernel and its folder is not safe to open. */
export const processEndWaitMs = 5_000
export const processPollMs = 10
/** One line of the Worker's log. Longer ones are cut with a mark. */
export const logLineCharactersMax = 8_192
/** 256 bits: the length of the key that seals secrets at rest, and of every code and key made here. */
export const secretBytes = 32
/**
 * Old-space limit of V8 in the runtime. Without it the heap grows with the machine's memory, because nothing presses
 * the collector; every isolate of the process (the Worker, the static assets, the D1 and object shims) has its own.
 */
export const runtimeHeapMebibytesMax = 96
/** Young generation: what a burst of requests fills before it is collected. */
export const runtimeSemiSpaceMebibytesMax = 4
