/** Certain or guessed, in words and in line: a solid line is known, a dashed one is a guess. */
import type { Edge } from '../../contract/wire.ts'
import { words } from '../locales/words.ts'

/** The server's threshold; below it an edge is a guess. */
const uncertainBelow = 0.6

export function isGuess(confidence: number | null | undefined): boolean {
  return confidence !== null && confidence !== undefined && confidence < uncertainBelow
}

/** `0.42 by name`, dashed; nothing for what is certain. */
export function Certainty(props: { confidence: number | null | undefined; resolvedBy?: Edge['resolvedBy'] }) {
  const { confidence, resolvedBy } = props
  const text = words.value
  if (!isGuess(confidence)) return null
  const by = resolvedBy === undefined ? '' : text.resolutions[resolvedBy]
  const value = (confidence ?? 0).toFixed(2)
  return (
    <span class="tag guess" title={text.certainty.guess(value)}>
      <span class="vh">{text.certainty.guessed} </span>
      {value}
      {by === '' ? '' : ` ${by}`}
    </span>
  )
}

/** What a compiler said, where one did. */
export function Verdict({ verdict }: { verdict: Edge['verdict'] | null }) {
  if (verdict === undefined || verdict === null) return null
  const text = words.value.certainty
  return (
    <span class={`tag ${verdict === 'proved' ? 'on' : 'bad'}`} title={text[`${verdict}Why`]}>
      {text[verdict]}
    </span>
  )
}

/** The key to line styles, for the foot of a picture or a listing. */
export function CertaintyKey() {
  const text = words.value.certainty
  return (
    <>
      <span>
        <i class="sw line" />
        {text.known}
      </span>
      <span>
        <i class="sw line dash" />
        {text.guessed}
      </span>
    </>
  )
}
