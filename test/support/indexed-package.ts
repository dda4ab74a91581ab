/** Sources of installed packages as projects of their own, indexed once for all that read them: code nobody wrote for a test. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../local/indexer/sync.ts'

const root = path.resolve(import.meta.dirname, '../..')
const packages = path.join(root, 'node_modules')
const kept = path.join(root, 'dist/indexed-packages')

/** Everything an index follows from: the indexer's sources, and the packages by which it parses. */
const ofIndexer = indexerHash()

function indexerHash(): string {
  const hash = createHash('sha256')
  const indexer = path.join(root, 'local/indexer')
  const sources = readdirSync(indexer, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => path.join(indexer, name))
  for (const file of [...sources, path.join(root, 'package.json')]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8')) as { version: string }).version
}

/** Copied beside its place and moved there whole, so that no one sees half of it. */
async function make(name: string, to: string): Promise<void> {
  mkdirSync(kept, { recursive: true })
  // What an earlier version or indexer left behind is of no use any more.
  for (const old of readdirSync(kept)) {
    if (old.startsWith(`${name}@`) && old !== path.basename(to))
      rmSync(path.join(kept, old), { recursive: true, force: true })
  }
  const making = mkdtempSync(path.join(kept, '.making-'))
  // A package's own packages, and what it was built into, are not its source.
  const isSource = (from: string): boolean => !/[\\/]node_modules[\\/]/.test(path.relative(packages, from))
  cpSync(path.join(packages, name), making, { recursive: true, dereference: true, filter: isSource })
  const built = await syncIndex({
    place: indexPlace(making, undefined),
    isFull: true,
    nowMs: Date.now(),
    version: 'test',
  })
  if (built.kind !== 'done') throw new Error(`${name} was not indexed: ${built.kind}`)
  try {
    renameSync(making, to)
  } catch (error) {
    // Another file of tests was as quick.
    if (!existsSync(to)) throw error
    rmSync(making, { recursive: true })
  }
}

export interface IndexedPackage {
  readonly root: string
  dispose(): void
}

/** A copy of one's own, because a reader saves trails into it and a test may change its sources. */
export async function indexedPackage(name: string): Promise<IndexedPackage> {
  const from = path.join(kept, `${name}@${versionOf(name)}-${ofIndexer}`)
  if (!existsSync(from)) await make(name, from)
  const parent = mkdtempSync(path.join(os.tmpdir(), 'wharf-real-'))
  const own = path.join(parent, name)
  // A file with another time would count as changed since it was indexed.
  cpSync(from, own, { recursive: true, preserveTimestamps: true })
  return { root: own, dispose: () => rmSync(parent, { recursive: true, force: true }) }
}
