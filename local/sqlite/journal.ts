/**
 * Whether the journal of a database (its `-wal`) still holds all that was committed. SQLite reads it up to the first frame
 * that is not whole and takes that for the end, so what is cut off or changed in it is gone without a word. How many frames
 * there were stands in the index beside it (`-shm`), which a killed process leaves behind: it counts a frame only after the
 * disk has it, but for what the agent's server tells nobody yet (decision 249). Both as described in "WAL-mode File Format" of SQLite's documentation. Nobody may have the file open.
 */
import { readFileSync, statSync } from 'node:fs'

export interface JournalLoss {
  /** Frames that were committed, and those before the first that is not whole. */
  readonly committed: number
  readonly whole: number
  /** Pages from after the loss are in the database already: what is left is of no one moment. */
  readonly isMixed: boolean
}

const headerBytes = 32
const frameHeaderBytes = 24
/** The last bit tells the order of bytes that sums are made in. */
const magic = 0x377f0682
const indexVersion = 3_007_000
const index = { initialized: 12, committed: 16, salt: 32, takenOver: 96, bytesMin: 100 } as const

/** Undefined where nothing is lost, and where nothing can be said of it. */
export function journalLossOf(file: string): JournalLoss | undefined {
  const journal = read(`${file}-wal`)
  const shared = read(`${file}-shm`)
  if (journal === undefined || shared === undefined || shared.length < index.bytesMin) return undefined
  const word = (at: number) => (isLittleEndian ? shared.readUInt32LE(at) : shared.readUInt32BE(at))
  if (word(0) !== indexVersion || shared[index.initialized] !== 1) return undefined
  const committed = word(index.committed)
  const takenOver = word(index.takenOver)
  // All of it is in the database: the next writer begins it anew.
  if (committed === 0 || takenOver >= committed) return undefined
  const salt = shared.subarray(index.salt, index.salt + 8)
  const whole = wholeFrames(journal, salt, committed)
  if (whole === undefined || whole >= committed) return undefined
  return { committed, whole, isMixed: takenOver > whole }
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

function read(file: string): Buffer | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file) : undefined
}

/** Undefined for a journal that was begun anew after the index was last written: it has sums of its own. */
function wholeFrames(journal: Buffer, salt: Buffer, most: number): number | undefined {
  if (journal.length < headerBytes) return 0
  const kind = journal.readUInt32BE(0)
  if (kind !== magic && kind !== magic + 1) return 0
  const isBigEndian = kind === magic + 1
  const pageBytes = journal.readUInt32BE(8)
  let sum = summed(journal, 0, 24, [0, 0], isBigEndian)
  if (!isSum(journal, 24, sum)) return 0
  if (!journal.subarray(16, 24).equals(salt)) return undefined
  const frameBytes = frameHeaderBytes + pageBytes
  for (let frame = 0; frame < most; frame += 1) {
    const at = headerBytes + frame * frameBytes
    if (at + frameBytes > journal.length) return frame
    sum = summed(journal, at, at + 8, sum, isBigEndian)
    sum = summed(journal, at + frameHeaderBytes, at + frameBytes, sum, isBigEndian)
    if (!journal.subarray(at + 8, at + 16).equals(salt) || !isSum(journal, at + 16, sum)) return frame
  }
  return most
}

type Sum = readonly [number, number]

function summed(bytes: Buffer, from: number, to: number, [before, after]: Sum, isBigEndian: boolean): Sum {
  let [first, second] = [before, after]
  for (let at = from; at < to; at += 8) {
    first = (first + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0
    second = (second + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0
  }
  return [first, second]
}

/** Kept in this order of bytes whichever they were made in. */
function isSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second
}
