/** Reads an index on a thread of its own: opening and walking a large one would hold up every session. */
import { parentPort } from 'node:worker_threads'
import type { IndexPlace } from './indexer/store/index-folder.ts'
import { composeSenses } from './viewer/compose.ts'

export interface SenseQuestion {
  readonly id: number
  readonly place: IndexPlace
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

function sensesOf(place: IndexPlace): ReturnType<typeof composeSenses> {
  const known = kept.get(place.database)
  if (known !== undefined) return known
  const senses = composeSenses(() => place, undefined)
  if (kept.size >= projectsKept) kept.delete(kept.keys().next().value ?? '')
  kept.set(place.database, senses)
  return senses
}

async function answer({ id, place, tool, input, shown }: SenseQuestion): Promise<SenseReply> {
  const paths = new Set<string>()
  const allowed = shown === undefined ? undefined : new Set(shown)
  const mayShow = (path: string): boolean => {
    paths.add(path)
    return allowed?.has(path) !== false
  }
  const { text, isError } = await sensesOf(place).ask(tool, input, new AbortController().signal, mayShow)
  return { id, text, isError, paths: [...paths] }
}

const port = parentPort
port?.on('message', (question: SenseQuestion) => {
  answer(question).then(
    (reply) => port.postMessage(reply),
    (error: unknown) => port.postMessage({ id: question.id, text: String(error), isError: true, paths: [] }),
  )
})
