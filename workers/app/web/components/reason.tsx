import type { Reason, ReasonKind } from '../../core/reason/reason.ts'
import { reasonSentence, words } from '../locales/words.ts'
import { heartOf } from '../model/reasons.ts'
import { language } from '../preferences.ts'

/** Between two sentences: Chinese ends them with a mark that is as wide as a letter. */
export function sentenceGap(): string {
  return language.value === 'zh' ? '' : ' '
}

/**
 * Why something failed or what came of it, in the page's language. `plain`: within a sentence, so without a mark at its
 * end; `todo`: with what the reader can do.
 */
export function ReasonWords(props: { reason: Reason | undefined; plain?: boolean; todo?: boolean }) {
  if (props.reason === undefined) return null
  const reason = heartOf(props.reason)
  // Somebody else's words, or those of a time when reasons were sentences.
  if (reason.kind === 'quoted')
    return (
      <span lang="zh-CN" dir="auto">
        {reason.words}
      </span>
    )
  const sentence = reasonSentence(reason)
  if (sentence === '') return null
  const todo = props.todo === true ? todoFor(reason.kind) : ''
  return (
    <>
      {sentence}
      {props.plain === true ? null : words.value.common.sentenceEnd}
      {todo === '' ? null : `${sentenceGap()}${todo}`}
    </>
  )
}

function todoFor(kind: ReasonKind): string {
  const todos: Readonly<Partial<Record<ReasonKind, string>>> = words.value.reasonTodos
  return todos[kind] ?? ''
}
