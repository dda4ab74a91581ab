import { parentPort } from 'node:worker_threads'
import { languageOf } from '../core/language-of.ts'
import { extractFile } from './extract-file.ts'
import type { ExtractTask } from './pool.ts'
import { loadGrammars } from './tree.ts'

/** One answer a file, in order. Text crosses threads far cheaper than a tree of small objects. */
parentPort?.on('message', async (tasks: ExtractTask[]) => {
  await loadGrammars(tasks.flatMap((task) => languageOf(task.path) ?? []))
  for (const task of tasks) parentPort?.postMessage(JSON.stringify(extractFile(task.path, task.text)))
})
