/** Some of a few things, in the order in which they are preferred. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { moved } from '../model/profile-form.ts'

export function RankedChoice<T extends string>(props: {
  legend: string
  all: readonly T[]
  chosen: readonly T[]
  nameOf: (one: T) => string
  /** While none is chosen. */
  none: string
  isWrong?: boolean
  onChange: (chosen: readonly T[]) => void
}) {
  const text = words.value.profiles
  const { chosen, nameOf } = props
  const frame = useRef<HTMLFieldSetElement>(null)
  const touched = useSignal<{ readonly one: T; readonly by: string } | undefined>(undefined)
  // A row that changes its place takes the focus with it; one that comes or goes leaves it at the other end of its way.
  useEffect(() => {
    if (touched.value === undefined) return
    const { one, by } = touched.value
    const buttons = [...(frame.current?.querySelectorAll<HTMLButtonElement>(`[data-of="${one}"]`) ?? [])]
    const wanted = buttons.find((button) => button.dataset['by'] === by && !button.disabled)
    ;(wanted ?? buttons.find((button) => !button.disabled))?.focus()
  }, [chosen, touched])

  function change(next: readonly T[], one: T, by: string): void {
    touched.value = { one, by }
    props.onChange(next)
  }

  const said = touched.value?.one
  return (
    <fieldset ref={frame}>
      <legend class="label">{props.legend}</legend>
      {chosen.length === 0 ? (
        <p class={props.isWrong ? 'hint bad' : 'hint faint small'}>{props.none}</p>
      ) : (
        <ol class="rows ranked">
          {chosen.map((one, at) => (
            <li key={one}>
              <span class="num faint">{at + 1}</span>
              <span class="grow">{nameOf(one)}</span>
              <span class="btns">
                {([-1, 1] as const).map((by) => (
                  <button
                    key={by}
                    class="btn quiet icon"
                    type="button"
                    data-of={one}
                    data-by={by === -1 ? 'up' : 'down'}
                    aria-label={by === -1 ? text.better(nameOf(one)) : text.worse(nameOf(one))}
                    disabled={moved(chosen, one, by) === chosen}
                    onClick={() => change(moved(chosen, one, by), one, by === -1 ? 'up' : 'down')}
                  >
                    <Icon name={by === -1 ? 'up' : 'down'} />
                  </button>
                ))}
                <button
                  class="btn quiet icon"
                  type="button"
                  data-of={one}
                  data-by="leave"
                  aria-label={text.leave(nameOf(one))}
                  onClick={() =>
                    change(
                      chosen.filter((other) => other !== one),
                      one,
                      'take',
                    )
                  }
                >
                  <Icon name="close" />
                </button>
              </span>
            </li>
          ))}
        </ol>
      )}
      <div class="btns">
        {props.all
          .filter((one) => !chosen.includes(one))
          .map((one) => (
            <button
              key={one}
              class="opt"
              type="button"
              data-of={one}
              data-by="take"
              aria-label={text.take(nameOf(one))}
              onClick={() => change([...chosen, one], one, 'leave')}
            >
              <Icon name="plus" small />
              {nameOf(one)}
            </button>
          ))}
      </div>
      <span class="vh" role="status">
        {said !== undefined && chosen.includes(said)
          ? text.ranked(nameOf(said), chosen.indexOf(said) + 1, chosen.length)
          : ''}
      </span>
    </fieldset>
  )
}
