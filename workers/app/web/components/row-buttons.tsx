/** What can be done with one row of a list; each says whose it is to those who hear it. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { OfFile } from './of-file.tsx'

interface RowText {
  readonly remove: string
}

export function RowButtons(props: {
  name: string
  text: RowText
  editHash?: string
  onSwitch?: { readonly isOn: boolean; readonly act: () => void }
  onDefault?: (() => void) | undefined
  onRemove?: (() => void) | undefined
  /** The configuration file has it: nothing is changed here. */
  isOfFile?: boolean | undefined
  children?: ComponentChildren
}) {
  const { name, text } = props
  const { common } = words.value
  const act = (word: string | undefined, onClick: () => void) => (
    <button class="btn quiet" type="button" aria-label={`${word} ${name}`} onClick={onClick}>
      {word}
    </button>
  )
  if (props.isOfFile === true)
    return (
      <div class="btns">
        {props.children}
        <OfFile />
      </div>
    )
  return (
    <div class="btns">
      {props.children}
      {props.editHash === undefined ? null : (
        <a class="btn" href={props.editHash} aria-label={`${common.edit} ${name}`}>
          {common.edit}
        </a>
      )}
      {props.onSwitch === undefined
        ? null
        : act(props.onSwitch.isOn ? common.turnOff : common.turnOn, props.onSwitch.act)}
      {props.onDefault === undefined ? null : act(common.makeDefault, props.onDefault)}
      {props.onRemove === undefined ? null : (
        <button class="btn danger quiet" type="button" aria-label={`${text.remove} ${name}`} onClick={props.onRemove}>
          <Icon name="trash" />
          <span class="wide-only">{text.remove}…</span>
        </button>
      )}
    </div>
  )
}
