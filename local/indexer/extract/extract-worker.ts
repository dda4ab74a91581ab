import { parentPort } from 'node:worker_threads'
import { extractFile } from './extract-file.ts'
import type { ExtractTask } from './pool.ts'

/** One answer a file, in order. Text crosses threads far cheaper than a tree of small objects. */
parentPort?.on('message', (tasks: ExtractTask[]) => {
  for (const task of tasks) parentPort?.postMessage(JSON.stringify(extractFile(task.path, task.text)))
})
