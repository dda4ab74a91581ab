/**
 * Answers of a real model for the works: asked for once and kept, or those that were kept before. A recording is a file a work
 * (`<name>.json`), with the answers in their order as they came, and nothing of the key.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AskedRequest, ScriptedTurn } from '../fake-model.ts'

export interface AnswerSource {
  answer(request: AskedRequest): Promise<ScriptedTurn>
  /** Once the work is over. */
  keep(): Promise<void>
}

interface KeptAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
}

export interface RealModel {
  /** Of its chat interface, up to `/v1`. */
  readonly url: string
  readonly id: string
  readonly key: string
}

const turnOf = ({ status, type, text }: KeptAnswer): ScriptedTurn => ({
  status,
  text,
  headers: { 'content-type': type },
})

export function recordAnswers(model: RealModel, folder: string, work: string): AnswerSource {
  const kept: KeptAnswer[] = []
  return {
    async answer(request) {
      const response = await fetch(`${model.url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${model.key}` },
        body: JSON.stringify({ ...request, model: model.id }),
      })
      const type = response.headers.get('content-type') ?? 'text/event-stream'
      const answer = { status: response.status, type, text: await response.text() }
      kept.push(answer)
      return turnOf(answer)
    },
    async keep() {
      await mkdir(folder, { recursive: true })
      await writeFile(fileOf(folder, work), `${JSON.stringify(kept, null, 1)}\n`)
    },
  }
}

export async function replayAnswers(folder: string, work: string): Promise<AnswerSource> {
  const kept = JSON.parse(await readFile(fileOf(folder, work), 'utf8')) as KeptAnswer[]
  return {
    async answer() {
      const answer = kept.shift()
      return answer === undefined ? { status: 400, text: 'the recording has no more answers' } : turnOf(answer)
    },
    keep: async () => undefined,
  }
}

function fileOf(folder: string, work: string): string {
  return path.join(folder, `${work.replaceAll(/[^a-z]+/gi, '-')}.json`)
}

/** What the variables of a long run ask for: nothing, the answers of a real model, or those that were kept. */
export function answersAsked(environment: Readonly<Record<string, string | undefined>>) {
  const { TASKS_RECORDINGS: folder, TASKS_MODEL_URL: url, TASKS_MODEL: id, TASKS_MODEL_KEY: key = '' } = environment
  if (folder === undefined) return undefined
  return async (work: string): Promise<AnswerSource> =>
    url === undefined || id === undefined ? replayAnswers(folder, work) : recordAnswers({ url, id, key }, folder, work)
}
