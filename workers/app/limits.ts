/** Every number of the App API, with its unit in the name. "spec" is the interface document; the rest are our bounds. */

/** spec, Limits: request body 1 MiB. */
export const bodyBytesMax = 1024 * 1024
/** Nesting of a JSON body. Deeper input is an attack or a mistake; no body of the interface nests beyond 4. */
export const bodyDepthMax = 64

/** spec, Limits: default page size 20. */
export const pageSizeDefault = 20
/** spec, Limits: `/torrents` allows 200. */
export const torrentPageSizeMax = 200
/** Endpoints that state no maximum take 100. */
export const pageSizeMax = 100
/** A keyword is at most 100 characters, as in the search of the interface document. */
export const keywordCharactersMax = 100
/** spec, Limits: 1 to 100 targets an action. */
export const actionTargetsMax = 100
/** A task id is an info hash: 40 or 64 hexadecimal digits. Longer text is refused before it is matched. */
export const taskIdCharactersMax = 128

/** A positive answer about a credential is kept this long, so a revoked token is refused within a second. */
export const principalCacheMs = 1000
export const principalCacheEntriesMax = 1000
/** Last use of a token is written at most this often. */
export const lastUsedWriteSeconds = 300

export const apiTokensMax = 50
export const tokenNameCharactersMax = 64
export const downloadersMax = 50
export const downloaderNameCharactersMax = 64
export const downloaderAddressCharactersMax = 512
export const downloaderCredentialCharactersMax = 512

export const sessionSeconds = 30 * 24 * 3600
/** Sessions kept at once; the oldest ends when a new one starts. */
export const sessionsMax = 20
export const passkeysMax = 20
export const passkeyNameCharactersMax = 64
/** Web Authentication: an id of a credential has at most 1,023 bytes; as base64url. */
export const passkeyIdCharactersMax = 1364
/** What a browser says of itself, and an attestation of the kind that is asked for, take a few hundred bytes. */
export const passkeyAnswerCharactersMax = 8192
/** A signature of RSA with 4,096 bits takes 683; what an authenticator says of itself, 50. */
export const passkeySignatureCharactersMax = 1024
/** For who has to look for a key in another room. */
export const passkeyChallengeSeconds = 300
export const passwordCharactersMin = 10
export const passwordCharactersMax = 256
/**
 * Attempts at a password or code from one address, or one browser that has signed in before: so many at once, and so many
 * again in each window.
 */
export const secretAttemptsMax = 10
/** The same from all strangers together. */
export const secretAttemptsOfAllMax = 200
export const secretAttemptsWindowSeconds = 15 * 60
/**
 * After as many at once, programs of this machine may try at this pace. They cannot be told apart: whoever guesses slows
 * the owner's next new browser by no more, and has 17,280 guesses a day, about as many as all strangers together.
 */
export const secretAttemptsOwnMachinePauseSeconds = 5
/** When strangers have no attempt left, addresses that were not seen yet may try at this pace. */
export const secretAttemptsNewcomersPauseSeconds = 1
/** What a check of a password costs: some 100 ms of a quiet core. What is measured counts, within these bounds. */
export const passwordCheckMs = 100
export const passwordCheckMsMin = 50
export const passwordCheckMsMax = 500
/** After a check, so many times as long is left to everybody else. */
export const passwordRestShare = 3
/** Nobody waits longer for a check; who would is told to come back. */
export const passwordWaitMsMax = 5000
/** Addresses and browsers whose attempts are remembered, some 100 bytes each; those unused for longest go first. */
export const doorBucketsMax = 10_000
/** A browser that has signed in is known for so long, as long as browsers keep a cookie. */
export const knownBrowserSeconds = 400 * 24 * 3600

/** Audit rows are kept this long, and never more than this many. */
export const auditSeconds = 90 * 24 * 3600
export const auditRowsMax = 100_000
/** Old audit rows are removed in steps of this size, so that one write never waits long. */
export const auditTrimRows = 1000
/** So many names of what an act was done to are kept with it, each so long; the rest is a number. */
export const auditAboutBounds = { namesMax: 5, nameCharactersMax: 200 }
/** What is past its time is looked for this often at the most. */
export const pruneSeconds = 24 * 3600

/** An error text that leaves is cut with a mark beyond this. */
export const messageCharactersMax = 300
/** A request id sent by the caller is echoed, cut with a mark beyond this. */
export const requestIdCharactersMax = 128

/** One call to a downloader. A daemon that checks a large torrent answers late, but within a few seconds. */
export const downloaderCallMs = 8000
/** All calls of one read or one write together: signing in, finding the dialect, reading. Below the wait of a caller. */
export const downloaderOperationMs = 15_000
/** reference: all downloaders are asked in parallel within 20 s; beyond it the object itself is given up. */
export const downloaderWaitMs = 20_000
/** A list of some 25,000 torrents with every field. More would not fit beside its copy in an object's memory. */
export const downloaderAnswerBytesMax = 32 * 1024 * 1024
/** What is shown of a downloader is at most this old. */
export const downloaderStalenessMs = 2000
/** How long a write waits for its effect to show before it answers that it was accepted. */
export const actionSettleMs = 3000
/** How long a push waits for a downloader to learn how much space is free. A disk that sleeps takes longer; then it stops. */
export const freeSpaceSettleMs = 2000
/** qBittorrent looks at its disk after a sign-in and then every 30 s; until its first look is over it says 0. */
export const qbittorrentSpaceLookMs = 30_000
/** Torrents whose trackers are asked about beside one read of qBittorrent, before 5.2 told it for all at once. */
export const trackerLooksPerRead = 4
/** After how long the trackers of a torrent that gets nothing are looked at again, and of one that seeds to nobody. */
export const trackerLookMs = { stalled: 10_000, seeding: 30 * 60_000 } as const
/** Of one torrent's details this much is shown; a page of more helps nobody. */
export const torrentFilesShownMax = 5000
export const torrentTrackersShownMax = 100
export const torrentPeersShownMax = 300
export const torrentCommentCharactersMax = 1000
/** Addresses of trackers hold a key of some 40 characters. */
export const trackerAddressCharactersMax = 1024
export const trackerHostCharactersMax = 300
/** A magnet link with a hundred trackers has some 8 KiB. */
export const magnetCharactersMax = 16_384
export const torrentAddressCharactersMax = 4096
/** Fetching a torrent file from an address that a caller names. */
export const torrentFetchMs = 30_000
/**
 * How long a list waits for one downloader. One that never answered has the whole time; one that did is quick, and one
 * that has just kept still is not waited for.
 */
export const glanceMs = { new: undefined, known: 2000, silent: 0 } as const
/** Of a downloader that keeps still this long, what it said last is no list any more. */
export const lastKnownMs = 3_600_000
/** Of what this service did about one torrent; one has seldom more than ten. */
export const torrentEventsMax = 50
/** The live list: looked at this often, for so long until the browser asks again, by so many pages at a time. */
export const torrentStreamEveryMs = 2000
/** How many torrents each group has is told at most this often. */
export const torrentStreamGroupsMs = 6000
export const torrentStreamMs = 5 * 60_000
export const torrentStreamQuietMs = 15_000
export const torrentStreamsMax = 16
/** How long a move is waited for: inside one disk it is a rename. What takes longer is looked at later. */
export const moveSettleMs = 5000
/**
 * What is done to all that match: at most so many at once, told to a downloader in parts. Carried on for so long at a
 * time, beside the other short jobs; one that is not over by then, because nothing ran, is given up.
 */
export const torrentRunTargetsMax = 50_000
export const torrentRunExceptMax = 1000
export const torrentRunBatchSize = 100
export const torrentRunSliceMs = 3000
export const torrentRunSeconds = 3600
export const torrentRunsOpenMax = 4
export const torrentRunsKeptMax = 20
export const torrentRunFailuresShownMax = 100
/** Pause between two looks at whether a write shows. qBittorrent refreshes its own state every 1.5 s. */
export const actionSettlePollMs = 150
/** Transmission reports changes of the last 60 s; a longer pause since the last read needs the whole list. */
export const transmissionDeltaMs = 40_000
/** The whole list is read at least this often, whatever the reported changes say. */
export const transmissionResyncMs = 60_000
/** After how long the trackers of all torrents are asked for again, where lists do not tell them. */
export const askedTrackersMs = 10 * 60_000
/** rTorrent runs a program to tell the free space. */
export const rtorrentSpaceLookMs = 30_000
/** Looks for a torrent that rTorrent was sent, and the pause after each: it takes it up in one of its next rounds. */
export const rtorrentLoadLooks = 20
export const rtorrentLoadPauseMs = 50
/** Files named in one command that rTorrent runs: far below what a system lets a command hold. */
export const rtorrentFilesPerCall = 100
/** Daemons that Deluge's page knows and is asked to connect to, one after another. */
export const delugeDaemonsMax = 5
/**
 * Waits after a refused password before the same one is tried again: qBittorrent bans an address after five refusals,
 * and the console would reach that in ten seconds. New settings are tried at once.
 */
export const credentialRetryMs: readonly number[] = [30_000, 120_000, 600_000, 3_600_000]

/**
 * Waits after a site refused what it was signed in with, before the same is sent again: sites lock an account or an
 * address after five to ten wrong passwords. New settings are tried at once.
 */
export const signInRetryMs: readonly number[] = [10 * 60_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000]

export const sitesMax = 200
/** Browsers send some 100 to 250. */
export const siteUserAgentCharactersMax = 400
/** Further hosts of one site: its pages, its interface, its mirrors. */
export const siteHostsMax = 8
/** A name of the internet, with a port. */
export const siteHostCharactersMax = 259
/** Headers of the owner's own; a browser sends some fifteen besides its cookie. */
export const siteHeadersMax = 16
export const siteHeaderNameCharactersMax = 64
export const siteHeaderValueCharactersMax = 1024
/** What a site may call one figure, and how long such a word is; the longest known one has 18 letters. */
export const siteLabelsMax = 16
export const siteLabelCharactersMax = 40
export const siteNameCharactersMax = 64
/** Of what a job is called on the wire. */
export const jobNameCharactersMax = 64
export const siteDisplayNameCharactersMax = 64
export const siteAddressCharactersMax = 512
/** A browser's cookie header stays below 4 KiB a cookie; a site sets a handful. */
export const siteCredentialCharactersMax = 8192
/** What may be pasted as cookies: an export of a whole browser is a few hundred KiB, and of it one site's are kept. */
export const cookieTextCharactersMax = 512 * 1024
/** Cookies looked at in one list; browsers keep some three thousand. */
export const cookiesReadMax = 5000
/**
 * What a browser's extension pushes, packed and as it is then: some three thousand cookies are 1 to 2 MiB of text, and
 * what pages store, which it may send along, is as much again.
 */
export const cookiePushPackedBytesMax = 4 * 1024 * 1024
export const cookiePushBytesMax = 12 * 1024 * 1024
/** Cookies of one push that are looked at. */
export const cookiesPushedMax = 20_000
/** Of the name that a push gives itself. */
export const pushNameCharactersMax = 128
/** Pushes from one address: a browser pushes once a minute at most. A right one does not count. */
export const cookiePushesMax = 20
export const cookiePushPauseSeconds = 30
/** Of all strangers together, and of addresses that were not seen yet. */
export const cookiePushesOfStrangersMax = 60
export const cookiePushesOfStrangersPauseSeconds = 10
/** trust plan, A8: a site's answer. The largest list page of a known site kind is below 1 MiB. */
export const siteAnswerBytesMax = 4 * 1024 * 1024
/** One call to a site, with its redirects. */
export const siteCallMs = 20_000
/** All calls of one visit: a statistics read asks up to five pages. */
export const siteVisitMs = 50_000
/** trust plan, A6: redirects followed at most, each judged anew. */
export const siteRedirectsMax = 3
/** Pause between two calls to one site, unless its settings say otherwise. */
export const siteIntervalMsDefault = 1000
export const siteIntervalMsMax = 60_000
/** Below the address of a site. */
export const sitePathCharactersMax = 200
/** The farthest that a clock is from UTC: 14 hours. */
export const utcOffsetMinutesMax = 14 * 60
/** Calls that may wait for their turn at one site; beyond it the site is busy. */
export const siteQueueMax = 32
/** reference: an account is lost after 30 days without a visit, and the owner is reminded 10 days before. */
export const inactivityDaysDefault = 30
export const remindBeforeDaysDefault = 10
export const inactivityDaysMax = 3650
export const capacityGibMax = 1024 * 1024
/** Overrides of one site, as JSON text. */
export const siteOverridesCharactersMax = 16 * 1024
/** A torrent's title and other texts of a site are cut beyond this. */
export const siteTextCharactersMax = 512
/** Of a page that goes into a fixture; a list of a hundred torrents is some 300 KiB. */
export const fixturePageCharactersMax = 1024 * 1024
/** Results taken of one site's answer. */
export const siteHitsMax = 500
/** Tables like the list of torrents on a page that are tried for it. */
export const listTablesMax = 4
/** So many rows of a list that all have the colour which a change of some sites gives to what is pinned have it of their own. */
export const siteRowsAlikeMin = 10
/** Unread messages of one account that are shown; pages of the software hold twenty. */
export const siteMessagesMax = 50
/** trust plan, A9: a torrent file. */
export const torrentFileBytesMax = 10 * 1024 * 1024
/** A torrent file as base64 in JSON, with what stands beside it. */
export const torrentBodyBytesMax = Math.ceil(torrentFileBytesMax / 3) * 4 + 64 * 1024
/** Tags of one torrent; a page that marks more marks something else. */
export const siteTagsMax = 32
/** The head of a row with what explains it; a cell of the page's frame has thousands of letters and parts. */
export const accountHeadCharactersMax = 256
export const accountHeadNodesMax = 24
/** Links to an account that may be its reader's own; the page's frame comes before what members write. */
export const accountLinksMax = 4
/** Text that is looked through for an account's figures: of a cell, of the block on top, of a page, of the bonus rules. */
export const accountCellCharactersMax = 4096
export const accountBlockCharactersMax = 8192
/** A bar about the reader says some twenty things; the row that frames a page holds its news as well. */
export const accountBarCharactersMax = 1024
export const accountPageCharactersMax = 64 * 1024
export const bonusPageCharactersMax = 256 * 1024
/** Of the page of the daily sign-in, in which its outcome is looked for. */
export const signInPageCharactersMax = 64 * 1024
/** What a site says where it lets nobody in: of its page, and of what is shown of it with the frame around it. */
export const refusalBytesMax = 64 * 1024
export const siteRefusalCharactersMax = 8192
/** A page that only sends the browser on is a line or two. */
export const signInScriptCharactersMax = 4096
/** Of a page, above what it is about: what the software announces on top of every page. */
export const siteTopCharactersMax = 64 * 1024
/** A notice of new messages is one sentence. */
export const siteNoticeCharactersMax = 256
/** Without a table, both sides of the traffic are the reader's only when their labels stand so near to each other. */
export const trafficTogetherCharactersMax = 160
/** So near before a label a word of demand makes it one, and so near after another one it is one too. */
export const demandCharactersMax = 32
export const demandBesideCharactersMax = 8
/** Nesting of a page. The deepest known site page stays below 40. */
export const markupDepthMax = 200
/** Tags open at one time, forgotten ones among them. A page or feed with more is none. */
export const openTagsMax = 1000

/** Statistics of a site are read this often; a failed read is tried again sooner. */
export const statisticsSeconds = 2 * 3600
export const statisticsRetrySeconds = 1800
/** So long before midnight sites are read for the last time, and over so much of it they are spread. */
export const dayEndSeconds = { before: 25 * 60, spread: 20 * 60 } as const
/** Whether the credentials still work is looked at this often, also where statistics fail for another reason. */
export const probeSeconds = 12 * 3600
export const probeRetrySeconds = 3600
/** Runs are spread by up to this share of their interval, so that a restart does not ask all sites at once. */
export const jobJitterShare = 0.1
/** reference: automatic sign-in at a random moment from 08:00 to 10:00, tried again after 10 and 30 minutes. */
export const signInWindowMinutes = { start: 8 * 60, end: 10 * 60 } as const
export const signInRetryMinutes: readonly number[] = [10, 30]
/** trust plan: jobs started by one alarm, and how long one holds its site. */
export const jobsPerAlarm = 50
export const jobLeaseSeconds = 60
/** What the edge gives an alarm. Elsewhere nobody ends what hangs, and a look that never ends is followed by none. */
export const jobSecondsMax = 15 * 60
/** What the host calls its backups has some 50. */
export const backupNameCharactersMax = 128
/** A job that should have begun so long ago is told to monitors: many jobs at once wait for their turn for minutes. */
export const jobOverdueSeconds = 30 * 60
/** trust plan: outgoing calls an invocation may wait for is six; one is kept for the database. */
export const jobsAtOnce = 5
/** A tick that failed as a whole is tried again after this. */
export const schedulerRetrySeconds = 60
/** reference: snapshots of this many days are kept. */
export const snapshotDays = 400
/** Days in the console's chart unless it asks for others. */
export const historyDaysDefault = 30
/** reference: a sign-in is given up after this. */
export const signInMs = 60_000
/** spec: a search waits at most 30 s. A site that has not answered shortly before that is left out with its reason. */
export const searchSiteMs = 28_000
export const searchSitesMax = 100
export const searchCategoryCharactersMax = 64
/** Results of one search over all sites; 100 sites give at most 100 each in one answer of theirs. */
export const searchItemsMax = 20_000
/** Torrents in one answer to another program, how far it may page, and categories it may name. */
export const torznabItemsMax = 100
export const torznabOffsetMax = 10_000
export const torznabCategoriesMax = 100
/** A site's icon: larger ones exist, and are not worth keeping. */
export const iconBytesMax = 256 * 1024
/** Icons are kept this long, and the lack of one for a shorter time. */
export const iconSeconds = 7 * 24 * 3600
export const iconMissingSeconds = 24 * 3600
/** Where no other is set: the zone of most sites. */
export const timeZoneDefault = 'Asia/Shanghai'
/** How long an isolate remembers what the owner chose: a change elsewhere shows after it. */
export const ownerLocaleMs = 5_000
/** The longest name in the IANA table has 32. */
export const timeZoneCharactersMax = 64
/** reference: what a sign-in says is shown up to here. */
export const signInMessageCharactersMax = 200
/** Up to here a page over several downloaders is cut from the beginnings of their lists; beyond, it is located first. */
export const joinedPrefixMax = 1000
/** trust plan, A9: what a torrent file may hold. */
export const torrentDepthMax = 32
export const torrentFilesMax = 100_000
/** How long a push waits for what it added to show. qBittorrent adds in the background. */
export const addSettleMs = 10_000
/** The space of a torrent that was sent and never showed is kept this long. */
export const unseenUploadMs = 10 * 60_000
/** trust plan: a push waits this long for those before it, at its site and at its downloader; a push itself takes as long. */
export const pushWaitMs = 60_000
/** Fetching one torrent file: a page that gives the link, and the file. */
export const pushDownloadMs = 50_000
/** Pushes that may wait at one site. */
export const pushQueueMax = 50
/** The address of a torrent's page, as a site gives it. */
export const pageAddressCharactersMax = 1024

/** trust plan: what searches found is remembered for pushes this long, and this many of a site. */
export const foundSeconds = 3600
/** It is written down this long after the search, when no site of it is waited for any more. */
export const rememberAfterMs = 1000
export const foundTorrentsMax = 2000
/** Seeding figures older than this are read again before they decide about a push. */
export const capacityFigureSeconds = 3 * 3600
/** While something is being downloaded, how far it is is looked at this often. */
export const taskFollowSeconds = 20
/** How often it is looked at what was given of torrents that have to be seeded; so many, of pushes not older than this. */
export const hitAndRunLookSeconds = 30 * 60
export const hitAndRunTorrentsMax = 1000
export const hitAndRunDays = 180
/** The pace of an account is its growth over so many days. */
export const levelPaceDays = 14
/** How often free torrents are looked at, and how often while one of them is near its end. */
export const freeEndLookSeconds = 60
export const freeEndNearLookSeconds = 20
/** A free period is taken to end this much earlier: three looks, and the site's clock is not ours. */
export const freeEndLeadSeconds = 120
/** From so long before its end on somebody is told that a torrent will not be complete: its speed tells little earlier. */
export const freeEndWarnSeconds = 2 * 3600
/** Looked at in one run; the next ones in the next. */
export const freeEndTorrentsMax = 1000
/** Organising that failed is not brought forward to sooner than this after it ended. */
export const failedJobPauseSeconds = 5
/** A push that was cut off is looked after this long after its start. */
export const pushCutOffSeconds = 60
/** A torrent that its downloader does not show for this long was removed: one that starts shows them bit by bit. */
export const lostPushSeconds = 60
/** Accounts near their end are looked for this often. */
export const reminderSeconds = 3600
/** Records that are followed at once, of all downloaders evenly; the others have their turn at the next looks. */
export const followedTasksMax = 2000
/** Folders above one that does not exist yet that are looked at for the space of their disk. */
export const foldersUpMax = 8
/** A push stops before a downloader has less free space than this, unless its settings say otherwise. */
export const minFreeGibDefault = 1
export const minFreeGibMax = 1024 * 1024
/** reference: what a push may name. */
export const torrentIdCharactersMax = 128
export const pushTitleCharactersMax = 512
/** Of every torrent file, whoever brings it. */
export const torrentFileBounds = {
  bytesMax: torrentFileBytesMax,
  depthMax: torrentDepthMax,
  filesMax: torrentFilesMax,
  nameCharactersMax: pushTitleCharactersMax,
} as const
export const pushCategoryCharactersMax = 128
export const pushTagsCharactersMax = 255
export const savePathBytesMax = 1024
/** Push records are kept up to this many; the oldest go first. */
export const pushRecordsMax = 100_000
/** Records, newest first, that are looked through for what may be called by one of so many names: those of a month, some of each. */
export const calledRecordsMax = 20_000
export const calledNamesMax = 100_000
export const brushTasksMax = 50
export const brushTaskNameCharactersMax = 64
/** How often a brush task looks: a site's list moves within minutes, and after a day everything free is old. */
export const brushMinutesMin = 5
export const brushMinutesMax = 24 * 60
/** What a brush task may hold. A downloader shows some hundred torrents that move without trouble. */
export const brushActiveMax = 500
export const brushDownloadingMax = 100
export const brushSizeGibMax = 1024 * 1024
export const brushNewPerRunMax = 20
/** Hours, counts and ratios in the rules of a brush task: some seconds to a year, and what no torrent reaches. */
export const brushHoursMin = 0.001
export const brushHoursMax = 365 * 24
export const brushPeersMax = 100_000
export const brushRatioMax = 10_000
export const brushWordsMax = 50
export const brushWordCharactersMax = 64
/** No further torrent is taken in a run that has taken this long. */
export const brushRunMs = 60_000
/** A push that a run began is over by then, however it ended. */
export const brushPushSeconds = 180
/** A torrent that could not be pushed is tried this often, by one run each. */
export const brushAttemptsMax = 3
/** Torrents of brush tasks that are over are remembered up to this many; the oldest go first. */
export const brushEndedMax = 5000
/** Torrents of one task that the console shows. */
export const brushTorrentsShown = 200
/** Torrents that the last look of a task did not take, and that are kept with the reason. */
export const brushLeftShown = 50
/** Runs in a row that failed before it is told. */
export const brushFailuresTold = 3
/** Feeds: as often as the software that makes them caches what it made (300 s), and once a day at the least. */
export const feedsMax = 100
export const feedNameCharactersMax = 64
export const feedAddressCharactersMax = 2048
export const feedMinutesMin = 5
export const feedMinutesMax = 24 * 60
/** A feed of 200 items with their descriptions, the most that sites give out. */
export const feedBytesMax = 8 * 1024 * 1024
export const feedItemsMax = 500
/** Of a title or category that is kept. */
export const feedTextCharactersMax = 512
/** No further item is pushed in a run that has taken this long. */
export const feedRunMs = 60_000
/** Pushes of one feed in one run; the rest of what was taken follows in the next one. */
export const feedPushesPerRunMax = 20
/** How long an item waits for what decides about it. */
export const feedWaitSeconds = 6 * 3600
/** A push that could not be made is tried this often, by one run each. */
export const feedAttemptsMax = 3
/** A push that a run began is over by then, however it ended. */
export const feedPushSeconds = 180
/** What turned up is kept so long, to be shown and to try changed rules on. */
export const feedItemSeconds = 30 * 24 * 3600
/** A feed is asked for all that it holds so often, changed or not: what it still shows is remembered. */
export const feedRelistSeconds = 24 * 3600
export const feedItemsKeptMax = 100_000
/** Items that leave at once when they are past their time. */
export const feedItemsTrimmed = 1000
export const feedItemsShown = 100
/** A feed that fails is asked less often: twice as long each time, up to this. */
export const feedBackOffSecondsMax = 6 * 3600
/** Lists of films and series that make subscriptions. */
export const watchlistsMax = 20
export const watchlistMinutesMin = 60
export const watchlistMinutesMax = 7 * 24 * 60
export const watchlistAccountCharactersMax = 128
export const watchlistKeyCharactersMax = 256
/** Of what was sent as a file; an export of 2,000 titles has some 500 KiB. */
export const watchlistFileCharactersMax = 900_000
export const watchlistBytesMax = 4 * 1024 * 1024
export const watchlistEntriesMax = 2000
/** Entries in a page of an interface, and pages that are asked for. */
export const watchlistPageSize = 50
export const watchlistPagesMax = 40
export const watchlistPausesMs = 500
export const watchlistCallMs = 20_000
/** Entries that are decided in one run; each costs the metadata provider a few calls. */
export const watchlistDecisionsMax = 25
/** A run that left entries goes on after this. */
export const watchlistMoreSeconds = 30
/** Entries of a trial that are looked up; the rest is counted. */
export const watchlistTriedMax = 20
export const watchlistTrialMs = 25_000
export const watchlistBackOffSecondsMax = 24 * 3600
export const watchlistItemsShown = 200
export const watchlistChoicesMax = 8
/** Of a channel, its announcers and the form of its lines. */
export const announceChannelCharactersMax = 64
export const announcersMax = 10
export const announceLineCharactersMax = 512
/** RFC 2812, 2.3: a line has 512 bytes, of which names take some. */
export const announceEnterCharactersMax = 300
/** How long the owner's address is asked about by the host at most; what is heard meanwhile waits. */
export const announceRunMs = 60_000
export const filterRulesMax = 200
/** Rules about the ends of torrents, and how often torrents are looked at by them. */
export const endRulesMax = 100
export const endLookSeconds = 10 * 60
/** Ended of one downloader in one look, and due ones that are kept to be shown. */
export const endsPerLookMax = 50
export const endsDueKept = 500
export const endsShown = 500
export const endTrialShown = 50
/** Of a list that is read whole: so many at once, and no more than this. */
export const heldPageSize = 1000
export const heldTorrentsMax = 50_000
export const heldRecordsMax = 20_000
/** Torrents that move to another downloader: open at one time, taken on in one look, and how often it is looked. */
export const transfersOpenMax = 1000
export const transfersPerLookMax = 20
export const transferTargetsMax = 100
export const transferLookSeconds = 5
/** A program that was told to check begins within this, and ends within that: 8 TiB at 100 MB/s. */
export const transferCheckStartSeconds = 30
export const transferCheckSeconds = 24 * 3600
/** Steps that failed because something was away are tried again, so often, with a look between. */
export const transferAttemptsMax = 60
export const transfersKept = 1000
export const transfersShown = 200
/** Reseeding: asks of a site in 24 hours (lookups, searches and files), and looked at so often. */
export const reseedAsksDefault = 50
export const reseedAsksMax = 500
export const reseedLookSeconds = 5 * 60
export const reseedOpenLookSeconds = 5
/** A look at a site may come to a search and a file, or to what opens its lookup and the lookup. */
export const reseedAsksPerLookMin = 2
/** Files of one look that are compared, of a search those of the nearest size first. A size that a page shows is rounded. */
export const reseedFilesPerSearch = 3
export const reseedSizeShare = 0.01
/** Nothing smaller is worth an ask of a site. */
export const reseedBytesMin = 50 * 1024 ** 2
/** What was not found is looked for again after so long. */
export const reseedAgainSeconds = 60 * 24 * 3600
/** What a site had no answer to is not in the way of the rest for so long. */
export const reseedUnansweredSeconds = 24 * 3600
/** A service that knows what other sites have: info hashes of one question, of which its own client sends no more than 200. */
export const reseedServiceHashesMax = 100
/** Rows of a site that are looked through in one look for what is still held. */
export const reseedTorrentsTold = 500
/** Of an answer, as many rows as 500 statements note: those of one run are 1,000 on the edge, and looks need theirs. */
export const reseedServiceRowsMax = 3000
/** A statement of the database takes 100 values, and a row has 15. */
export const reseedRowsPerStatement = 6
export const reseedServiceCallMs = 20_000
export const reseedServiceBytesMax = 4 * 1024 ** 2
export const reseedServiceWordsMax = 200
/** Its list of sites is read again after so long, and of that list so many are known. */
export const reseedServiceSitesSeconds = 24 * 3600
export const reseedServiceSitesMax = 1000
/** What it calls the sites of the owner holds for seven days. */
export const reseedServiceToldSeconds = 6 * 24 * 3600
/** Where it refuses without saying for how long, or cannot be reached. */
export const reseedServiceRestSeconds = 3600
export const reseedWordsCharactersMax = 100
/** xiaomlove/nexusphp answers for no more at once (`getPiecesHashCache`). */
export const piecesPerAskMax = 100
/** A site that takes no questions by pieces is asked by name for so long. */
export const piecesAgainSeconds = 3 * 24 * 3600
/** Files that are fetched from downloaders for the hash of their pieces in one look; a hash is kept. */
export const reseedExportsPerLook = 25
/** Hashes kept, of the torrents that were last looked for. */
export const piecesKept = 50_000
export const reseedsShown = 200
/** Of a plan for a site's next level: torrents in it, and how long it waits for a yes. Site and disks change meanwhile. */
export const sitePlanStepsMax = 50
export const sitePlanYesSeconds = 3600
/** A site's own: the newest stay. */
export const sitePlansKept = 5
/** What is pushed for a plan stays free for so long at least. */
export const sitePlanFreeSeconds = 6 * 3600
/** One look takes on so many steps, and tries one so many times. */
export const sitePlanStepsPerLook = 5
export const sitePlanAttemptsMax = 5
export const sitePlanStepSeconds = 5
export const sitePlanRetrySeconds = 10 * 60
/** Figures of the account are read a few times a day. */
export const sitePlanLookSeconds = 6 * 3600
/** What ended is kept so long, to be shown. */
export const torrentEndSeconds = 30 * 24 * 3600
export const filterRuleNameCharactersMax = 64
export const ruleConditionsMax = 20
export const ruleWordsMax = 50
export const ruleWordCharactersMax = 128
export const ruleNumberMax = 1_000_000_000
export const rulePerDayMax = 1000
/** Folders of downloaders that rules ask about; each is asked once a round, and kept with what was decided. */
export const ruleDisksMax = 16
/** All rules as one text, and how many of its faults are told. */
export const rulesTextBytesMax = 256 * 1024
export const rulesTextFaultsMax = 20
/** Kept items that changed rules are tried on. */
export const dryRunItemsMax = 20_000
export const dryRunChangesShown = 20
/** Subscriptions of which something turned up that a changed profile is tried on: each is read. */
export const profileTrialSubscriptionsMax = 100
/** Address and key of an outside service that the owner sets up. A token of the metadata provider has some 250 characters. */
export const serviceAddressCharactersMax = 512
export const serviceKeyCharactersMax = 1024
/** trust plan, A6: redirects of a service that are followed, on its own origin only. */
export const serviceRedirectsMax = 3
/** How long a service that limits us is left alone, where it does not say, and at most. */
export const retryAfterSecondsDefault = 5
export const retryAfterSecondsMax = 60
/** reference: the release list is read once a day, within 15 s, and three new releases are shown. */
export const releaseSeconds = 24 * 3600
export const releaseCallMs = 15_000
export const newReleasesMax = 3
/** A list that could not be read is asked again after this. */
export const releaseRetryMs = 60_000
/** Releases read of one answer, and lists kept: a changed setting begins a new one. */
export const releasesMax = 30
export const releaseListsMax = 4
export const releaseListBytesMax = 4 * 1024 * 1024
export const releaseNameCharactersMax = 200
export const changelogCharactersMax = 16 * 1024
/** `owner/name`, as the usual host bounds both. */
export const repositoryCharactersMax = 140
/** spec, Limits: trending and popular up to 20 pages. */
export const explorePagesMax = 20
/** reference: eight calls a second to the metadata provider, and as many waiting as have their turn in eight seconds. */
export const metadataPauseMs = 125
export const metadataWaitingMax = 64
/** reference: an answer of the provider, in both languages, and its size. */
export const metadataMs = 20_000
export const metadataAnswerBytesMax = 4 * 1024 * 1024
/** reference: searches are good for a day, lists for a quarter of one; pages kept of both together. */
export const searchTitlesSeconds = 24 * 3600
export const exploreSeconds = 6 * 3600
export const keptTitlePagesMax = 500
/** The provider's pages hold 20. */
export const titlesOfPageMax = 20
export const titleCharactersMax = 256
export const overviewCharactersMax = 2000
/** Details of a title are good for as long as a list of titles; titles kept, the newest. */
export const keptDetailsMax = 500
/** Ids of the metadata provider have seven digits so far. */
export const tmdbIdMax = 2 ** 31 - 1
/** reference: a season's number. The longest series have some 60. */
export const seasonMax = 200
/** Episodes of one season: series that never end count on in one season for decades. */
export const episodesMax = 2000
export const episodeNameCharactersMax = 128
/** spec, reference: subscriptions are listed in one answer, at most so many. */
export const subscriptionsMax = 500
/** What is subscribed to is looked up again once a day, and after this where the provider could not be read. */
export const titleRefreshSeconds = 24 * 3600
export const titleRetrySeconds = 3600
/** A season that is done is looked up for so many days after its last episode: providers list some late. */
export const endedSeasonDays = 30
/** Titles looked up in one run, and for how long another one is begun: with its own time it ends before the lease does. */
export const titlesPerRun = 20
export const titleRunMs = 20_000
export const qualityProfilesMax = 50
export const profileNameCharactersMax = 64
/** Words that a release must have, or must not. */
export const profileWordsMax = 20
export const profileWordCharactersMax = 64
export const profileGibMax = 1024
export const profileSeedersMax = 100_000
/** reference: a subscription is searched for this often, spread by up to half an hour. */
export const searchSeconds = 12 * 3600
export const searchJitterSeconds = 1800
/** Tried again sooner where nobody could be asked, or nothing be pushed. */
export const searchRetrySeconds = 1800
/** reference: subscriptions that one tick searches for, and torrents that one search pushes. */
export const searchesPerTick = 5
export const picksMax = 10
/** No further search begins in a tick that has taken this long: visits of sites wait behind it. */
export const searchTickMs = 120_000
/** Longer than one search of all sites, and than one push; a search renews it between them. */
export const searchLeaseSeconds = 300
/** reference: a torrent that is not in the library after this has failed, and its episodes are wanted again. */
export const subscriptionTorrentSeconds = 7 * 24 * 3600
export const subscriptionMessageCharactersMax = 512
/** spec, Limits: images fetched at once, and how long a request waits for a slot. */
export const imageSlots = 4
export const imageWaitMs = 10_000
/** trust plan: image requests that wait. */
export const imageWaitingMax = 256
/** reference: when to come again after there was no slot. */
export const busyRetrySeconds = 5
/** reference: one image. */
export const imageBytesMax = 10 * 1024 * 1024
export const imageCallMs = 20_000
/** spec, Limits: image cache of one day. */
export const imageSeconds = 24 * 3600
/** Images that are kept: a poster has some 30 KiB, and a value of the object's storage 2 MB at most. */
export const keptImageBytesMax = 1024 * 1024
export const keptImagesMax = 500

/** trust plan, A12: a template, and what it makes. A title is one line of a notice. */
export const templateTextBytesMax = 64 * 1024
export const templateOutputBytesMax = 64 * 1024
export const templateTitleCharactersMax = 1000
/** One tag or output of a template. The longest sensible condition stays below 300. */
export const templateTagCharactersMax = 1000
/**
 * Pieces of a template that one rendering may visit: a list of 100 items with 40 pieces each. Steps and not time, because
 * the clock of the edge stands still while a script computes.
 */
export const templateStepsMax = 5000
/** Characters and list entries that filters and ranges may make in one rendering. */
export const templateMemoryMax = 1_000_000
/** Longest type of an event that is looked up at all. */
export const templateTypeCharactersMax = 64
/** A text of a notice, such as a title or a reason, is cut beyond this, and a list of one beyond that. */
export const eventTextCharactersMax = 512
export const eventItemsMax = 100
/** Of scripts, all of them together: a loop in one of them is no reason for a phone that rings all night. */
export const messagesPerHourMax = 30
export const messageTitleCharactersMax = 120
export const messageLinkCharactersMax = 512
export const channelsMax = 20
export const channelNameCharactersMax = 64
export const channelAddressCharactersMax = 1024
export const channelSecretCharactersMax = 512
/** Keys that sign what goes to a webhook, as their specification has it; and one as it is written. */
export const signingKeyBytesMin = 24
export const signingKeyBytesMax = 64
export const signingKeyCharactersMax = 96
export const channelHeaderCharactersMax = 64
export const channelChatCharactersMax = 128
/** What one service may be asked to be told: none asks for more than four. */
export const channelFieldsMax = 8
/** A point of P-256, uncompressed, and a secret of 16 bytes, as Base64url without padding (RFC 8291). */
export const pushPointCharacters = 87
export const pushSecretCharacters = 22
/** RFC 8292 allows a day at most; a clock may be off by hours. */
export const pushTokenSeconds = 12 * 3600
/** For how long a push service keeps a message for a browser that is off. */
export const pushKeptSeconds = 24 * 3600
/** Of a message in UTF-8: a push service takes 4,096 bytes, of which the coding needs 103. */
export const pushTextBytesMax = 3900
/** Three times as many bytes at most, and six times where each is written as an escape. */
export const browserTitleCharactersMax = 200
/** One call to a channel. A chat service under load answers within a few seconds. */
export const channelCallMs = 10_000
/** What a channel answers is looked at for a word of success only. */
export const channelAnswerBytesMax = 64 * 1024
/** A chat takes messages of at most this many characters; longer ones are cut with a mark. */
export const chatMessageCharactersMax = 4096
/** reference: documentation of the bot API: updates wait there for 24 hours, and come in pages of at most 100. */
export const chatUpdatesPageMax = 50
/** A question for updates is held for so long; the answer may take a moment more. */
export const chatPollSeconds = 25
export const chatPollMs = (chatPollSeconds + 10) * 1000
export const chatAnswerBytesMax = 2 * 1024 * 1024
/** One update that is sent to us: a message of 4,096 characters with what surrounds it stays far below. */
export const chatHookBytesMax = 256 * 1024
/** Updates that wait for those before them; more are left to the platform. */
export const chatUpdatesWaitingMax = 200
/** An update that comes again within this is known: the platform gives one up after 24 hours. */
export const chatUpdateKeptSeconds = 48 * 3600
export const chatUpdatesKeptMax = 2000
/** reference: documentation of the bot API: after a week without updates their numbers begin anywhere. */
export const chatQuietSeconds = 6 * 24 * 3600
/** Paired chats of one bot. */
export const chatsMax = 10
export const chatNameCharactersMax = 64
/** Codes that do not fit, until a code is void: it has 80 random bits. */
export const chatCodeTriesMax = 20
/** Chats that are told that they are not paired: once in so long each, and no more than so many. */
export const chatStrangersMax = 100
export const chatStrangerSeconds = 24 * 3600
/** Rows of a reply that have buttons. */
export const chatRowsMax = 8
export const chatButtonSeconds = 15 * 60
export const chatButtonsMax = 500
/** Messages that wait to be sent; the oldest is given up for a new one. */
export const chatMessagesWaitingMax = 200
export const chatAttemptsMax = 8
export const chatRetrySeconds: readonly number[] = [2, 10, 30, 120, 300]
/** Messages that one long answer of the assistant is spread over. */
export const chatPartsMax = 5
/** Bots whose objects may have lost their alarm are looked after this often. */
export const chatWatchSeconds = 600
/** A command is cut beyond this; what goes to the assistant has its own bound. */
export const chatCommandCharactersMax = 256
/** Channels that are served at once, of the outgoing calls an invocation may wait for. */
export const channelsAtOnce = 2
/** No further notice is sent in a run that has taken this long: other work of the service waits behind it. */
export const deliveryRunMs = 20_000
/** Pauses after failed attempts of a notice, the last one again and again. */
export const deliveryRetrySeconds: readonly number[] = [30, 120, 600, 1800, 3600]
/** A notice that could not be delivered for this long is given up: it is no news any more. */
export const deliverySeconds = 24 * 3600
/** One that the channel itself refuses is given up after so many attempts, so that it does not keep those behind it. */
export const deliveryRefusalsMax = 3
/** Notices that wait for one channel; the oldest is given up for a new one. */
export const deliveriesMax = 200
/** Events that are turned into messages at once. */
export const eventsPerRun = 50
/** What was told is remembered this long and up to this many, so that it is not told twice. */
export const eventKeptSeconds = 2 * 24 * 3600
export const outboxEventsMax = 5000
/** While a channel wants to know, downloaders are looked at this often, and again soon after one did not answer. */
export const downloaderWatchSeconds = 600
export const downloaderRecheckSeconds = 60
/** Looks without an answer before it is told: one that starts anew misses one. */
export const downloaderMissesMax = 2
/** Space counts as enough again from this share above the minimum, so that a disk at its edge is told once. */
export const spaceRecoveryShare = 0.1

/** spec, Limits: a message to the assistant. */
export const assistantMessageCharactersMax = 4000
export const conversationTitleCharactersMax = 100
/** A conversation's id, and one of its confirmations, which names both. */
export const assistantIdCharactersMax = 64
/** spec, Limits: events are waited for this long unless said otherwise, and never longer. */
export const eventsWaitSeconds = 25
export const modelNameCharactersMax = 200
/** Questions that the assistant works on at once, of all callers; one that waits for a yes is one of them. */
export const runsMax = 4
/** Answers of the model in one run; between them it looks things up. */
export const runStepsMax = 12
/** Tool calls taken of one answer of the model. */
export const callsPerStepMax = 16
/** A question, and what each step may add to it. */
export const runMessagesMax = 1 + runStepsMax * (1 + callsPerStepMax)
/** trust plan: what a tool gives back, and what a model writes in one run. */
export const toolOutputBytesMax = 16 * 1024
export const runTextBytesMax = 256 * 1024
/** Arguments of one tool call. */
export const toolArgumentsCharactersMax = 16 * 1024
/** trust plan: text of an answer is stored, and then shown, in pieces of this age and size at most. */
export const textPieceMs = 250
export const textPieceBytes = 2048
/** trust plan: conversations of a caller; the one that rested longest goes first. spec: those listed. */
export const conversationsMax = 200
export const conversationsListedMax = 100
/** trust plan: messages kept of a conversation. spec: those given. */
export const messagesKeptMax = 2000
export const messagesGivenMax = 200
/** clarification 13: events kept of a conversation. */
export const eventsKeptMax = 512
/** Events in one page; the next one has the rest. */
export const eventsPageMax = 128
/** trust plan: long polls that one conversation, and with it one object, holds; the oldest is answered early. */
export const eventWaitersMax = 8
/** trust plan, clarification 13: actions that wait for a decision, and how long. */
export const pendingConfirmationsMax = 8
export const confirmationMs = 5 * 60_000
/** Torrents that one action of the assistant may touch: as many as a sentence can name. */
export const assistantTargetsMax = 10
/** Items that one look-up of the assistant asks for. */
export const assistantPageSize = 20
/** What a model is told of the past. Some 30,000 tokens: what the smaller models take. */
export const historyMessagesMax = 200
export const historyCharactersMax = 96 * 1024
/** A model that thinks before it writes may be silent for minutes. */
export const modelIdleMs = 120_000
export const modelStepMs = 10 * 60_000
/** Trying a model out: somebody is waiting. */
export const modelTrialMs = 30_000
/** What a service sends as its list of models, and how many of them are offered: the longest known have several hundred. */
export const modelListBytesMax = 2 * 1024 * 1024
export const modelsListedMax = 1_000
/** All that a model service sends in one step, thoughts and marks of the stream included. */
export const modelAnswerBytesMax = 8 * 1024 * 1024
export const modelEventCharactersMax = 1024 * 1024
/** While a run is under way its object wakes up this often, so that one whose process died is ended. */
export const runWatchMs = 30_000
/** Conversations that a caller may ask for in vain: at once, then one after each pause, of which so many may wait. */
export const unknownConversationsAtOnce = 30
export const unknownConversationsPauseMs = 250
export const unknownConversationsWaitingMax = 8
/** More callers than an instance of the service has. */
export const unknownConversationsCallersMax = 256
/** What a conversation could not tell the list of conversations is tried again after this. */
export const conversationMirrorMs = 10_000

export const librariesMax = 20
export const libraryNameCharactersMax = 64
/** A library's folder, and the name of a title below it: with a season they stay within what a downloader is sent. */
export const libraryPathBytesMax = 512
/** Most file systems take names of 255 bytes. */
export const titleFolderBytesMax = 200
/** Records of what was organised; the oldest go first. From them the service knows what the library holds. */
export const mediaHistoryMax = 100_000
/** Torrents whose organising is begun, and gone on with, in one run. */
export const organisedAtOnceMax = 50
/** No further one is looked at in a run that has taken this long: with one last wait it stays below the lease of a job. */
export const organiseRunMs = 30_000
/** While a downloader moves files, they are looked at this often. */
export const moveLookSeconds = 20
/** A downloader that was asked and shows nothing of it is asked again after this. */
export const moveGraceSeconds = 120
/** A move across disks takes its time; one of a large film to a slow disk some two hours. */
export const moveSeconds = 6 * 3600
/** Pauses after failed attempts; after the last one it has failed. */
export const organiseRetrySeconds: readonly number[] = [60, 300, 1800, 7200]
/** A downloader that is switched off is looked at again after this. */
export const organiseWaitSeconds = 600

export const devicesMax = 50
export const deviceNameCharactersMax = 64
/** A pairing code works once, for so long. */
export const pairingCodeSeconds = 10 * 60
/** reference: handshakes from one address. */
export const handshakesMax = 30
export const handshakesWindowSeconds = 60
/** Handshakes of all addresses together that came to nothing; each costs some 1 ms of the processor. */
export const handshakesOfStrangersMax = 300
export const handshakesOfStrangersPauseSeconds = 0.05
/** When those are used up, addresses that were not seen yet may begin one at this pace. */
export const handshakesNewcomersPauseSeconds = 0.05
/** A message of a handshake is a few keys, a name and their seals. */
export const handshakeBytesMax = 4096
/** reference: requests of one session under way, and the path of one. */
export const carriedRequestsMax = 16
export const carriedPathBytesMax = 2048
/** Method, path and the few headers that go on. */
export const carriedHeadBytesMax = 16 * 1024
/** Of a key of the gateway; the gateway holds to the same. */
export const gatewayKeyNameCharactersMax = 100
export const gatewayKeyModelsMax = 50
export const gatewayKeyModelCharactersMax = 200
export const gatewayKeyAddressesMax = 32
export const gatewayPerMinuteMax = 1_000_000_000
export const gatewayBudgetDollarsMax = 1_000_000
/** Of a route of the gateway, which holds to the same; and a message that one is tried with. */
export const gatewayRouteNameCharactersMax = 64
export const gatewayRouteStepsMax = 8
export const gatewayRouteModelCharactersMax = 2_048
/** Order, weight and calls at once of a step. */
export const gatewayRouteNumberMax = 10_000
export const gatewayFirstTokenSecondsMax = 600
export const gatewayTrialCharactersMax = 100_000
export const gatewayTrialTokensMax = 1_000_000
/** A body one byte too long still arrives, so that the interface itself refuses it. */
export const envelopeBytesMax = bodyBytesMax + carriedHeadBytesMax + 1024
/** A session ends when nothing is asked for so long, and in any case after a day. */
export const tunnelIdleSeconds = 15 * 60
export const tunnelSessionSeconds = 24 * 3600
/** Sessions of a device in use, and as many that nothing was asked in yet: what is replayed to us opens only such. */
export const tunnelSessionsMax = 4
/** How far a request may fall behind later ones of its session. */
export const tunnelWindow = 256
/** Requests of one session; far below what one key may seal. */
export const tunnelNumberMax = 2 ** 32 - 1

/** Of a definition that the owner brings: its text. The longest known one has 63 KiB. */
export const definitionBytesMax = 128 * 1024
/** The owner's own definitions. */
export const ownDefinitionsMax = 1000
/** A selector of a definition; the longest in use has 600 characters. */
export const selectorCharactersMax = 4000
/** Looks at elements that one page's selectors may take: some 200 ms. A list of 100 rows takes 100,000. */
export const selectorStepsMax = 4_000_000
/** Selectors that stay compiled. */
export const selectorsKeptMax = 2000
export const cookieJarCookiesMax = 100
/** Requests that one search by a definition may send: definitions ask up to six pages. */
export const definitionPagesMax = 10
/** Of a page's text that a definition takes apart. */
export const definitionPageCharactersMax = 2 * 1024 * 1024
/** What a definition asks its owner for; the longest known list has 30 names. */
export const siteChoicesMax = 100
export const siteChoiceCharactersMax = 512
/** An answer may be a whole cookie. */
export const siteAnswersMax = 100
/** A definition is asked for at its address for so long. */
export const definitionFetchMs = 15_000
/** What is wrong with a definition is told up to so many faults. */
export const definitionFaultsMax = 20
/** Work that has ended is told to a collector together, after this time. */
export const telemetryBatchMs = 5_000
/** What waits to be told; what comes after it is lost. */
export const telemetryWaitingMax = 2_048
/** A collector has this long to take it. */
export const telemetryAnswerMs = 10_000
