/** How it stands with what runs by itself and can be turned off. */
import type { ComponentChildren, ComponentProps } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { RowButtons } from './row-buttons.tsx'

const marks = {
  on: ['m-on', 'good'],
  failed: ['m-bad', 'bad'],
  off: ['m-off', 'faint'],
  untried: ['m-guess', 'faint'],
} as const

export type RunState = keyof typeof marks

/** `hasRun` and `failed` are of the last time. */
export function runState({ isOn, hasRun, failed }: { isOn: boolean; hasRun: boolean; failed: boolean }): RunState {
  if (!isOn) return 'off'
  if (failed) return 'failed'
  return hasRun ? 'on' : 'untried'
}

export function RunMark({ state, names }: { state: RunState; names: Readonly<Record<RunState, string>> }) {
  const [mark, tone] = marks[state]
  return (
    <>
      <span class={tone}>
        <Icon name={mark} />
      </span>
      <span class="vh">{names[state]}</span>
    </>
  )
}

/** A row of what looks at a site by itself, with a button that has it look now. */
export function RunRow(props: {
  row: { readonly id: number; readonly name: string; readonly enabled: boolean; readonly site_enabled: boolean }
  screen: 'brush' | 'feeds'
  state: RunState
  /** Where it looks and what comes of it. */
  place: string
  text: ComponentProps<typeof RowButtons>['text'] & { readonly states: Readonly<Record<RunState, string>> }
  tags: { readonly off: string; readonly siteOff: string }
  run: string
  onRun: () => void
  onSwitch: () => void
  onRemove: () => void
  children: ComponentChildren
}) {
  const { row, state, text } = props
  return (
    <li class={state === 'off' ? 'dl off' : 'dl'}>
      <div class="dl-h">
        <RunMark state={state} names={text.states} />
        <a href={`#/${props.screen}/${row.id}`}>
          <b>{row.name}</b>
        </a>
        <span class="faint cut">{props.place}</span>
        {row.enabled ? null : <span class="tag guess">{props.tags.off}</span>}
        {row.site_enabled ? null : <span class="tag guess">{props.tags.siteOff}</span>}
      </div>
      <div class="dl-b">{props.children}</div>
      <RowButtons
        name={row.name}
        text={text}
        onSwitch={{ isOn: row.enabled, act: props.onSwitch }}
        onRemove={props.onRemove}
      >
        <button
          class="btn"
          type="button"
          disabled={!row.enabled}
          aria-label={`${props.run} ${row.name}`}
          onClick={props.onRun}
        >
          <Icon name="play" />
          {props.run}
        </button>
      </RowButtons>
    </li>
  )
}
