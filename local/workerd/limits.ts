/** Numbers of the own-machine host, each with its unit and reason. */

/** A runtime that dies this often within the window will not get better by starting again. */
export const runtimeRestartsMax = 5
export const runtimeRestartWindowMs = 60_000
/** A restart takes some 200 ms, and seconds on a machine that is busy; past this the runtime is not coming back. */
export const runtimeRestartWaitMs = 30_000
/** An ended process is gone in milliseconds; past this it hangs in the kernel and its folder is not safe to open. */
export const processEndWaitMs = 5_000
export const processPollMs = 10
/** One line of the Worker's log. Longer ones are cut with a mark. */
export const logLineCharactersMax = 8_192
/** A secret setting shorter than this is no secret, and hiding it would blank ordinary words out of the log. */
export const secretSettingCharactersMin = 8
/** 256 bits: the length of the key that seals secrets at rest, and of every code and key made here. */
export const secretBytes = 32
/**
 * Old generation of one isolate of the runtime. Left alone V8 takes it from the machine's memory (1.5 GiB and more); the
 * largest honest need is a downloader with 20,000 torrents, some 60 MiB parsed.
 */
export const runtimeHeapMebibytesMax = 512
/**
 * Below this an isolate's old generation is not searched for garbage. Left alone V8 begins at a few MiB and then stops
 * everything about once for each search of sites, which holds the lists of all of them for a moment. Measured for forty
 * sites, and resident under load: 220 ms of the processor and 569 MiB left alone, 178 and 655 with 32, 140 and 909 with 64.
 */
export const runtimeFirstHeapMebibytes = 32
/**
 * Young generation of one isolate. A small one is collected often, and with each collection go the requests and headers
 * that the garbage kept alive outside the heap. Measured under load: 358 MiB resident with 2, 414 MiB with V8's own 16.
 */
export const runtimeSemiSpaceMebibytesMax = 2
/** Connections of clients at once, each of which takes two descriptors here and one in the runtime. */
export const clientConnectionsMax = 512
/** How long a client that has its answer may pause while the rest of its body is thrown away. */
export const lateBodyMs = 2000
/** Addresses in a chain of proxies that are looked at, from its end. */
export const forwardedHopsMax = 32
/** Free ports tried for the runtime; each is lost only when another program takes it within milliseconds. */
export const innerPortAttemptsMax = 5

/** A password and the end of its line, with room for the longest that the service takes. */
export const ownerPasswordFileBytesMax = 4096
/** An answer of the network's own names may be kept so long (RFC 6762, section 10), and one to a single asker shorter (6.7). */
export const localNameSeconds = 120
export const unicastAnswerSeconds = 10
