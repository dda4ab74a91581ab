/** Sources of installed packages as a project of their own, indexed and served: code that nobody wrote for a test. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../local/indexer/sync.ts'
import { serve, type TestViewer } from './viewer-server.ts'

const packages = path.resolve(import.meta.dirname, '../../node_modules')

export interface RealProject {
  readonly name: string
  readonly viewer: TestViewer
  dispose(): Promise<void>
}

export async function serveRealProject(name: string): Promise<RealProject> {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'wharf-real-'))
  const root = path.join(parent, name)
  // A package's own packages, and what it was built into, are not its source.
  const isSource = (from: string): boolean => !/[\\/]node_modules[\\/]/.test(path.relative(packages, from))
  cpSync(path.join(packages, name), root, { recursive: true, dereference: true, filter: isSource })
  const place = indexPlace(root, undefined)
  const built = await syncIndex({ place, isFull: true, nowMs: Date.now(), version: 'test' })
  if (built.kind !== 'done') throw new Error(`${name} was not indexed: ${built.kind}`)
  const viewer = await serve(place, { isWatchWanted: true })
  return {
    name,
    viewer,
    async dispose() {
      await viewer.running.close()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}
