/** An output: all of a short one; of a long one the beginning and the end, and what lies between on demand. */
import { useSignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { toolWords } from '../locales/words.ts'
import { headAndTail } from '../model/tool-facts.ts'
import { Whole } from './whole.ts'

const headLines = 10
const tailLines = 16

function Piece({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <pre class="code argbox result" dir="ltr" tabIndex={0}>
      {text}
    </pre>
  )
}

export function LongText({ text }: { text: string }) {
  const isWhole = useSignal(useContext(Whole))
  const say = toolWords.value
  const { head, left, tail } = headAndTail(text, headLines, tailLines)
  if (left === 0 || isWhole.value) return <Piece text={text} />
  return (
    <>
      <Piece text={head} />
      <p class="left-out small">
        <span class="muted">{say.leftOut(left)}</span>
        <button class="link-button" type="button" onClick={() => (isWhole.value = true)}>
          {say.showAll}
        </button>
      </p>
      <Piece text={tail} />
    </>
  )
}
