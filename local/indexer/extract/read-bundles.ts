/** What a worker thread does: it answers bundles of files with their facts. */
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { languageOf } from '../core/language-of.ts'
import { packFacts } from '../store/packed-facts.ts'
import { extractFile, prepareLanguages } from './extract-file.ts'
import { parseManyScripts } from './parse-script.ts'
import type { ExtractTask } from './pool.ts'

parseManyScripts()

/** One answer a file, in order, in the form the cache keeps: bytes that change hands cost nothing to pass on. */
parentPort?.on('message', async (tasks: ExtractTask[]) => {
  await prepareLanguages(tasks.flatMap((task) => languageOf(task.path) ?? []))
  for (const task of tasks) {
    const packed = packFacts(extractFile(task.path, task.text))
    parentPort?.postMessage(packed, [packed.body.buffer as ArrayBuffer])
  }
})

// A thread that is ended from outside has no end at which compiled code would be written. By now most of it is in use.
parentPort?.once('message', () => setImmediate(flushCompileCache))
