/** Every bound of the agent server, with its unit and where it comes from. */

/** Request bodies. A prompt of 1 MiB with its JSON escapes and small inline files; larger images go through files. */
export const bodyBytesMax = 32 * 1024 * 1024
export const bodyDepthMax = 128
/** Bounds of design/trust.md section 4. */
export const promptTextBytesMax = 1024 * 1024
export const promptFilesMax = 50
export const promptFileBytesMax = 20 * 1024 * 1024
export const inboxPerSessionMax = 100
/** Of the text of each, in the list of those that wait: enough to know it by. */
export const waitingTextCharactersMax = 2_000
export const turnsRunningMax = 16
export const stepsPerTurnMax = 200
export const pendingAsksPerSessionMax = 64
export const replyBodyBytesMax = 64 * 1024
export const replyMessageCharactersMax = 16 * 1024
/** One request of the question tool, as a person can take it in. */
export const questionsMax = 16
export const questionOptionsMax = 64
export const questionCharactersMax = 4_000
/** Steering inputs taken together at one step boundary; the rest follow at the next. */
export const steersPerBoundaryMax = 100

/** Server-sent events. */
export const subscribersMax = 256
export const subscriberEventsMax = 1024
export const subscriberBytesMax = 1024 * 1024
export const heartbeatMs = 10_000
export const replayPageEvents = 512

/** Durable text: a piece is committed when it is this old or this large, whichever comes first (clarification 19). */
export const textPieceMsMax = 100
export const textPieceBytesMax = 1024

/**
 * Text, reasoning and arguments of one answer together. The longest that models write is two thirds of it; the rest go round, and
 * ending one of a whole MiB holds the loop for over 20 ms.
 */
export const answerBytesMax = 768 * 1024
/** What all sessions together do in one pass of the event loop, before everything else has its turn. */
export const loopShareMsMax = 3

/** Lists. The defaults and maxima are those of the interface's reference. */
export const sessionPageDefault = 50
export const sessionPageMax = 200
/** A search in what was said: the longest words, messages that one request looks through, and those between two looks at the clock. */
export const saidTextMax = 200
export const saidMessagesMax = 4_000
export const saidMessagesAtOnce = 16
export const saidFoundMax = 30
export const messagePageDefault = 50
export const messagePageMax = 200
export const historyPageDefault = 50
export const historyPageMax = 100
export const savedRulesMax = 1000
/** Sessions whose own permissions are remembered; those of the oldest are asked for again. */
export const sessionsWithRulesMax = 200

/** The owner is told on the channels of the service that something stays unanswered: after how long, and how long that may take. */
export const notifyAfterSeconds = 30
export const notifyAfterSecondsMin = 1
export const notifyAfterSecondsMax = 3_600
export const notifyMsMax = 15_000

/** Model calls. */
/** Ready to be asked: as many turns run at once, each with its own model at the most. */
export const languageModelsMax = 16
export const modelAttemptsMax = 5
export const retryDelayMsFirst = 500
export const retryDelayMsMax = 30_000
export const modelQuietMsMax = 180_000
/** The most that the configuration may allow a provider: a model on a small machine reads a long prompt for minutes. */
export const modelQuietMsLongest = 3_600_000
/** Characters per token when the provider did not count: a deliberately low figure, so that compaction comes early. */
export const charactersPerToken = 3.5
export const compactionBufferTokens = 20_000
export const compactionOutputTokensMax = 32_000
export const compactionTailTokens = 15_000
export const compactionToolOutputCharactersMax = 2_000

/** Other models to go on with when one is overloaded, and after how many attempts. */
export const fallbackModelsMax = 3
export const fallbackAfterAttempts = 2
/** The name of a session: what is read of its first prompt, and how long a model may take. */
export const titlePromptCharactersMax = 4_000
export const titleMsMax = 60_000

/** Tools. */
export const toolOutputBytesMax = 50 * 1024
export const toolOutputLinesMax = 2_000
export const readBytesMax = 32 * 1024 * 1024
/** Files that a session remembers to have read, and sessions that do: afterwards the model reads again. */
export const receiptsPerSessionMax = 5_000
export const receiptSessionsMax = 200
export const readLinesDefault = 2_000
export const readLineCharactersMax = 2_000
/** 5 MiB once written as base64, which is how a model is sent an image. */
export const imageBytesMax = 3_932_160
export const globResultsMax = 200
export const grepMatchesMax = 200
export const listEntriesMax = 1_000
export const searchMsMax = 30_000
/** Of addresses, of which a search of a large project uses a tenth. */
export const searchKibMax = 1024 * 1024
export const shellMsDefault = 120_000
export const shellMsMax = 600_000
/** Held of the beginning of a command's output, and as much of its end. */
export const shellOutputEndBytesMax = 512 * 1024
/** The file that has the whole of it; its end is kept beyond that. Together they can be read by the model. */
export const shellLogBytesMax = readBytesMax - 2 * 1024 * 1024
/** What a command says is shown while it runs: this often, and this much of its end. */
export const progressMsMin = 250
export const progressBytesMax = 4 * 1024
export const shellKillGraceMs = 3_000
/** Time for the last output of a command that has ended: what still holds its pipes then is a service of its own. */
export const shellDrainMs = 250
export const shellProcessesPerSessionMax = 8
/** Commands that go on in the background: of one session, of all together, and how many that ended are remembered. */
export const backgroundPerSessionMax = 4
export const backgroundRunningMax = 16
export const backgroundKeptPerSessionMax = 20
/** How long its start is watched, so that what fails at once says so at once. */
export const backgroundFirstMs = 1_000
/** How often what it made that only the owner may make is looked for. */
export const backgroundLookMs = 60_000
export const backgroundWaitMsMax = 60_000
/** Of its output, for one look. */
export const backgroundReadBytesMax = 256 * 1024
export const backgroundShownBytesMax = 64 * 1024
/** Calls of one step that run at once; the others wait in line. */
export const callsBesideMax = 8

/** Notes that sessions keep for later ones. All of a project's are looked through for each step. */
export const memoryNotesMax = 200
export const memoryNoteCharactersMax = 500
export const memoryNotesShownBytesMax = 8 * 1024
export const learnedPageMax = 100
export const policyReasonCharactersMax = 500

/** Files as the routes show them. The size is fixed by the interface; the rest by design/trust.md section 4. */
export const fileBytesMax = 32 * 1024 * 1024
export const fileChunkBytes = 64 * 1024
export const filePathBytesMax = 4096
export const fileOperationsMax = 4
export const findEntriesMax = 20_000
/** Files that differ from the last commit, as far as they are listed. */
export const changedFilesMax = 2000
export const findDepthMax = 16
export const findQueryCharactersMax = 256
export const findResultsDefault = 50
export const findResultsMax = 1_000

/** Pruning of sessions: a selection is a transaction. What changed a moment ago is spared unless it is asked for. */
export const pruneSessionsMax = 500
export const pruneRecentMs = 60 * 60_000
export const pruneDaysMax = 36_500

/** Pseudo-terminals. A reader that is further behind than the scrollback reaches has missed something and is told so. */
export const terminalsLiveMax = 32
export const terminalsExitedMax = 25
export const scrollbackBytesMax = 256 * 8 * 1024
/** From us; those of a client are larger, since a paste is one frame. */
export const terminalFrameBytesMax = 64 * 1024
export const terminalInputFrameBytesMax = 1024 * 1024
export const terminalKillGraceMs = 3_000
export const terminalSideMax = 1_000
export const terminalTitleCharactersMax = 200
export const terminalArgumentsMax = 256
export const terminalArgumentCharactersMax = 32 * 1024
export const terminalVariablesMax = 256
export const terminalBodyBytesMax = 256 * 1024
export const connectTokenMs = 60_000
export const connectTokensMax = 10_000

/** Files as they were before a step. A larger one is data: it is neither kept nor taken back. */
export const snapshotFileBytesMax = 16 * 1024 * 1024
/** Of one file, and of all that a revert shows: they are part of the session's record. */
export const snapshotPatchBytesMax = 256 * 1024
export const snapshotPatchesBytesMax = 1024 * 1024
/** Pairs of trees whose differences are remembered, and how many differences at most: a revert asks what its steps have asked. */
export const snapshotPairsMax = 8
export const snapshotPairPathsMax = 1000
/** Of more files that a session changed the lines are not counted: each step would wait for that. */
export const snapshotCountedFilesMax = 1000
/** One look at all files of a folder, the first one at a large folder included. */
export const snapshotGitMsMax = 600_000
/** Listing names alone; a pipe that lies where a list of ignored files is expected ends here. */
export const snapshotListMsMax = 60_000

/** Copies of projects that sessions work in; each is as large as the files of its project. */
export const workTreesMax = 32

/** Formatters and language servers, which follow an edit. A server that nobody needed for a while is ended. */
export const formatMsMax = 10_000
export const formatTextBytesMax = 1024 * 1024
export const languageServersMax = 4
export const languageIdleMs = 10 * 60_000
export const languageRetryMs = 10 * 60_000
/** An edit waits so long for what is said of it. */
export const languageDiagnoseMsMax = 15_000
/** Nor longer for what the code index says of it, of so many files, each in so many tokens, by so many characters of lines. */
export const editReachMsMax = 3_000
/** Of that, for the index to take in what was changed before. */
export const editReachFreshMsMax = 1_500
export const editReachFilesMax = 4
export const editReachTokens = 600
export const editReachWordsMax = 1_000
/** After its first word: types are told after syntax. */
export const languageQuietMs = 400
export const languageOpenFilesMax = 50
export const languageHeaderBytesMax = 4 * 1024
export const languageMessageBytesMax = 8 * 1024 * 1024
export const diagnosticsShownMax = 20

/** Rules and skills read from the project. */
export const ruleFileBytesMax = 64 * 1024
export const ruleFilesMax = 100
export const markdownFileBytesMax = 64 * 1024
export const markdownFilesMax = 500
export const configFileBytesMax = 256 * 1024
export const valueFileBytesMax = 64 * 1024
export const trustedFilesMax = 1_000

/** Copies of repositories that the configuration refers to. */
export const referenceFetchMsMax = 120_000
export const referenceAgeMsMax = 24 * 60 * 60_000
export const referenceRetryMs = 10 * 60_000

/** Node's HTTP server. */
export const connectionsMax = 512
export const headerBytesMax = 16 * 1024
export const headersMsMax = 10_000
export const requestMsMax = 60_000
export const keepAliveMs = 5_000
/** How often slow requests are looked for. */
export const connectionsLookMs = 1_000
export const closeDrainMs = 2_000

/** 30 days, fixed by the interface. */
export const browserCookieSecondsMax = 30 * 24 * 60 * 60

/** The log. A shorter value of a variable is no secret worth blanking words out of it for. */
export const logLineBytesMax = 8 * 1024
export const secretCharactersMin = 8

/** Storage: the write-ahead log is cut back to this after a checkpoint; the database never grows past the maximum. */
export const databaseBytesMax = 8 * 1024 * 1024 * 1024
export const databaseReserveBytes = 1024 * 1024
export const walBytesMax = 64 * 1024 * 1024
/** For what is committed to share its wait for the disk with what follows it. */
export const unsettledMsMax = 3
/** Free on the disk, or kept back there, for a start that writes: less is opened to be read. */
export const startRoomBytesMin = 256 * 1024
/** The copy that a damaged database is shown from: how old it becomes, and of how large a database one is kept. */
export const storageCopyAgeMsMax = 24 * 60 * 60_000
export const storageCopyBytesMax = 1024 * 1024 * 1024
export const storageCopyHeapMbMax = 64
export const storageCopyAfterMs = 30_000
export const databaseBusyMs = 5_000
export const sqliteVersionMin = '3.51.3'

/** Pages fetched for the model. */
export const webFetchMsMax = 30_000
/** The most that a model may ask for. */
export const webFetchMsLongest = 120_000
export const webFetchBytesMax = 5 * 1024 * 1024
export const webFetchRedirectsMax = 5

/** Searches of the web. The count is what the services take. */
export const webSearchMsMax = 20_000
export const webSearchBytesMax = 2 * 1024 * 1024
export const webSearchWordsMax = 400
export const webSearchHitsMax = 10

/** Tool servers that the configuration names. One that nobody used for a while is ended and started again on demand. */
export const toolServerIdleMs = 10 * 60_000
export const toolServerStartMsMax = 30_000
export const toolServerCallMsMax = 120_000
/** The most that the configuration may allow one. */
export const toolServerCallMsLongest = 600_000
export const toolServerMessageBytesMax = 8 * 1024 * 1024
/** One that failed is tried again after this long. */
export const toolServerRetryMs = 30_000
export const toolServersMax = 32
export const toolServerToolsMax = 256
/** More tools of servers than this are searched instead of told of; a search finds as many. */
export const toolsToldMax = 40
export const toolsFoundMax = 8
export const toolServerPromptsMax = 100
/** How long a list of commands waits for those of tool servers. */
export const toolServerPromptsMs = 1_500
/** Prompts that begin by themselves: so many, so often and so far ahead. So late one still begins. */
export const schedulesMax = 100
export const scheduleEveryMinutesMin = 5
export const scheduleEveryMinutesMax = 366 * 24 * 60
export const scheduleAheadMsMax = 366 * 24 * 60 * 60_000
export const scheduleGraceMs = 5 * 60_000
/** How often it is looked whether one is due. */
export const scheduleLookMs = 5_000
/** A browser that was sent to sign in is waited for this long; as long as a person may look for a password. */
export const signInMsMax = 10 * 60_000
export const signInRequestMsMax = 20_000
export const signInAnswerBytesMax = 1024 * 1024
/** The address that a browser was led back to. */
export const signInReturnBytesMax = 16 * 1024
/** Of a page that a tool server wants opened. */
export const pageAddressCharactersMax = 2_000
/** How often a form is asked again whose answers do not fit. */
export const formRoundsMax = 3
/** Resources of a tool server: of a list as many, and of an address as long as models are shown and write. */
export const resourcesShownMax = 500
export const resourceUriCharactersMax = 2_000
/** The longest name of a tool that every provider takes. */
export const toolNameCharactersMax = 64

/** Wrong passwords from one place (an address; of IPv6 its first 64 bits) and from all others together, in a window. */
export const passwordTriesMax = 20
export const passwordTriesAllMax = 400
export const passwordWindowMs = 60_000
/** A place that gave the right password counts as known for so long. */
export const passwordKnownMsMax = 24 * 60 * 60 * 1000
/** Places that are remembered; the one that was heard of longest ago is forgotten first. */
export const passwordPlacesMax = 4_096
/** From this length on wrong passwords are not counted. A generated one of 256 bits has 43 characters. */
export const passwordUnguessableChars = 40

/** The sandbox of the model's commands. A project with more than this cannot be watched: its commands are asked for. */
export const watchedFoldersMax = 50_000
export const watchedPathsMax = 500
/** A machine that is busy starts a program late. */
export const sandboxProbeMs = 10_000
/** What is read of a trial's output; what it can show is shorter. */
export const sandboxTrialBytesMax = 65_536
/** Shells that wait for their command: all together, how long each, and the longest command that one reads, byte by byte. */
export const waitingShellsMax = 8
export const waitingShellMs = 60_000
export const waitingCommandBytesMax = 4_096
export const sandboxPathsMax = 16
export const sandboxHostsMax = 16
export const proxyConnectionsMax = 64
export const proxyConnectMsMax = 30_000
/** Of a loopback of the sandbox's own, which nothing else shares. */
export const relayPort = 3128

/** How long a client waits before it takes up a stream again that broke off. */
export const clientPauseMs = 200
/** A line of an editor: a prompt with the largest file that one may have, as base64. */
export const editorMessageBytesMax = 32 * 1024 * 1024
/** The cookie by which a command line is known to a server that browsers sign in to: as long as one task may last. */
export const ownCookieSecondsMax = 24 * 60 * 60
/** Hunks of one file that are taken back at once. */
export const changeHunksMax = 1_000

/** Lists of models, of providers that are used. A router of others lists some hundreds in a megabyte. */
export const modelListBytesMax = 8 * 1024 * 1024
export const modelListPagesMax = 10
export const modelListsMax = 64
export const modelListMs = 5_000
/** A prompt waits so long for what was never read, so that its answer is priced and bounded from the first step on. */
export const modelListStepMs = 1_500
export const modelListFreshMs = 10 * 60_000
export const modelListRetryMs = 60_000
