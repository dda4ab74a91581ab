// Plain JavaScript: a process finds what the last one compiled only if it asks before it loads anything.
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

// What is compiled for long use costs a process more than it reads its files faster: it is read with what was compiled
// quickly, until it has read so many that the work repays. An engine that does not know these settings passes them over.
setFlagsFromString('--invocation-count-for-turbofan=100000')
setFlagsFromString('--wasm-tiering-budget=130000000')

const [folder] = process.argv.slice(2)
if (folder !== undefined) module.enableCompileCache(folder)
await import('./answer-bundles.ts')
