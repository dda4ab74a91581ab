const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** A client has this long to send its body. */
export const requestBodyMs = 60_000
/** Nesting of a request body. Deeper input is refused before it is parsed. */
export const bodyDepthMax = 128
/** Bytes of request bodies held at once; above it new bodies wait outside with 429. An isolate has 128 MB in all. */
export const bodiesInFlightBytesMaxEdge = 48 * mebibyte
export const bodiesInFlightBytesMaxNode = 256 * mebibyte
/** Unless MAX_OPEN_STREAMS says otherwise. */
export const openStreamsMax = 256
/** Unless MAX_CLIENT_CONNECTIONS says otherwise. */
export const clientConnectionsMax = 512
/** What either setting may say: one descriptor each, and one to the provider. */
export const settableConnectionsMax = 16_384
export const messagesMax = 5_000
export const toolsMax = 256
export const imagesPerRequestMax = 20
/** Answers of one request: each is a call of its own to the provider. */
export const choicesMax = 8

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
/** Features that one request tries out; more are not told to the provider. */
export const betasMax = 32
/** Names in the header that tells what of a request was not followed. */
export const ignoredFieldsMax = 40

/** Model ids and provider addresses of which what they mean is kept; an id has at most 2,048 characters. */
export const keptTexts = { textsMax: 64, charactersMax: 4_096 }

/** A connection of messages is as old as the reference lets one become, and ends after the answer under way. */
export const responseSocketMs = 60 * 60_000

/** Messages of a client that wait while one is answered, where the host cannot hold them up; more end the connection. */
export const socketMessagesWaitingMax = 8

/** The name of a lane of such a connection. */
export const laneCharactersMax = 256

/** The public feed of prices has some 3 MB. */
export const priceFeedBytesMax = 16 * mebibyte
/** Its time, its age at which it is read again, and how soon a reading that failed is tried again. */
export const priceFeedMs = 60_000
export const priceFeedRefreshMs = 24 * 3_600_000
export const priceFeedRetryMs = 3_600_000

/** First waiting time of full-jitter backoff, doubled for each attempt. */
export const retryBaseMs = 200
/** A longer wait is the client's own: it has retries too, and a person who waits. */
export const retryWaitMaxMs = 2_000
/** What a client is told where the provider throttles and does not say for how long. */
export const retryAfterSecondsAssumed = 5

/** Answers that clients may go on from: how many of a key, for how long, and how much of them. */
export const keptResponsesMax = 1_000
export const keptResponseMs = 30 * 24 * 3_600_000
export const keptResponseCharactersMax = 64 * mebibyte
/** Of all keys on one disk. */
export const keptResponseCharactersMaxDisk = 1_024 * mebibyte
/** A row of the platform's database takes 2 MB, and a character up to three bytes. */
export const keptPieceCharacters = 500_000
/** One call to the platform's objects takes 32 MiB; a larger answer is not kept. */
export const keptResponseCharactersOneMax = 8 * mebibyte
export const inputItemsListedMax = 100

export const catalogueEntriesMax = 5_000
export const cataloguePagesMax = 20
export const cataloguePageSize = 1_000
/** A refresh of the catalogue or the key that hangs is no longer waited for. */
export const startUpCallTimeoutMs = 20_000

/** What one provider beside the account's lists, of which no more is kept, and in how many pages. */
export const externalModelsMax = 2_000
export const externalPagesMax = 10
export const externalListBytesMax = 8 * mebibyte
/** Its list is waited for no longer: whoever asks for all models would wait with it. */
export const externalListMs = 5_000

/** Credentials are renewed this long before they end. */
export const credentialRenewalLeadMs = 5 * 60_000

/** Tokens of one token array sent for embedding; the largest model of the registry takes 8,192. */
export const embeddingTokensMax = 65_536
export const embeddingInputsMax = 2_048
/** Texts of one call to a family A model. */
export const familyATextsPerCall = 96
/** Texts of one call to Gemini. */
export const geminiTextsPerCall = 100

export const routeNameCharactersMax = 64
/** What is kept of how routes were before, and what is listed of it. */
export const routeChangesKeptMax = 200
export const routeChangesListedMax = 50
/** How old what a process knows of kept routes may be. */
export const routesFreshMs = 1_000

/** A shorter key in the settings is refused; one that a store of secrets holds is taken, with a warning. */
export const apiKeyCharactersMin = 20

/** Keys that there may be at once, revoked ones included until they are removed. */
export const keysMax = 200
export const keyNameCharactersMax = 100
export const keyModelsMax = 50
/** Addresses and networks that one key opens for. */
export const keyAddressesMax = 32
/** A new secret takes over from the old one within this time, so that a running job can finish. */
export const oldSecretMs = 3_600_000
/** No call lasts longer: the provider's first byte and a long answer. A reservation that is older has lost its process. */
export const reservationMsMax = 2 * 3_600_000
/** Tries that the record keeps of a call: so many steps of a route with so many tries each. The last ones stay. */
export const attemptsKeptMax = 32
/** Calls that have ended and are not written down yet. One more, and all of them are. */
export const endedCallsWaitingMax = 256
/** Calls that the record keeps of a key, or of all keys where they are kept together. */
export const callsKeptMax = 1_000
export const callsListedMax = 200
/** Models on a page of the messages dialect, as its reference has them. */
export const modelsPageMax = 1_000
export const modelsPageDefault = 20

/** What requests and answers say, of a key whose owner keeps it: how long it is kept, and until it turns itself off. */
export const bodiesKeptMs = 24 * 3_600_000
export const keepBodiesMs = 7 * 24 * 3_600_000
/** Of a key; the oldest make room. */
export const bodiesKeptMax = 200
/** As they are sealed, of a key. */
export const bodiesKeptCharactersMax = 16 * mebibyte
/** Of a request, and of an answer; what follows is cut off. A row of the platform's objects holds 2 MB. */
export const bodyCharactersKeptMax = 128 * 1_024
export const usageDaysMax = 400
/** The end of an answer in a dialect of the others, in which its tokens are counted. */
export const usageTailCharactersMax = 16 * kibibyte
/** The largest budget, in dollars, and the largest number of a minute: sums stay whole numbers. */
export const budgetDollarsMax = 1_000_000
export const perMinuteMax = 1_000_000_000

/** Calls that have ended are told to a collector together, after this time. */
export const telemetryBatchMs = 5_000
/** Those that wait to be told; what comes after them is lost. */
export const telemetryWaitingMax = 2_048
/** A collector has this long to take them. */
export const telemetryAnswerMs = 10_000
