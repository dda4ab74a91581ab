const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** A client has this long to send its body. */
export const requestBodyMs = 60_000
/** Nesting of a request body. Deeper input is refused before it is parsed. */
export const bodyDepthMax = 128
/** Bytes of request bodies held at once; above it new bodies wait outside with 429. An isolate has 128 MB in all. */
export const bodiesInFlightBytesMaxEdge = 48 * mebibyte
export const bodiesInFlightBytesMaxNode = 256 * mebibyte
export const openStreamsMax = 256
export const messagesMax = 5_000
export const toolsMax = 256
export const imagesPerRequestMax = 20

/** All images one request has downloaded. Written as text they fill nearly all of what the provider takes, 25 MB. */
export const imagesBytesMax = 17 * mebibyte
export const imageTimeoutMs = 30_000
export const imageRedirectsMax = 3
/** Downloads of one request at once: the platform allows six waiting connections. */
export const imageDownloadsAtOnce = 4

/** A comment keeps proxies from closing a silent stream. */
export const keepAliveMs = 15_000
/** How often an open stream looks at its own silence. */
export const streamWatchMs = 1_000
/** The provider may leave the body open after its last event; then the connection is given up. */
export const drainAfterEndMs = 1_000

/** Largest frame and header block the event-stream format allows. */
export const frameBytesMax = 16 * mebibyte
export const frameHeaderBytesMax = 128 * kibibyte
/** One event of a stream of the compatible endpoint; the last one of an answer holds all of it. */
export const serverSentEventCharactersMax = 16 * mebibyte
/** A whole answer of the provider read into memory: embeddings and non-streamed answers. */
export const providerAnswerBytesMax = 64 * mebibyte
export const providerErrorBytesMax = 64 * kibibyte
export const requestIdCharactersMax = 128

/** Model ids and provider addresses of which what they mean is kept; an id has at most 2,048 characters. */
export const keptTexts = { textsMax: 64, charactersMax: 4_096 }

/** First waiting time of full-jitter backoff, doubled for each attempt. */
export const retryBaseMs = 200
export const retryWaitMaxMs = 20_000

export const catalogueEntriesMax = 5_000
export const cataloguePagesMax = 20
export const cataloguePageSize = 1_000
/** A refresh of the catalogue or the key that hangs is no longer waited for. */
export const startUpCallTimeoutMs = 20_000

/** Credentials are renewed this long before they end. */
export const credentialRenewalLeadMs = 5 * 60_000

/** Tokens of one token array sent for embedding; the largest model of the registry takes 8,192. */
export const embeddingTokensMax = 65_536
export const embeddingInputsMax = 2_048
/** Texts of one call to a family A model. */
export const familyATextsPerCall = 96

/** Keys shorter than this are accepted and warned about. */
export const apiKeyCharactersAdvised = 20
