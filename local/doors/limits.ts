/** Every bound of the doors before the tools of this machine. */

/** A tool that nobody asked anything for so long, and that has nothing to do, ends. */
export const quietMsMax = 15 * 60 * 1000
/** Time for a tool to say where it listens; longer means that it never will. */
export const startMsMax = 30_000
/** Time for a tool to end by itself before it is ended. */
export const endMsMax = 3_000
/** Time for a tool to say whether it has something to do. */
export const askMsMax = 5_000
/** Requests that may wait for a tool to start. */
export const waitingMax = 64
/** As the tools themselves have them. */
export const connectionsMax = 512
export const headersBytesMax = 16 * 1024
export const headersMsMax = 10_000
export const requestMsMax = 60_000
export const keepAliveMs = 5_000
/** The port after which a default one is looked for. */
export const portsTriedAfterDefault = 20
