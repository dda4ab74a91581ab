// Where the parts of Wharf lie: in a checkout, or in the package that `npm pack` makes of it, whose programs are built.
// Plain JavaScript: it is read before anything that has to be compiled.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Each program that is started by its name, and its source in a checkout. */
export const programs = {
  serve: 'local/serve.mjs',
  backup: 'local/backup.ts',
  config: 'local/config.ts',
  diagnose: 'local/diagnose.ts',
  gateway: 'local/gateway.ts',
  indexer: 'local/indexer.mjs',
  svc: 'local/svc.mjs',
  'viewer-behind-door': 'local/viewer-behind-door.mjs',
  'code-index-process': 'local/code-index-process.ts',
  'code-proof-process': 'local/code-proof-process.ts',
  'code-proof-worker': 'local/code-proof-worker.ts',
  'code-senses-worker': 'local/code-senses-worker.ts',
  'extract-process': 'local/indexer/extract/extract-process.mjs',
  'host-relay': 'local/agent/adapters/host-relay.mjs',
  'starter-process': 'local/starter/starter-process.mjs',
  'storage-copy-worker': 'local/agent/adapters/storage-copy-worker.ts',
}

export const installationRoot = folderAbove(path.dirname(fileURLToPath(import.meta.url)))
export const isBuilt = !existsSync(path.join(installationRoot, programs.serve))
const builtPrograms = path.join(installationRoot, 'dist', 'programs')

/** The Worker script, ready to be loaded; a checkout bundles it by itself. */
export const builtWorkerScript = isBuilt ? path.join(builtPrograms, 'worker-script.cjs') : undefined

/** TypeScript with its libraries beside it, as one file; a checkout has the package. */
export const builtCompiler = isBuilt ? path.join(builtPrograms, 'typescript', 'typescript.cjs') : undefined

/** @param {keyof typeof programs} name */
export function programFile(name) {
  return isBuilt ? path.join(builtPrograms, `${name}.mjs`) : path.join(installationRoot, programs[name])
}

/** This file's own folder differs between the two; the manifest is above it in both. */
function folderAbove(folder) {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('The files of Wharf are not in one folder any more: install it anew')
  return folderAbove(parent)
}
