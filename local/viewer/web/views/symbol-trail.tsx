/** The way the reader took, above what they read: each step leads back, and the whole can be saved. */
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { symbolWords } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { formatTrail, parseTrail, symbolHref, trailTo } from '../model/reading-trail.ts'
import { lastPlaceOf } from '../recent.ts'
import { route } from '../router.ts'

/** The server takes this many ids; of a longer way the end is named. */
const namedMax = 60

export function saveHref(focus: string): string {
  const steps = parseTrail(route.value.query.get('trail'))
  return href('trails', 'new', { trail: formatTrail(trailTo(steps, focus)) })
}

export function TrailBar({ focus, name }: { focus: string; name: string }) {
  const text = symbolWords.value
  const all = parseTrail(route.value.query.get('trail'))
  const steps = (all.some((step) => step.id === focus) ? all : trailTo(all, focus)).slice(-namedMax)
  const answer = useAnswer(steps.length > 1 ? api.nodes([...new Set(steps.map((step) => step.id))]) : undefined)
  const names = new Map(answer.reading.value.data?.items.map((node) => [node.id, node.qualifiedName]))
  const at = steps.findLastIndex((step) => step.id === focus)
  const way = useRef<HTMLOListElement>(null)
  // On a narrow screen the end of a long way is shown, not its beginning. Only sideways: the page keeps its place.
  useEffect(() => {
    const step = way.current?.children[at] as HTMLElement | undefined
    if (way.current !== null && step !== undefined)
      way.current.scrollLeft = step.offsetLeft + step.offsetWidth - way.current.offsetLeft - way.current.clientWidth
  }, [focus, names.size])
  return (
    <nav class="trailbar" aria-label={text.trail}>
      <span class="faint small">
        <Icon name="trail" />
      </span>
      <ol ref={way}>
        {steps.map((step, index) => {
          const known = names.get(step.id) ?? (step.id === focus ? name : lastPlaceOf(step.id)?.qualifiedName)
          return (
            <li key={`${index} ${step.id}`} aria-current={index === at ? 'true' : undefined}>
              {step.dir === 'up' ? (
                <span class="up">
                  <Icon name="up" small />
                </span>
              ) : null}
              {index === at ? (
                <span class="mono">{known ?? '…'}</span>
              ) : (
                <a class="mono" href={symbolHref(all, step.id)} title={known === undefined ? text.step : undefined}>
                  {known ?? '…'}
                </a>
              )}
            </li>
          )
        })}
      </ol>
      <a class="btn quiet end" href={saveHref(focus)}>
        {text.save}
        <kbd class="wide-only">S</kbd>
      </a>
    </nav>
  )
}
