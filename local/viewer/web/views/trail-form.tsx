/** Naming a trail, putting its hops in order and noting why each one matters. */

import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { api, saveTrail } from '../api/client.ts'
import { useActions } from '../api/use-actions.ts'
import { put } from '../api/use-answer.ts'
import { FailureNote } from '../components/states.tsx'
import { trailsWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import {
  type EditedHop,
  moveHop,
  nameCharsMax,
  noteCharsMax,
  noteHop,
  removeHop,
  stepsOf,
  writeNotes,
} from '../model/trail-edit.ts'
import { goTo } from '../router.ts'

export function TrailForm(props: { name: string; note: string; hops: readonly EditedHop[]; lost: number }) {
  const text = trailsWords.value
  const name = useSignal(props.name)
  const note = useSignal(props.note)
  const hops = useSignal<readonly EditedHop[]>(props.hops)
  const said = useSignal('')
  const isNameMissing = useSignal(false)
  const { failure, act } = useActions()
  const field = useRef<HTMLInputElement>(null)
  const ids = { name: useId(), nameHint: useId(), note: useId(), noteHint: useId() }
  const whole = writeNotes(
    note.value,
    hops.value.map((hop) => hop.note),
  )
  const left = noteCharsMax - whole.length

  async function save(): Promise<void> {
    if (name.value.trim() === '') {
      isNameMissing.value = true
      field.current?.focus()
      return
    }
    if (left < 0) return
    const answer = await act(() => saveTrail({ name: name.value.trim(), note: whole, hops: stepsOf(hops.value) }))
    if (answer?.ok !== true) return
    put(api.trails(), answer.value)
    goTo(href('trails', answer.value.saved ?? ''))
  }
  return (
    <form
      class="trail-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {props.lost === 0 ? null : <Note incomplete>{text.lost(props.lost)}</Note>}
      <div class="field">
        <label for={ids.name}>{text.name}</label>
        <input
          ref={field}
          id={ids.name}
          class="input"
          maxLength={nameCharsMax}
          value={name.value}
          aria-invalid={isNameMissing.value}
          aria-describedby={ids.nameHint}
          onInput={(event) => {
            name.value = event.currentTarget.value
            isNameMissing.value = false
          }}
        />
        <span class={`hint${isNameMissing.value ? ' over' : ''}`} id={ids.nameHint}>
          {isNameMissing.value ? text.nameMissing : text.nameHint}
        </span>
      </div>
      <div class="field">
        <label for={ids.note}>{text.note}</label>
        <textarea
          id={ids.note}
          class="input"
          rows={3}
          aria-describedby={ids.noteHint}
          aria-invalid={left < 0}
          value={note.value}
          onInput={(event) => (note.value = event.currentTarget.value)}
        />
        <span class={`hint${left < 0 ? ' over' : ''}`} id={ids.noteHint}>
          {left < 0 ? text.noteOver(-left) : text.noteHint(left)}
        </span>
      </div>
      <HopList hops={hops.value} change={(next) => (hops.value = next)} say={(words) => (said.value = words)} />
      <p class="vh" role="status">
        {said.value}
      </p>
      {failure.value === undefined ? null : <FailureNote lead={text.saveFailed} failure={failure.value} />}
      <div class="btns">
        <button class="btn primary" type="submit" disabled={hops.value.length === 0 || left < 0}>
          {text.save}
        </button>
        <a class="btn quiet" href={href('trails')}>
          {words.value.cancel}
        </a>
      </div>
    </form>
  )
}

function HopList(props: {
  hops: readonly EditedHop[]
  change: (next: readonly EditedHop[]) => void
  say: (words: string) => void
}) {
  const text = trailsWords.value
  const { hops } = props
  const list = useRef<HTMLOListElement>(null)
  /** Focus goes with the hop that was moved. */
  const follow = useRef<{ readonly at: number; readonly part: string } | undefined>(undefined)
  useEffect(() => {
    const wanted = follow.current
    follow.current = undefined
    if (wanted === undefined) return
    const row = list.current?.children[wanted.at]
    const part = row?.querySelector<HTMLElement>(`[data-part="${wanted.part}"]:not(:disabled)`)
    ;(part ?? row?.querySelector<HTMLElement>('[data-part="note"]'))?.focus()
  }, [hops])

  function move(from: number, to: number, part: string): void {
    const hop = hops[from]
    if (hop === undefined || to < 0 || to >= hops.length) return
    follow.current = { at: to, part }
    props.change(moveHop(hops, from, to))
    props.say(text.movedTo(hop.name, to + 1, hops.length))
  }
  function onKeyDown(event: KeyboardEvent, at: number): void {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    const part = (event.target as HTMLElement).dataset['part'] ?? 'note'
    move(at, event.key === 'ArrowUp' ? at - 1 : at + 1, part)
  }
  return (
    <section class="sec">
      <header>
        <h2>{text.order}</h2>
        <span class="n">{hops.length}</span>
        <span class="end wide-only">{text.orderHint}</span>
      </header>
      <ol class="edit-hops" ref={list}>
        {hops.map((hop, at) => (
          <li
            key={`${hop.id} ${hops.slice(0, at).filter((one) => one.id === hop.id).length}`}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <span class="num faint">{at + 1}</span>
            <span class="mono cut" title={hop.name}>
              {hop.name}
            </span>
            <input
              class="input hop-note"
              data-part="note"
              aria-label={text.hopNote(hop.name, at + 1)}
              placeholder={text.hopNotePlaceholder}
              value={hop.note}
              onInput={(event) => props.change(noteHop(hops, at, event.currentTarget.value))}
            />
            <span class="btns">
              <button
                class="btn icon quiet"
                type="button"
                data-part="up"
                aria-label={text.up(hop.name)}
                disabled={at === 0}
                onClick={() => move(at, at - 1, 'up')}
              >
                <Icon name="up" />
              </button>
              <button
                class="btn icon quiet"
                type="button"
                data-part="down"
                aria-label={text.down(hop.name)}
                disabled={at === hops.length - 1}
                onClick={() => move(at, at + 1, 'down')}
              >
                <Icon name="down" />
              </button>
              <button
                class="btn icon quiet"
                type="button"
                aria-label={text.drop(hop.name)}
                disabled={hops.length === 1}
                onClick={() => {
                  follow.current = { at: Math.min(at, hops.length - 2), part: 'note' }
                  props.change(removeHop(hops, at))
                  props.say(text.dropped(hop.name))
                }}
              >
                <Icon name="close" />
              </button>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
