// The program `svc` under the pinned Node. Plain JavaScript, so that compiled code of the last start is found before the
// first file that needs compiling is read: loading the compiler takes longer than everything else of a start.
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compiledFolderOf, dataFolderOf } from './agent/data-folder.mjs'

const options = { data: { type: 'string' } }
const { values, positionals } = parseArgs({ strict: false, options })
if (['serve', 'run', 'acp'].includes(positionals[0])) {
  const named = typeof values.data === 'string' ? path.resolve(values.data) : dataFolderOf(process.env)
  enableCompileCache(compiledFolderOf(named))
}
await import('./svc.ts')
