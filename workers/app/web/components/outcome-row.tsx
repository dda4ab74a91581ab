/** What came of one torrent that was to go into a downloader, as a mark, its title and words. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import type { PushResult } from '../model/push.ts'

const marks: Readonly<Record<PushResult['outcome'], readonly [IconName, string]>> = {
  pushed: ['m-done', 'good'],
  skipped: ['m-off', 'faint'],
  stopped: ['m-warn', 'warn'],
  failed: ['m-bad', 'bad'],
}

/** `isWhole`: the title takes the lines it needs. */
export function OutcomeRow(props: {
  outcome: PushResult['outcome']
  title: string
  isWhole?: boolean
  children: ComponentChildren
}) {
  const [mark, tone] = marks[props.outcome]
  return (
    <li>
      <span class={tone}>
        <Icon name={mark} />
      </span>
      <span class="grow">
        <span class={props.isWhole ? 't brk' : 't cut'} title={props.isWhole ? undefined : props.title}>
          {props.title}
        </span>
        <span class="s">{props.children}</span>
      </span>
    </li>
  )
}
