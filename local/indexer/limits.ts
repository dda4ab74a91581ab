/** Every bound of the index. */

/** A larger file is data, not source. */
export const fileBytesMax = 1024 * 1024
export const filesMax = 200_000
/** Source folders deeper than this are a loop of links or a mistake. */
export const folderDepthMax = 40
/** Git may take this long to list a project's files; then the folders are walked instead. */
export const listingMsMax = 30_000
/** Workers that parse. Two: more gains nothing on the machines this is meant for. */
export const extractWorkers = 2
/** Below this many files starting workers takes longer than parsing. */
export const workerFilesMin = 60
/** One file may take this long to parse, on a machine with other work too; then it is recorded with its error. */
export const extractFileMsMax = 10_000
export const workerHeapMbMax = 1024
/** Syntax trees die young: left to itself each worker would keep many times this for them. */
export const workerYoungHeapMb = 12
/** After more changes than this the whole index is linked again, which is then hardly slower. */
export const patchedFilesMax = 40
/** Long work on one thread pauses this often, so that a signal is heard and the progress bar moves. */
export const stepMsMax = 50
/** Texts of symbols that a viewer keeps between two questions; at this many it begins anew. */
export const keptTextsMax = 50_000
/** Types that one member is looked for in, itself and all it inherits from; real ones have a tenth of this. */
export const ancestorsMax = 400
/**
 * Steps of the evaluator that the references of one file may take together, and one of them alone. The most that a file
 * of real source was seen to take is a tenth of it; what is beyond is no program but a knot. A step takes about a
 * microsecond.
 */
export const linkStepsPerFileMax = 1_000_000
export const linkStepsPerReferenceMax = 50_000
