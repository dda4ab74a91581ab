/**
 * Reads files in processes of their own. A file that takes too long or too much memory, or ends what reads it, costs its
 * process and not the index: a parser written for speed dies of some texts, and takes along whatever shares its process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { pushTo } from '#shared/kernel/push-to.ts'
import { programFile } from '../../../bin/installation.mjs'
import { languageFamily, languageOf } from '../core/language-of.ts'
import type { GivenUp } from '../core/vocabulary.ts'
import { extractFileBytesMax, extractFileMsMax, extractProcesses, extractWaitMsMax } from '../limits.ts'
import { type PackedFacts, packFacts } from '../store/packed-facts.ts'
import { failedFacts } from './extract-file.ts'
import { type ProcessCost, processCost } from './process-cost.ts'
import { isReadByGrammar, type Readers, readersFor } from './reader-flags.ts'

export interface ExtractTask {
  readonly path: string
  readonly text: string
}

export interface ExtractBundle {
  readonly tasks: readonly ExtractTask[]
  /** Of so many files that a parser may warm up for them. */
  readonly isOneOfMany: boolean
}

/** Files are handed over in bundles: a message a file would cost more than small files take to parse. */
const bundleCharsMax = 200_000
const bundleFilesMax = 24
const lookMs = 50

export class ExtractPool {
  readonly #children = new Set<ChildProcess>()
  readonly #fileMsMax: number
  readonly #isForMany: boolean
  #readers: Readers = { flags: [], areTight: false }

  constructor(isForMany: boolean, fileMsMax: number = extractFileMsMax) {
    this.#isForMany = isForMany
    this.#fileMsMax = fileMsMax
  }

  async run(
    tasks: readonly ExtractTask[],
    take: (index: number, facts: PackedFacts) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    this.#readers = readersFor(tasks)
    const queue = bundles(tasks)
    // From both ends: the first process reads the small families, and the others hardly meet them.
    const lanes = Array.from({ length: this.#isForMany ? Math.min(extractProcesses, queue.length) : 1 }, (_, lane) =>
      this.#lane(tasks, () => (lane === 0 ? queue.shift() : queue.pop()), take, signal),
    )
    await Promise.all(lanes)
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    this.#children.clear()
  }

  async #lane(
    tasks: readonly ExtractTask[],
    next: () => number[] | undefined,
    take: (index: number, facts: PackedFacts) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let child: ChildProcess | undefined
    let hasGrammars = false
    const isStopped = (): boolean => signal?.aborted === true
    const end = (): void => {
      if (child === undefined) return
      this.#children.delete(child)
      child.kill('SIGKILL')
      child = undefined
    }
    for (let bundle = next(); bundle !== undefined; bundle = next()) {
      // A bundle is of one family.
      const needsGrammar = isReadByGrammar(tasks[bundle[0] ?? 0]?.path ?? '')
      if (this.#readers.areTight && needsGrammar !== hasGrammars) end()
      hasGrammars = needsGrammar
      let rest = bundle
      while (rest.length > 0) {
        if (isStopped()) return
        child ??= this.#start()
        const { done, lost } = await this.#hand(child, tasks, rest, take, signal)
        if (isStopped()) return
        rest = rest.slice(done)
        if (lost === undefined) continue
        end()
        // The first file without an answer is the one that cost the process.
        const [guilty, ...others] = rest
        const task = guilty === undefined ? undefined : tasks[guilty]
        const language = task === undefined ? undefined : languageOf(task.path)
        if (guilty !== undefined && task !== undefined && language !== undefined)
          take(guilty, packFacts(failedFacts(task.path, language, task.text, lost)))
        rest = others
      }
    }
  }

  #start(): ChildProcess {
    const compiled = compiledFolder()
    const child = fork(programFile('extract-process'), compiled === undefined ? [] : [compiled], {
      serialization: 'advanced',
      execArgv: [...this.#readers.flags],
      // What dies says so in its own words, which nobody asked for.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.setMaxListeners(0)
    this.#children.add(child)
    return child
  }

  #hand(
    child: ChildProcess,
    tasks: readonly ExtractTask[],
    bundle: readonly number[],
    take: (index: number, facts: PackedFacts) => void,
    signal: AbortSignal | undefined,
  ): Promise<{ done: number; lost: GivenUp | undefined }> {
    return new Promise((resolve) => {
      let done = 0
      const watch = new Watch(child.pid ?? 0, this.#fileMsMax, (lost) => finish(lost))
      const finish = (lost: GivenUp | undefined): void => {
        watch.end()
        child.off('message', onMessage)
        child.off('error', onDeath)
        child.off('exit', onDeath)
        signal?.removeEventListener('abort', onAbort)
        resolve({ done, lost })
      }
      const onDeath = (): void => finish('parser_died')
      const onAbort = (): void => finish(undefined)
      const onMessage = (message: unknown): void => {
        for (const facts of message as readonly PackedFacts[]) {
          const index = bundle[done]
          done += 1
          if (index !== undefined) take(index, facts)
        }
        if (done === bundle.length) finish(undefined)
        else watch.next()
      }
      child.on('message', onMessage)
      child.on('error', onDeath)
      child.on('exit', onDeath)
      signal?.addEventListener('abort', onAbort, { once: true })
      const handed: ExtractBundle = {
        tasks: bundle.flatMap((index) => tasks[index] ?? []),
        isOneOfMany: this.#isForMany,
      }
      child.send(handed, (error) => {
        if (error !== null) onDeath()
      })
    })
  }
}

/** Looks at what a process costs while it reads one file, and says when that is too much. */
class Watch {
  readonly #pid: number
  readonly #msMax: number
  readonly #give: (up: GivenUp) => void
  readonly #timer: NodeJS.Timeout
  readonly #everyMs: number
  #from: ProcessCost | undefined
  #isLoading = true
  #isNew = true
  #waitedMs = 0

  constructor(pid: number, msMax: number, give: (up: GivenUp) => void) {
    this.#pid = pid
    this.#msMax = msMax
    this.#give = give
    this.#everyMs = Math.min(lookMs, msMax)
    this.#timer = setInterval(() => this.#look(), this.#everyMs)
  }

  /** A file begins: what reads it is loaded, and the one before it is read. */
  next(): void {
    this.#isLoading = false
    this.#isNew = true
    this.#waitedMs = 0
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    this.#waitedMs += this.#everyMs
    if (this.#isLoading) {
      // What reads the files is ours, and no file's cost: on a busy machine it alone would be more than a file may.
      if (this.#waitedMs > extractWaitMsMax) this.#give('parser_died')
      return
    }
    const now = processCost(this.#pid)
    if (this.#isNew) {
      this.#isNew = false
      this.#from = now
    } else if (now !== undefined && this.#from !== undefined) {
      if (now.residentBytes - this.#from.residentBytes > extractFileBytesMax) this.#give('too_much_memory')
      else if (now.cpuMs - this.#from.cpuMs > this.#msMax) this.#give('too_slow')
    }
    // On a machine with other work a file waits for its turn; and not every system counts what a process costs.
    if (this.#waitedMs > extractWaitMsMax * (this.#msMax / extractFileMsMax)) this.#give('too_slow')
  }
}

/** The folder this process was told to keep compiled code in: Node names its own part of it. */
function compiledFolder(): string | undefined {
  const own = getCompileCacheDir()
  return own === undefined ? undefined : path.dirname(own)
}

/** Files of one family together, so that few processes load what reads it; the largest family last. */
function bundles(tasks: readonly ExtractTask[]): number[][] {
  const families = new Map<string, number[]>()
  tasks.forEach(({ path }, index) => {
    const language = languageOf(path)
    pushTo(families, language === undefined ? '' : languageFamily(language), index)
  })
  const found: number[][] = []
  for (const family of [...families.values()].sort((left, right) => left.length - right.length)) {
    let chars = Number.POSITIVE_INFINITY
    for (const index of family) {
      const { length } = tasks[index]?.text ?? ''
      const last = found.at(-1)
      if (last === undefined || chars + length > bundleCharsMax || last.length >= bundleFilesMax) {
        found.push([index])
        chars = length
      } else {
        last.push(index)
        chars += length
      }
    }
  }
  return found
}
