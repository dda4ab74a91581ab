/** Reads an index on a thread of its own: opening and walking a large one would hold up every session. */
import { parentPort, workerData } from 'node:worker_threads'
import { indexPlace } from './indexer/store/index-folder.ts'
import { composeSenses } from './viewer/compose.ts'

export interface SenseQuestion {
  readonly id: number
  readonly directory: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** Files whose text may be shown; without it the answer says which it would show. */
  readonly shown: readonly string[] | undefined
}

export interface SenseReply {
  readonly id: number
  readonly text: string
  readonly isError: boolean
  readonly paths: readonly string[]
}

const projectsKept = 8
const kept = new Map<string, ReturnType<typeof composeSenses>>()

function sensesOf(directory: string): ReturnType<typeof composeSenses> {
  const known = kept.get(directory)
  if (known !== undefined) return known
  const senses = composeSenses(() => indexPlace(directory, workerData as string | undefined), undefined)
  if (kept.size >= projectsKept) kept.delete(kept.keys().next().value ?? '')
  kept.set(directory, senses)
  return senses
}

async function answer({ id, directory, tool, input, shown }: SenseQuestion): Promise<SenseReply> {
  const paths = new Set<string>()
  const allowed = shown === undefined ? undefined : new Set(shown)
  const mayShow = (path: string): boolean => {
    paths.add(path)
    return allowed?.has(path) !== false
  }
  const { text, isError } = await sensesOf(directory).ask(tool, input, new AbortController().signal, mayShow)
  return { id, text, isError, paths: [...paths] }
}

const port = parentPort
port?.on('message', (question: SenseQuestion) => {
  answer(question).then(
    (reply) => port.postMessage(reply),
    (error: unknown) => port.postMessage({ id: question.id, text: String(error), isError: true, paths: [] }),
  )
})
