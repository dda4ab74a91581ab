/** Where a pushed torrent has got to. */
import type { WireTask } from '../../contract/tasks.ts'
import { words } from '../locales/words.ts'
import { percentText } from '../model/amounts.ts'
import { StateMark } from './state-mark.tsx'

export function TaskState({ task }: { task: WireTask }) {
  const text = words.value.taskStates
  const [mark, tone, word] = task.completed
    ? (['m-done', 'good', text.done] as const)
    : !task.pushed
      ? (['m-bad', 'bad', text.notPushed] as const)
      : task.reason !== undefined
        ? (['m-warn', 'warn', text.lost] as const)
        : (['m-part', 'acc', `${percentText(task.progress)}\u00a0%`] as const)
  return (
    <StateMark mark={mark} tone={tone}>
      {word}
    </StateMark>
  )
}
