/** What a process that reads files does: it answers bundles of files with their facts. */
import { flushCompileCache } from 'node:module'
import { languageOf } from '../core/language-of.ts'
import { packFacts } from '../store/packed-facts.ts'
import { extractFile, prepareLanguages } from './extract-file.ts'
import type { ExtractBundle } from './pool.ts'
import { parseManyScripts } from './script/parse-script.ts'

// Who started this process decides when it ends: a key pressed at the terminal reaches both.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.once('disconnect', () => process.exit(0))

/** One answer a file, in order, and the next file only once it is on its way: an answer must not die with what follows it. */
process.on('message', async ({ tasks, isOneOfMany }: ExtractBundle) => {
  if (isOneOfMany) parseManyScripts()
  await prepareLanguages(tasks.flatMap((task) => languageOf(task.path) ?? []))
  for (const task of tasks) await answer(packFacts(extractFile(task.path, task.text)))
})

// A process that is ended from outside has no end at which compiled code would be written. By now most of it is in use.
process.once('message', () => setImmediate(flushCompileCache))

function answer(facts: ReturnType<typeof packFacts>): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(facts, undefined, undefined, () => resolve())
  })
}
