/** Every bound of the code viewer. "Spec" is the interface document; the rest are proposals of the design. */

/** Spec: the default port, and how many after it are tried when it is taken. */
export const defaultPort = 4747
export const portsTriedAfterDefault = 20

/** The tools for agents, where they are asked over a port. */
export const sensesPort = 4748
/** Requests that may be under way; a client has one connection for each. */
export const sensesConnectionsMax = 64
/** Of a token that somebody chose; one that is made has 43 characters. */
export const sensesTokenCharsMin = 32

/** Spec: a write body. */
export const bodyBytesMax = 65_536
/** A trail has one level of hops; deeper input is a bomb. */
export const bodyDepthMax = 16

export const textCharsMax = 2000
export const searchLimitMax = 200
export const searchLimitDefault = 60
/** Candidates considered by each way of matching. */
export const searchPoolMax = 400

/** Spec: ids of one look-up. */
export const nodesIdsMax = 60

export const sourceLineMax = 5_000_000
export const sourceLinesPerAnswerMax = 4000
export const sourceBytesMax = 8 * 1024 * 1024
/** Whose change made each line: of longer files nobody is told, and git is ended when it takes or says more. */
export const blameLinesMax = 20_000
export const blameMsMax = 15_000
export const blameBytesMax = 16 * 1024 * 1024
export const blameFilesKept = 32
/** Templates and settings that are looked through for names before something is said to be without use. */
export const otherTextsMax = 20_000
/** Files that are read for the lines of a symbol's callers, and what is told of such a line. */
export const callerFilesReadMax = 40
export const callerLineCharsMax = 200
export const highlightLinesMax = 4000
export const highlightCharsMax = 600_000
export const highlightCacheBytesMax = 64 * 1024 * 1024

export const routesLimitMin = 3
export const routesLimitMax = 500
export const routesLimitDefault = 200
/** Spec: with fewer production routes there is no URL map. */
export const routesMin = 3

export const entryLimitMax = 50
export const entryLimitDefault = 12
export const entryRoutesMin = 3
export const entryRoutesMax = 300
export const entryRoutesDefault = 60

export const handlersLimitMax = 500
export const handlersLimitDefault = 200
export const gapsLimitMax = 500
export const gapsLimitDefault = 40
/** Rows of each list of a folder. */
export const treeLimitMax = 2000
export const treeLimitDefault = 500
/** Rows of each list of a review. */
export const reviewLimitMax = 500
export const reviewLimitDefault = 200
/** A list of owners: the forge that most use reads no larger one. */
export const ownersBytesMax = 3 * 1024 * 1024
export const mapDepthMax = 4
export const deadCodeLimitMax = 300
export const flowLimitMax = 4
export const flowHopsMin = 2
export const flowHopsMax = 64

/** Spec: names in one `changed` or `index` event. */
export const eventFilesMax = 200
/** Spec: keeps the connection alive. */
export const heartbeatMs = 25_000
/** Spec: the index folder is asked after this much quiet, or after this long at most. */
export const indexQuietMs = 400
export const indexQuietMsMax = 3000
export const sourceQuietMs = 500
export const sourceQuietShortMs = 300
/** This few changes are told sooner. */
export const sourceQuietShortFiles = 2
/** More pending changes than this are not told one by one. */
export const sourcePendingMax = 500
export const retryMs = 3000
export const subscribersMax = 64
/** What may wait for one tab that reads slowly. */
export const queuedBytesMax = 1024 * 1024

export const trailNameCharsMax = 120
export const trailNoteCharsMax = 600
export const trailHopsMax = 64
export const trailSlugCharsMax = 60
export const trailFilesMax = 200
export const trailFileBytesMax = 65_536
export const trailAuthorCharsMax = 120

/** Node's server: connections, and how long headers, a body and an idle connection may take. */
export const connectionsMax = 512
export const headersBytesMax = 16_384
export const headersMsMax = 10_000
export const bodyMsMax = 60_000
export const keepAliveMs = 5000

/** One question of a program; the longest that is no mistake has a few thousand characters. */
export const messageBytesMax = 256 * 1024

/** What is followed to tell what stands before a URL; beyond, it is told as far as it is known. */
export const urlBounds = {
  /** Places at which one router is put, and how deep routers lie in one another. */
  mountsPerRouter: 16,
  mountDepth: 40,
  /** Places of one file that put a router somewhere, and as many that give a URL; a file with more is no program. */
  routersPerFile: 2000,
  /** Places of one file that fit one pattern; the others are not looked at. */
  placesPerFile: 5000,
  /** What is looked through for each of them: its chain of calls, its block, the function around it. */
  chainChars: 4000,
  blockChars: 60_000,
  functionChars: 40_000,
} as const

/** An index that nobody wrote for so long is judged by the compiler. */
export const proofQuietMs = 5_000

/** Edges that a compiler contradicts, and uses that have none, told one by one. */
export const accuracyLimitDefault = 100
export const accuracyLimitMax = 500

/** Text search: what is asked, what is answered, and what it may cost. */
export const textQueryCharsMax = 500
export const textLinesMax = 1000
export const textLinesDefault = 300
/** Lines of one file; those beyond are left out, so that one table of data does not hide the others. */
export const textLinesPerFileMax = 100
export const textMsMax = 10_000
export const textKibMax = 1024 * 1024
/** Searches at one time; others wait their turn. */
export const textSearchesMax = 2
