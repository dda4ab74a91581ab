/** A test's own place at the stand-in model: its lines, its gates, and what came there. */
import type { ModelVisit, ScriptedAnswer } from './stand-in-model.ts'

export interface ModelScript {
  /** Base address to set the assistant up with. */
  readonly address: string
  /** What it says next, one answer for each time it is asked. */
  will(...answers: readonly ScriptedAnswer[]): Promise<void>
  /** What it says from now on to who asks for its models. */
  lists(answer: ScriptedAnswer): Promise<void>
  /** What it did not say yet is not said any more. */
  forget(): Promise<void>
  open(gate: string): Promise<void>
  /** What it was asked so far, by whom its models were, and how many answers are under way. */
  seen(): Promise<{
    readonly visits: readonly ModelVisit[]
    readonly listed: readonly (string | null)[]
    readonly open: number
    readonly left: number
  }>
}

export function modelScript(origin: string, place: string): ModelScript {
  return {
    address: `${origin}/at/${place}`,
    async will(...answers) {
      await fetch(`${origin}/script/${place}`, { method: 'POST', body: JSON.stringify(answers) })
    },
    async lists(answer) {
      await fetch(`${origin}/script/${place}`, { method: 'PUT', body: JSON.stringify(answer) })
    },
    async forget() {
      await fetch(`${origin}/script/${place}`, { method: 'DELETE' })
    },
    async open(gate) {
      await fetch(`${origin}/open/${place}/${gate}`, { method: 'POST' })
    },
    seen: async () => JSON.parse(await (await fetch(`${origin}/script/${place}`)).text()),
  }
}
