/** The search of every view but the first: the best few while one types, Enter for the first of them or for the marked one. */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { setting } from '#shared/pages/set.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { pathAsked } from '../model/search-text.ts'
import { goTo, route } from '../router.ts'
import { arrowStep, Option } from './option.tsx'
import { KindWord, linkTo, Place } from './symbol-link.tsx'

const shownMax = 8

export function SearchBox() {
  const text = useSignal('')
  const isOpen = useSignal(false)
  const marked = useSignal(0)
  const list = useId()
  const box = useRef<HTMLInputElement>(null)
  const asked = text.value.trim()
  const path = pathAsked(asked)
  const answer = useAnswer(asked === '' || path !== undefined ? undefined : api.search(asked, shownMax))
  const { data, isCurrent } = answer.reading.value
  const items = asked === '' || path !== undefined ? [] : (data?.results.items ?? [])
  const allResults = href('home', '', { q: asked })
  const targets =
    path === undefined
      ? [...items.map((item) => linkTo(item.id)), ...(items.length > 0 ? [allResults] : [])]
      : [href('flow', '', path)]
  const isShown = isOpen.value && asked !== ''

  useEffect(() => {
    marked.value = 0
  }, [asked])
  // A new page is a new question.
  const { view, detail } = route.value
  useEffect(() => {
    isOpen.value = false
    text.value = ''
  }, [view, detail])

  function open(target: string | undefined): void {
    isOpen.value = false
    box.current?.blur()
    if (target !== undefined) goTo(target)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = arrowStep(event)
    if (step !== 0) {
      marked.value = Math.min(targets.length - 1, Math.max(0, marked.value + step))
    } else if (event.key === 'Enter' && asked !== '') {
      event.preventDefault()
      open((isCurrent || path !== undefined ? targets[marked.value] : undefined) ?? allResults)
    } else if (event.key === 'Escape') isOpen.value = false
  }
  const option = (at: number) => `${list}-${at}`
  const said = words.value.search
  return (
    <div class="vfind">
      <label class="find">
        <Icon name="search" />
        <span class="vh">{said.label}</span>
        <input
          ref={box}
          class="input"
          type="text"
          data-search
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={list}
          aria-activedescendant={isShown && targets.length > 0 ? option(marked.value) : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={said.placeholder}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
            isOpen.value = true
          }}
          onFocus={setting(isOpen, true)}
          onBlur={setting(isOpen, false)}
          onKeyDown={onKeyDown}
        />
        <kbd class="wide-only">/</kbd>
      </label>
      <div class="pop" id={list} role="listbox" aria-label={said.label} hidden={!isShown}>
        {items.map((item, at) => (
          <Option key={item.id} id={option(at)} isMarked={marked.value === at} open={() => open(targets[at])}>
            <KindWord kind={item.kind} />
            <span class="mono cut">{item.qualifiedName}</span>
            <Place file={item.file} line={item.line} />
          </Option>
        ))}
        {path === undefined ? null : (
          <Option id={option(0)} isMarked open={() => open(targets[0])}>
            <Icon name="flow" /> {said.findPath(path.from, path.to)}
          </Option>
        )}
        {items.length === 0 ? null : (
          <Option id={option(items.length)} isMarked={marked.value === items.length} open={() => open(allResults)}>
            <span class="link">{said.allResults}</span>
            <span class="faint small">{said.best(data?.results.total ?? 0)}</span>
          </Option>
        )}
        {path === undefined && isCurrent && items.length === 0 ? (
          <p class="faint pop-none">{said.none(asked)}</p>
        ) : null}
      </div>
    </div>
  )
}
