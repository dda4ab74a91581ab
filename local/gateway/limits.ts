/** Connections kept to the provider at once; more where more streams may be open. */
export const connectionsToProviderMax = 256
/** How long an idle connection to the provider is kept. */
export const idleConnectionMs = 30_000

/** Bytes a connection to a provider may bring in one reading; the runtime's own choice as well. */
export const bytesReadAtOnce = 64 * 1024
/** Bytes of an answer taken from the connection before anyone asks for them. */
export const answerBytesAhead = 64 * 1024

export const requestHeaderBytesMax = 16 * 1024
/** A client has this long to send its headers, and its whole request. */
export const headersTimeoutMs = 10_000
export const requestTimeoutMs = 60_000
/** How often the server looks for those whose time is over. */
export const timeoutCheckMs = 1_000
export const clientKeepAliveMs = 5_000
/** A refused client may pause for so long while the rest of its body is taken; after that its connection ends. */
export const lateBodyPauseMs = 500
/** After the word to stop, answers under way have this long to finish. */
export const drainMs = 30_000
/** The client of a connection of messages has this long to answer that the server goes. */
export const socketGraceMs = 2_000

/** Processes of one gateway on one port. */
export const workerProcessesMax = 64
/** Processes that ended by themselves and were started again within the window; after one more the gateway gives up. */
export const workerStartsMax = 5
export const workerStartsWindowMs = 60_000

/**
 * Where nothing is kept on a disk, calls that have ended are written down together after so long: about the time in which
 * many requests fill the nursery, so that few records grow old before they are written.
 */
export const writtenInMemoryMs = 15

/** Between two looks for bodies of requests that are too old to be kept. */
export const oldBodiesEveryMs = 600_000
