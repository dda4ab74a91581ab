/** Numbers of the Node runtime, each with its unit and reason. */

/** D1 and the storage of objects take so many values a statement. */
export const parametersMax = 100
/** Prepared statements kept for each open database. The App has some 300 texts, most of them rare. */
export const preparedStatementsMax = 128
/** Statement texts whose shape is remembered. */
export const statementTextsMax = 1_024
/** Names of objects of one class whose ids are remembered; an owner has some hundred sites, and a caller may choose names. */
export const objectNamesMax = 1_024
/** Nobody else opens the files but a backup that reads, which a writer does not wait for. */
export const databaseBusyMs = 5_000
/** An object that nobody asked and that has no work left is put out of memory after so long, as at the edge. */
export const objectIdleMs = 10_000
/** A start of an object that takes longer than this hangs. */
export const blockConcurrencyMsMax = 30_000
/** Values over a call between objects are no deeper; what is, is most likely a ring. */
export const plainDataDepthMax = 200
/** A failed alarm comes again after 2 s, 4 s, 8 s … and, from so many times on, after 17 minutes. */
export const alarmRetryFirstMs = 2_000
export const alarmDoublingsMax = 9
/** Node's timers take no longer waits; an alarm further away is looked at again after so long. */
export const alarmSleepMsMax = 24 * 3600 * 1000
/** Bytes of an answer taken from its connection before anyone asks for them. A shorter one holds no connection. */
export const answerBytesAhead = 64 * 1024
/** An answer that nobody has read for so long is given up, and its connection with it. */
export const unreadAnswerMs = 30_000
/** Redirects that are followed where the caller left that to `fetch`. */
export const redirectsMax = 20
/** How long an idle connection to somebody else's server is kept. */
export const idleConnectionMs = 4_000
/** Headers of a request, all together. */
export const requestHeaderBytesMax = 32 * 1024
/** A client has this long to send its headers, and this long without sending anything before its connection ends. */
export const headersTimeoutMs = 60_000
export const clientKeepAliveMs = 65_000
/** After the word to stop, answers under way have this long to finish. */
export const drainMs = 500
/** After a start, which has more urgent things to do than to join channels. */
export const announcesAfterMs = 500
