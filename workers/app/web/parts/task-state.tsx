/** Where a pushed torrent has got to. */
import type { WireTask } from '../../contract/tasks.ts'
import { percentText } from '../model/amounts.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'

export function TaskState({ task }: { task: WireTask }) {
  const text = words.value.tasks
  const [mark, tone, word] = task.completed
    ? (['m-done', 'good', text.done] as const)
    : !task.pushed
      ? (['m-bad', 'bad', text.notPushed] as const)
      : task.error !== undefined && task.error !== ''
        ? (['m-warn', 'warn', text.lost] as const)
        : (['m-part', 'acc', `${percentText(task.progress)}\u00a0%`] as const)
  return (
    <span class="st">
      <span class={tone}>
        <Icon name={mark} />
      </span>
      {word}
    </span>
  )
}
