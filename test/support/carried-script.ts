/**
 * The bundle of the Worker's script, and what V8 made of it, carried from one test's data folder to the next one's. A start
 * that makes them takes more processor time than most tests; whether carried ones are of today's sources it finds out itself.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..', '..')
const store = path.join(root, 'node_modules', '.cache', 'wharf-tests')
/** The script, the digests of its sources, and its compiled code. */
const wholeSet = /^node-script-.*\.(cjs|json|cjs\.v8)$/

/** Before a start, which may be the first one. A data folder that is to be made by it has none brought. */
export function bringScript(dataFolder: string): void {
  const [kept] = keptSets()
  const cache = path.join(dataFolder, 'cache')
  if (kept === undefined || !existsSync(dataFolder) || existsSync(cache)) return
  try {
    copySet(path.join(store, kept), cache)
  } catch {
    // Another process has just put its own in the place of this one. A start without one makes one.
    rmSync(cache, { recursive: true, force: true })
  }
}

/** After an end. Sets are put in place whole, under the digest of what they were made from. */
export function takeScript(dataFolder: string): void {
  const made = path.join(dataFolder, 'cache')
  const files = setIn(made)
  if (files.length !== 3) return
  const digest = createHash('sha256')
  for (const file of files.filter((name) => name.endsWith('.json'))) digest.update(readFileSync(path.join(made, file)))
  const name = digest.digest('hex').slice(0, 16)
  const others = keptSets().filter((kept) => kept !== name)
  if (others.length === keptSets().length) {
    mkdirSync(store, { recursive: true })
    const fresh = mkdtempSync(path.join(store, 'new-'))
    copySet(made, fresh)
    try {
      renameSync(fresh, path.join(store, name))
    } catch {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  for (const other of others) rmSync(path.join(store, other), { recursive: true, force: true })
}

function keptSets(): string[] {
  return namesIn(store).filter((name) => /^[0-9a-f]{16}$/.test(name))
}

function setIn(folder: string): string[] {
  return namesIn(folder).filter((name) => wholeSet.test(name))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function copySet(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of setIn(from)) copyFileSync(path.join(from, name), path.join(to, name))
}
