/** Why something was decided so: asked for at a row, and told beside the list. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { isShown } from '#shared/pages/keys.ts'
import type { WireCandidate } from '../../contract/console-rules.ts'
import { beside } from '../beside.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { ruleLikeHash } from '../model/rule-like.ts'
import { Figure, Moment } from './figure.tsx'
import { SidePanel } from './side-panel.tsx'

/** A torrent about which something was decided. */
export interface Decided {
  readonly title: string
  /** How it stands. */
  readonly state: ComponentChildren
  /** Where, and when. */
  readonly about: ComponentChildren
  /** As it was when that was decided, where that is kept. */
  readonly was?: WireCandidate | undefined
  readonly why: () => ComponentChildren
}

/** The row whose panel is open. */
const opened = signal<string | undefined>(undefined)

function Facts({ of: was }: { of: WireCandidate }) {
  const text = words.value.feeds.was
  const { yes, no } = words.value.feeds
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [text.size, was.size === undefined ? undefined : <Figure amount={bytesAmount(was.size)} />],
    [
      text.promotion,
      was.discount === undefined ? undefined : (
        <>
          {words.value.search.discounts[was.discount]}
          {was.free_until === undefined ? null : (
            <>
              {' '}
              {words.value.search.until} <Moment seconds={was.free_until} />
            </>
          )}
        </>
      ),
    ],
    ['H&R', was.has_hr === undefined ? undefined : was.has_hr ? yes : no],
    [text.seeders, was.seeders === undefined ? undefined : grouped(was.seeders)],
    [text.leechers, was.leechers === undefined ? undefined : grouped(was.leechers)],
    [text.published, was.uploaded_at === undefined ? undefined : <Moment seconds={was.uploaded_at} />],
    [text.category, was.category],
    [text.tags, was.tags?.join(', ')],
  ]
  return (
    <>
      <dl class="kv small">
        {facts.map(([name, value]) =>
          value === undefined || value === ''
            ? null
            : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
        )}
      </dl>
      <p class="small faint">{was.listed ? text.listed : text.told}</p>
    </>
  )
}

/** From a row to the one before or after it that can be asked too: as a press on its button, wherever it is. */
function step(by: -1 | 1): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('main [data-why]')].filter(isShown)
  buttons[buttons.findIndex((one) => one.ariaExpanded === 'true') + by]?.click()
}

function close(): void {
  const button = document.querySelector<HTMLElement>('[data-why][aria-expanded=true]')
  beside.value = undefined
  // The panel gives the focus to the row that it was opened from: since then it may have become about another.
  setTimeout(() => button?.focus({ preventScroll: true }))
}

function Panel({ of: decided }: { of: Decided }) {
  const text = words.value.feeds
  return (
    <SidePanel
      title={text.why}
      onClose={close}
      tools={([-1, 1] as const).map((by) => (
        <button
          key={by}
          class="btn quiet icon"
          type="button"
          aria-label={by === -1 ? text.whyBefore : text.whyNext}
          onClick={() => step(by)}
        >
          <Icon name={by === -1 ? 'up' : 'down'} />
        </button>
      ))}
    >
      <div class="body" aria-live="polite">
        <p class="pt brk">{decided.title}</p>
        {decided.was?.subtitle ? <p class="muted">{decided.was.subtitle}</p> : null}
        <p class="small muted">{decided.about}</p>
        <p>{decided.state}</p>
        {decided.why()}
        {decided.was === undefined ? null : (
          <>
            <a class="btn quiet" href={ruleLikeHash(decided.was)}>
              {text.makeRule}
            </a>
            <h3>{text.was.title}</h3>
            <Facts of={decided.was} />
          </>
        )}
      </div>
    </SidePanel>
  )
}

export function WhyButton({ of: decided }: { of: Decided }) {
  const row = useId()
  const isOpen = beside.value !== undefined && opened.value === row
  const { why } = words.value.feeds
  // Gone with its row.
  useEffect(
    () => () => {
      if (opened.peek() === row) beside.value = undefined
    },
    [row],
  )
  return (
    <button
      class="btn quiet"
      type="button"
      data-why
      aria-expanded={isOpen}
      aria-label={`${why} ${decided.title}`}
      onClick={() => {
        if (isOpen) return close()
        opened.value = row
        beside.value = () => <Panel of={decided} />
      }}
    >
      {why}
    </button>
  )
}
