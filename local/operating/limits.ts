/** Numbers of what the host says of its machine, each with its unit and reason. */

/** Less than this is left of the disk: the owner is told while everything still works. */
export const diskLowBytes = 512 * 1024 ** 2
/** What a try of the disk writes: a page of a database and a few more. */
export const diskTryBytes = 64 * 1024
/** A report is made anew after this: monitors ask every few seconds, and anybody who reaches the port may. */
export const reportFreshMs = 2_000
/** Databases that are looked through at a start, main one first; a gigabyte takes about a second from memory. */
export const startCheckBytesMax = 512 * 1024 ** 2
/** Up to this size the indexes are compared with their tables as well, which takes several times as long. */
export const thoroughCheckBytesMax = 32 * 1024 ** 2
/** A clock that is set back by less than this was only set right. */
export const clockBackSecondsMax = 24 * 3600
/** A service that was off for longer than this is possible, and worth a question. */
export const clockAheadSecondsMax = 2 * 365 * 24 * 3600
/** Files of the log: together some 32 MiB, which at a few lines an hour is years. */
export const logFilesDefault = 4
export const logFilesMax = 99
/** MiB of one of them. */
export const logSizeDefault = 8
export const logSizeMax = 4_096
/** So many different hosts that cannot be reached, with none that can in between, are no coincidence. */
export const lostHostsMin = 2
/** How often a lost network is looked for. */
export const networkLookMs = 30_000
/** Newest lines of the log in a file of diagnostics. */
export const diagnosticsLinesMax = 2_000
/** A service that does not answer within this is said not to. */
export const diagnosticsAnswerMs = 5_000
