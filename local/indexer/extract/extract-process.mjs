// Plain JavaScript: a process finds what the last one compiled only if it asks before it loads anything.
import module from 'node:module'

const [folder] = process.argv.slice(2)
if (folder !== undefined) module.enableCompileCache(folder)
await import('./answer-bundles.ts')
