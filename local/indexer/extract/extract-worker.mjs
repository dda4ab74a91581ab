// Plain JavaScript: a thread finds what the last one compiled only if it asks before it loads anything.
import module from 'node:module'
import { workerData } from 'node:worker_threads'

if (typeof workerData === 'string') module.enableCompileCache(workerData)
await import('./read-bundles.ts')
