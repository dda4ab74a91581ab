/** What a process that reads files does: it answers bundles of files with their facts. */
import { flushCompileCache } from 'node:module'
import { languageOf } from '../core/language-of.ts'
import { isShort } from '../core/text-shape.ts'
import { shortFileCharsMax, shortFileWordsMax } from '../limits.ts'
import { type PackedFacts, packFacts } from '../store/packed-facts.ts'
import { extractFile, prepareLanguages } from './extract-file.ts'
import type { ExtractBundle } from './pool.ts'
import { parseManyScripts } from './script/parse-script.ts'

// Who started this process decides when it ends: a key pressed at the terminal reaches both.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.once('disconnect', () => process.exit(0))

/**
 * Answers once what reads the files is loaded, and then in order. What follows a file that might end this process waits
 * until all answers before it are on their way; short files, which end nothing, are answered together.
 */
process.on('message', async ({ tasks, isOneOfMany }: ExtractBundle) => {
  if (isOneOfMany) parseManyScripts()
  await prepareLanguages(tasks.flatMap((task) => languageOf(task.path) ?? []))
  // What the process itself has cost by now is no file's: its cost is counted from this answer on.
  await answer([])
  let ready: PackedFacts[] = []
  for (const { path, text } of tasks) {
    const isHarmless = isShort(text, shortFileWordsMax, shortFileCharsMax)
    if (!isHarmless && ready.length > 0) {
      await answer(ready)
      ready = []
    }
    ready.push(packFacts(extractFile(path, text)))
  }
  keepCompiled()
  await answer(ready)
})

let isKept = false

/**
 * A process that is ended from outside has no end at which compiled code would be written. Once it has read a bundle most
 * of what it needs is in use; before its last answer nobody ends it.
 */
function keepCompiled(): void {
  if (!isKept) flushCompileCache()
  isKept = true
}

function answer(facts: readonly PackedFacts[]): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(facts, undefined, undefined, () => resolve())
  })
}
