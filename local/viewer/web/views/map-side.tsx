/** Beside the map: the chosen module with what it uses and what uses it, circles, and how to read the picture. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { FileName } from '../components/file-name.tsx'
import { InPlaceLink } from '../components/in-place-link.tsx'
import { Meter } from '../components/meter.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { linkKey } from '../layout/map-layers.ts'
import type { Placement } from '../layout/map-places.ts'
import { grouped } from '../locales/numbers.ts'
import { mapWords } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { type MapState, mapHref, regroup, toggleOpen } from '../model/map-address.ts'
import type { MapLink, MapModule, ShownMap } from './map-data.ts'

interface Sides {
  readonly shown: ShownMap
  readonly placement: Placement
  readonly state: MapState
}

function Related(props: {
  title: string
  none: string
  links: readonly MapLink[]
  end: 'source' | 'target'
  sides: Sides
}) {
  const text = mapWords.value
  const { links, end, sides } = props
  const sorted = [...links].sort((left, right) => right.count - left.count)
  const most = Math.max(1, ...links.map((one) => one.count))
  const labels = new Map(sides.shown.modules.map((one) => [one.id, one.label]))
  return (
    <section class="sec">
      <header>
        <h2>{props.title}</h2>
        {links.length === 0 ? null : (
          <span class="n">
            {text.related(
              links.length,
              links.reduce((sum, one) => sum + one.count, 0),
            )}
          </span>
        )}
      </header>
      {links.length === 0 ? <p class="faint pad">{props.none}</p> : null}
      <ul class="res rel" data-rows={props.end}>
        {sorted.map((link) => {
          const title = text.linkTitle(link.declared, link.count - link.declared)
          return (
            <li key={link[end]}>
              <InPlaceLink to={mapHref({ ...sides.state, chosen: link[end], isIsolated: false })} title={title} isRow>
                <FileName name={labels.get(link[end]) ?? link[end]} isQuiet={link.declared === 0} />
                <Meter part={link.count} within={link.declared} of={most} />
                <span class="num">
                  {grouped(link.count)}
                  <span class="vh">, {title}</span>
                </span>
              </InPlaceLink>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Upward({ sides }: { sides: Sides }) {
  const text = mapWords.value
  const { shown, placement, state } = sides
  const up = shown.links.filter(
    (one) =>
      placement.layering.upward.has(linkKey(one)) &&
      (state.chosen === undefined || one.source === state.chosen || one.target === state.chosen),
  )
  if (up.length === 0) return null
  return (
    <section class="sec">
      <SectionHead title={text.up} count={up.length} />
      <ul class="rows ups">
        {up.slice(0, upShown).map((link) => {
          const pair = link.topPairs[0]
          return (
            <li key={linkKey(link)}>
              <span class="bad">
                <Icon name="m-warn" />
              </span>
              <span class="grow">
                <InPlaceLink class="t mono" to={mapHref({ ...state, chosen: link.source, isIsolated: false })} isRow>
                  {text.upLink(link.source, link.target)}
                </InPlaceLink>
                <span class="s">
                  {text.closes(link.declared)}{' '}
                  {pair === undefined ? null : (
                    <>
                      {text.lightest}{' '}
                      <a class="link" href={href('file', pair.from)} title={text.pair(pair.from, pair.to)}>
                        {text.pair(lastPart(pair.from), lastPart(pair.to))}
                      </a>
                    </>
                  )}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
      {up.length > upShown ? <p class="faint small">{text.more(up.length - upShown)}</p> : null}
    </section>
  )
}

const upShown = 12
const cyclesShown = 8
const cycleFilesShown = 6

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function Cycles({ sides }: { sides: Sides }) {
  const text = mapWords.value
  const { cycles } = sides.shown.answer
  const shown = cycles.items.slice(0, cyclesShown)
  return (
    <section class="sec">
      <SectionHead title={text.cycles} count={grouped(cycles.total)} />
      <p class="faint small pad">{cycles.total === 0 ? text.cyclesNone : text.cyclesAbout}</p>
      <ul class="cycles">
        {shown.map((cycle) => (
          <li key={cycle.files.join()}>
            <details>
              <summary>
                {text.cycle(cycle.size)}{' '}
                <span class="faint small mono">{cycle.files.slice(0, 2).map(lastPart).join(', ')}</span>
              </summary>
              <ul class="res">
                {cycle.files.slice(0, cycleFilesShown).map((file) => (
                  <li key={file}>
                    <a href={href('file', file)} data-row>
                      <FileName name={file} />
                    </a>
                  </li>
                ))}
              </ul>
              {cycle.size > cycleFilesShown ? (
                <p class="faint small">{text.more(cycle.size - cycleFilesShown)}</p>
              ) : null}
            </details>
          </li>
        ))}
      </ul>
      {cycles.total > shown.length ? <p class="faint small">{text.more(cycles.total - shown.length)}</p> : null}
    </section>
  )
}

function Chosen({ module, sides }: { module: MapModule; sides: Sides }) {
  const text = mapWords.value
  const { shown, state } = sides
  const { id } = module
  const inner = shown.inner.get(id)
  const isFolder = !module.facade && !id.endsWith('(root files)')
  const links = shown.links
  return (
    <>
      <div>
        <div class="ms-h">
          <h2 class="mono">{id}</h2>
          <InPlaceLink class="link small" to={mapHref({ ...state, chosen: undefined, isIsolated: false })}>
            {text.clear}
          </InPlaceLink>
        </div>
        <p class="muted">
          {text.about(module.files, module.symbols)}{' '}
          {text.dependents(module.dependents.files, module.dependents.modules)}
        </p>
        <div class="btns ms-b">
          {inner === undefined ? null : (
            <InPlaceLink class="btn" to={mapHref(toggleOpen(state, id))}>
              {text.expand(inner)}
            </InPlaceLink>
          )}
          <InPlaceLink class="btn" to={mapHref({ ...state, isIsolated: !state.isIsolated })}>
            {state.isIsolated ? text.wide : text.isolate}
          </InPlaceLink>
          {isFolder ? (
            <a class="btn quiet" href={mapHref(regroup(state, { root: id, depth: undefined }))}>
              {text.openRoot}
            </a>
          ) : null}
        </div>
      </div>
      <Related
        title={text.uses}
        none={text.nothingUsed}
        links={links.filter((one) => one.source === id)}
        end="target"
        sides={sides}
      />
      <Related
        title={text.usedBy}
        none={text.nothingUses}
        links={links.filter((one) => one.target === id)}
        end="source"
        sides={sides}
      />
      <Upward sides={sides} />
      <section class="sec">
        <SectionHead title={text.filesOf} count={grouped(module.fileList.total)} />
        <ul class="res">
          {module.fileList.items.map((file) => (
            <li key={file}>
              <a href={href('file', file)} data-row>
                <FileName name={file} title={file} />
              </a>
            </li>
          ))}
        </ul>
        {module.fileList.truncated ? (
          <p class="faint small">{text.more(module.fileList.total - module.fileList.shown)}</p>
        ) : null}
      </section>
    </>
  )
}

function KeyLine(props: { said: string; height?: '12'; children: ComponentChildren }) {
  return (
    <li>
      <svg width="34" height={props.height ?? '10'} aria-hidden="true">
        {props.children}
      </svg>
      {props.said}
    </li>
  )
}

function Key({ sides }: { sides: Sides }) {
  const text = mapWords.value
  const { shown, placement } = sides
  const isSome = placement.drawn.length < shown.links.length
  return (
    <section class="sec">
      <SectionHead title={text.key} />
      <ul class="mkey small">
        <KeyLine said={text.keyDeclared}>
          <path class="e in" d="M0 5h34" stroke-width="3" />
        </KeyLine>
        <KeyLine said={text.keyGuessed}>
          <path class="e in guess" d="M0 5h34" stroke-width="1.5" />
        </KeyLine>
        <KeyLine said={text.keyOut}>
          <path class="e out" d="M0 5h34" stroke-width="3" />
        </KeyLine>
        <KeyLine said={text.keyUpward} height="12">
          <path class="e back" d="M0 7h28" stroke-width="1.6" />
          <path class="bh" d="M26 2L34 7L26 12Z" />
        </KeyLine>
        <KeyLine said={text.keyGuessedUp} height="12">
          <path class="e in guess" d="M0 7h28" stroke-width="1.5" />
          <path class="gh" d="M26 2L33 7L26 12Z" />
        </KeyLine>
        <KeyLine said={text.keyBar}>
          <rect class="depk" y="4" width="34" height="4" />
        </KeyLine>
      </ul>
      <p class="faint small">
        {text.keyWeight}{' '}
        {isSome ? text.keyDrawn(placement.drawn.length, shown.links.length) : text.keyAll(shown.links.length)}{' '}
        {text.excluded(shown.answer.excluded.uncertainEdges)}
        {shown.testsLeftOut === 0 ? '' : ` ${text.testsLeftOut(shown.testsLeftOut)}.`}
      </p>
    </section>
  )
}

export function MapSide(sides: Sides) {
  const text = mapWords.value
  const { shown, state } = sides
  const module = shown.modules.find((one) => one.id === state.chosen)
  return (
    <aside class="mapside">
      {module === undefined ? (
        <>
          <div>
            <h2>{text.chooseTitle}</h2>
            <p class="muted">{text.choose}</p>
          </div>
          <Upward sides={sides} />
          <Cycles sides={sides} />
        </>
      ) : (
        <Chosen module={module} sides={sides} />
      )}
      <Key sides={sides} />
    </aside>
  )
}
