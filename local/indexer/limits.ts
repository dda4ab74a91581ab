/** Every bound of the index. */

/** A larger file is data, not source. */
export const fileBytesMax = 1024 * 1024
export const filesMax = 200_000
/** Source folders deeper than this are a loop of links or a mistake. */
export const folderDepthMax = 40
/** Workers that parse. Two: more gains nothing on the machines this is meant for. */
export const extractWorkers = 2
/** Below this many files starting workers takes longer than parsing. */
export const workerFilesMin = 60
/** One file may take this long to parse; then it is recorded with its error. */
export const extractFileMsMax = 2000
export const workerHeapMbMax = 1024
