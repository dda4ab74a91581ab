/** Every bound of what git does for us. */

/** Without a word of its caller. */
export const gitMsMax = 5_000
/** Names of 200,000 files with long paths. */
export const gitOutputBytesMax = 256 * 1024 * 1024
/** What is kept of its complaints. */
export const gitProblemCharsMax = 2_000
/** A `.git` file, `HEAD`, a `commondir`: each is one line. */
export const gitLinkBytesMax = 4_096
/** Settings of a repository and its list of excluded files. Larger ones are not read. */
export const gitSettingsBytesMax = 1024 * 1024

/** A program that reads lists of ignored files and has not ended for so long is looked after. */
export const pipesQuietMs = 1_000
/** Between two looks whether it waits for a pipe. */
export const pipesLooseningMs = 100
/** Folders that are looked through for pipes. */
export const pipesFoldersMax = 50_000
