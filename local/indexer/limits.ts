/** Every bound of the index. */

/** A larger file is data, not source. */
export const fileBytesMax = 1024 * 1024
export const filesMax = 200_000
/** Repositories of one folder that a range is compared in; each is asked a few times. */
export const repositoriesMax = 50
/** Source folders deeper than this are a loop of links or a mistake. */
export const folderDepthMax = 40
/** Git may take this long to list a project's files; then the folders are walked instead. */
export const listingMsMax = 30_000
/** After so long it is looked whether git waits for a pipe. */
export const listingQuietMsMax = 1_500
/** Two numbers. */
export const lockBytesMax = 256
/** Processes that parse. Two: more gains nothing on the machines this is meant for. */
export const extractProcesses = 2
/** From this many files on a parser is warmed up for them, in as many processes as there are. */
export const manyFilesMin = 60
/**
 * A file of at most this many words and signs is read where the index is built: what ended the parser had five times as
 * many, and starting a process takes longer than reading it.
 */
export const shortFileWordsMax = 3000
export const shortFileCharsMax = 60_000
/** Brackets nested deeper than this are no source; parsers and what walks their trees end at some thousands. */
export const bracketDepthMax = 1000
/**
 * What reading one file may cost: time of a processor, and memory beyond what its process had before. With what starting
 * and ending a process takes, and linking, a file costs two seconds at most.
 */
export const extractFileMsMax = 1500
/** A file may cost 256 MiB; memory is looked at from time to time, and a process grows between two looks. */
export const extractFileBytesMax = 192 * 1024 * 1024
/** On a machine with other work a file waits longer for its time; where nobody counts that time, this is the bound. */
export const extractWaitMsMax = 20_000
/**
 * What a parser of trees may take of that: the largest real file seen, a million letters, takes a third. Where it is slower than
 * its machine is wont to be, other work is beside it.
 */
export const parseMsMax = 800
/**
 * Words and signs of a script, whose parser stops for nobody and makes a tree of all of them at once. Minified code has up to 0.56 of
 * them a letter.
 */
export const scriptWordsMax = 700_000
/** Nodes of a file's syntax. The most that a real file below the size bound was seen to have is 170,000. */
export const syntaxNodesMax = 250_000
/**
 * What there is to say of a file: its symbols, each of which is a row, a name and a place and counts as three, its values and its references.
 * Source that somebody wrote was seen to have up to 16,000, what tools write up to 48,000.
 */
export const factsPerFileMax = 60_000
/** What is kept of a file's facts; a file that has more to say is a table or a trap. */
export const factsBytesMax = 12 * 1024 * 1024
/** Parts that the values and types of one file are made of, and how deep they may lie in one another. */
export const factPartsMax = 1_000_000
export const factDepthMax = 400
/** What an expression denotes is followed no deeper: the evaluator asks for a third of it. */
export const valueDepthMax = 180
/** An index of a compiler that is read at once; one of a million lines has a sixth of this. */
export const scipBytesMax = 256 * 1024 * 1024
export const extractHeapMbMax = 320
/**
 * Syntax trees die young, and with room for those of a file or two they die before they are ever copied: with a quarter of
 * this, copying them is a sixth of the work. Left to itself each process would take twice as much.
 */
export const extractYoungHeapMb = 16
/**
 * What outlives a file without being needed is looked for only beyond this: left to itself the engine marks everything
 * again after each 20 MB, which is a tenth of what reading costs.
 */
export const extractOldHeapMb = 96
/** Not where there is more text than this (a million lines): there the build itself needs the memory. */
export const roomyReadingCharsMax = 35_000_000
/** There young trees have half the room: two million lines cost the same, and both readers hold 90 MB less. */
export const tightYoungHeapMb = 8
/**
 * Up to so much text grammars are read as they are compiled at first. The part of one that cuts a text into words is one
 * function of up to 100 KB: the engine's own rule compiles it for long use after a thousand words, which takes 0.7 s of a
 * processor and 280 MB, and repays itself at three times this.
 */
export const quickGrammarCharsMax = 2_000_000
/** After more changes than this the whole index is linked again, which is then hardly slower. */
export const patchedFilesMax = 40
/** Files left out that are listed one by one; those beyond are counted. */
export const leftOutListedMax = 2000
/** A sync waits so long for who reads the index before it changes a copy; they wait for it a second. */
export const indexReadersWaitMs = 500
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
export const linkStepsPerFileMax = 500_000
export const linkStepsPerReferenceMax = 50_000
/** Two that write what compilers said wait for one another; each writes for milliseconds. */
export const proofWaitMsMax = 5_000
/**
 * What the compiler may take of memory. The largest part of this project, 890 files with the types of their packages, takes 1 GB;
 * what it worked out for more than the second number is let go between two files.
 */
export const proofHeapMbMax = 1536
export const checkerMbMax = 400
/** Files that are made one program, with all that they import; a larger project is several. */
export const programFilesMax = 1000
/** One that does not fit into the memory is halved, down to so many. */
export const programFilesMin = 100
/** Files that are judged and kept together; what one of them costs the compiler loses no more than these. */
export const judgedTogetherMax = 50
/**
 * Time of a processor that a file may take the compiler, and reading and binding a program: the slowest of 3,000 real files took
 * 1.8 seconds, the largest program 13.
 */
export const proofFileMsMax = 20_000
export const programMsMax = 180_000
/** Of one check, of a processor too; a later one goes on where it ended. */
export const proofMsMax = 20 * 60_000
/** On a machine with other work a check waits for its turn, so many times as long as it may take of a processor. */
export const proofWaitFactor = 10
/** Of declarations, which tools write and which may be larger than source. */
export const declarationBytesMax = 8 * 1024 * 1024
/** Of all that one program reads. */
export const programBytesMax = 256 * 1024 * 1024
/** Configurations of a compiler that are read in a project. */
export const compilerConfigsMax = 500
