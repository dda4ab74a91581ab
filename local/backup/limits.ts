/** Numbers of backups, each with its unit and reason. */

/** Databases that are held still at once, so that all of them are of one moment; each takes three descriptors. */
export const pinnedDatabasesMax = 150
/** Pieces in which files are read, and in which what is sealed is sealed. */
export const pieceBytes = 1024 * 1024
/** The list of what a backup holds: some 200 bytes a file. */
export const manifestBytesMax = 16 * 1024 * 1024
export const entriesMax = 100_000
/** A path within the data folder. The archive's own form has room for 255. */
export const pathCharactersMax = 240
/** scrypt: 64 MiB for a moment, as much as a NAS can spare; others' files may ask for no more than a gibibyte. */
export const scryptCost = 2 ** 16
export const scryptCostMax = 2 ** 20
export const saltBytes = 16
export const passPhraseCharactersMin = 8
export const passPhraseCharactersMax = 1024

/** What is kept of each kind; the oldest goes. Of the daily ones a week, and before that the last of each week for a month. */
export const dailyKept = 7
export const weeklyKept = 4
export const beforeMigrationKept = 5
export const askedKept = 10
export const daySeconds = 24 * 3600
export const weekSeconds = 7 * daySeconds
/** Folders as they were before a restore. */
export const previousKept = 2
/** How often it is looked whether the daily one is due, and how long after a start for the first time. */
export const lookEveryMs = 3600 * 1000
export const firstLookMs = 60 * 1000

/** A larger backup goes to a bucket in parts of this size. The interface takes 5 MiB to 5 GiB, and 10,000 of them. */
export const bucketPartBytes = 16 * 1024 ** 2
export const bucketPartsMax = 10_000
/** Pages of a thousand objects that are looked through below the prefix. */
export const bucketListPagesMax = 20
/** A part over a slow line: 16 MiB at 256 kbit/s. */
export const bucketAnswerMs = 10 * 60 * 1000
/** What the network or the other side spoils is tried so often, at first after so long, then twice and four times that. */
export const bucketTries = 4
export const bucketWaitMs = 2_000
