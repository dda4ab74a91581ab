/** The repository by module: layers of declared links, circles on the picture, modules opened in place. */
import '../styles/view-strip.css'
import './map.css'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Empty } from '#shared/pages/note.tsx'
import type { MapAnswer } from '../../contract/wire.ts'
import { Answered } from '../components/answered.tsx'
import { InPlaceLink } from '../components/in-place-link.tsx'
import { SavePicture } from '../components/save-picture.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { FailureNote, Skeleton } from '../components/states.tsx'
import { useViewKeys } from '../keys.ts'
import { keepMap, type MapWords } from '../layout/map-marks.ts'
import { columnsIn, drawMap } from '../layout/map-picture.ts'
import { placeModules } from '../layout/map-places.ts'
import { mapWords } from '../locales/words.ts'
import type { Route } from '../model/address.ts'
import { depthMax, type MapState, mapHref, mapState, regroup, toggleOpen } from '../model/map-address.ts'
import { goInPlace, goTo } from '../router.ts'
import { type ShownMap, shownMap, useMap } from './map-data.ts'
import { MapList } from './map-list.tsx'
import { MapSvg } from './map-picture.tsx'
import { MapSide } from './map-side.tsx'

const phone = '(max-width: 900px)'

function useIsPhone(): boolean {
  const [is, set] = useState(() => matchMedia(phone).matches)
  useEffect(() => {
    const query = matchMedia(phone)
    const follow = (): void => set(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return is
}

/** The width there is for the picture, known before the first paint. */
function useWidth(): { frame: { current: HTMLDivElement | null }; width: number | undefined } {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number | undefined>(undefined)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const measure = (): void => {
      const style = getComputedStyle(element)
      setWidth(
        Math.floor(element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)),
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { frame, width }
}

function Choices({ answer, state }: { answer: MapAnswer; state: MapState }) {
  const text = mapWords.value
  const isKnown = answer.roots.some((one) => one.root === answer.root)
  return (
    <>
      <label class="field-inline">
        <span class="small muted">{text.root}</span>
        <select
          class="input"
          value={answer.root}
          onChange={(event) => goTo(mapHref(regroup(state, { root: event.currentTarget.value, depth: undefined })))}
        >
          {isKnown ? null : <option value={answer.root}>{answer.root}</option>}
          {answer.roots.map(({ root, files }) => (
            <option key={root} value={root}>
              {text.rootFiles(root === '' ? text.wholeRepository : root, files)}
            </option>
          ))}
        </select>
      </label>
      <label class="field-inline">
        <span class="vh">{text.depth}</span>
        <select
          class="input"
          value={state.depth ?? ''}
          onChange={(event) => {
            const depth = Number(event.currentTarget.value)
            goTo(mapHref(regroup(state, { depth: depth === 0 ? undefined : depth })))
          }}
        >
          <option value="">{state.depth === undefined ? text.depthOf(answer.depth, true) : text.automatic}</option>
          {Array.from({ length: depthMax }, (_, at) => (
            <option key={at} value={at + 1}>
              {text.depthOf(at + 1, false)}
            </option>
          ))}
        </select>
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={state.hasTests}
          onChange={() => goInPlace(mapHref({ ...state, hasTests: !state.hasTests }))}
        />
        {text.tests}
      </label>
    </>
  )
}

function Opened({ shown, state }: { shown: ShownMap; state: MapState }) {
  const text = mapWords.value
  if (state.open.length === 0 && !state.isIsolated) return null
  return (
    <div class="opened">
      {state.open.length === 0 ? null : <span class="muted small">{text.opened}</span>}
      {state.open.map((id) => (
        <InPlaceLink key={id} class="opt" to={mapHref(toggleOpen(state, id))} label={text.foldOf(id)}>
          <span class="mono">{id}</span> ×
        </InPlaceLink>
      ))}
      {state.isIsolated && state.chosen !== undefined ? (
        <span class="small" role="status">
          {text.isolated(state.chosen, shown.modules.length, shown.modulesInAll)}{' '}
          <InPlaceLink class="link" to={mapHref({ ...state, isIsolated: false })}>
            {text.wide}
          </InPlaceLink>
        </span>
      ) : null}
    </div>
  )
}

function wordsOf(shown: ShownMap, drawn: number): MapWords {
  const text = mapWords.value
  const moduleOf = new Map(shown.modules.map((one) => [one.id, one]))
  const most = Math.max(1, ...shown.modules.map((one) => one.dependents.files))
  return {
    title: text.of(shown.answer.root),
    layer: text.layer,
    top: text.top,
    bottom: text.bottom,
    box: (id) => {
      const module = moduleOf.get(id)
      return {
        name: module?.label ?? id,
        files: text.files(module?.files ?? 0),
        dependents: text.depend(module?.dependents.files ?? 0),
        share: (module?.dependents.files ?? 0) / most,
      }
    },
    key: [
      { line: 'declared', text: text.keyDeclared },
      { line: 'guessed', text: text.keyGuessed },
      { line: 'upward', text: text.keyUpward },
      { line: 'bar', text: text.keyBar },
    ],
    notes: [
      `${text.keyWeight} ${drawn < shown.links.length ? text.keyDrawn(drawn, shown.links.length) : text.keyAll(shown.links.length)}`,
      text.excluded(shown.answer.excluded.uncertainEdges),
    ],
  }
}

function Shown({ shown, state }: { shown: ShownMap; state: MapState }) {
  const text = mapWords.value
  const isPhone = useIsPhone()
  const { frame, width } = useWidth()
  const columns = width === undefined ? 4 : columnsIn(width)
  const { modules, links } = shown
  const placement = useMemo(() => placeModules(modules, links, columns), [modules, links, columns])
  const picture = useMemo(() => {
    if (width === undefined) return undefined
    const isDrawn = new Set(placement.drawn)
    const own = links.filter((one) => !isDrawn.has(one) && (one.source === state.chosen || one.target === state.chosen))
    return drawMap(placement, [...placement.drawn, ...own], width)
  }, [placement, links, state.chosen, width])
  const shape = state.shape ?? (isPhone ? 'list' : 'picture')
  const layers = placement.layering.layers.length
  const files = modules.reduce((sum, one) => sum + one.files, 0)
  const chosen = state.chosen
  useViewKeys([
    {
      key: 'e',
      meaning: text.keyExpand,
      act: () => {
        if (chosen !== undefined && shown.inner.has(chosen)) goInPlace(mapHref(toggleOpen(state, chosen)))
        else if (chosen === undefined && state.open.length > 0)
          goInPlace(mapHref(toggleOpen(state, state.open.at(-1) ?? '')))
      },
    },
    {
      key: 'i',
      meaning: text.keyIsolate,
      act: () => {
        if (chosen !== undefined) goInPlace(mapHref({ ...state, isIsolated: !state.isIsolated }))
      },
    },
  ])
  return (
    <>
      <div class="viewbar mapbar">
        <h1>{text.title}</h1>
        <span class="faint small" role="status">
          {text.summary(modules.length, layers, files)}
        </span>
        <div class="end">
          <Choices answer={shown.answer} state={state} />
          <fieldset class="tabs" aria-label={text.shownAs}>
            {(['picture', 'list'] as const).map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={shape === one}
                onClick={() => goInPlace(mapHref({ ...state, shape: one }))}
              >
                {one === 'picture' ? text.asPicture : text.asList}
              </button>
            ))}
          </fieldset>
          {picture === undefined || shape === 'list' ? null : (
            <SavePicture picture={() => keepMap(picture, wordsOf(shown, placement.drawn.length), chosen)} />
          )}
        </div>
      </div>
      <div class="mapp">
        <div class="mapc" ref={frame}>
          <Opened shown={shown} state={state} />
          {modules.length === 0 ? (
            <NoModules shown={shown} state={state} />
          ) : shape === 'list' ? (
            <MapList placement={placement} shown={shown} state={state} />
          ) : picture === undefined ? null : (
            <div class="mapscroll">
              <MapSvg picture={picture} shown={shown} state={state} />
            </div>
          )}
        </div>
        <MapSide shown={shown} placement={placement} state={state} />
      </div>
    </>
  )
}

function NoModules({ shown, state }: { shown: ShownMap; state: MapState }) {
  const text = mapWords.value
  return shown.testsLeftOut > 0 ? (
    <Empty title={text.onlyTests}>
      <a class="btn" href={mapHref({ ...state, hasTests: true })}>
        {text.showTests}
      </a>
    </Empty>
  ) : (
    <Empty title={text.emptyTitle} body={text.emptyBody}>
      <a class="btn" href={mapHref(regroup(state, { root: '', depth: undefined }))}>
        {text.emptyAction}
      </a>
    </Empty>
  )
}

export function MapView({ route }: { route: Route }) {
  const text = mapWords.value
  const state = useMemo(() => mapState(route), [route])
  const { base, waiting, levels } = useMap(state)
  const shown = useMemo(() => shownMap(levels, state), [...levels, levels.length, state])
  usePageTitle(shown === undefined ? text.title : text.of(shown.answer.root))
  const missing = waiting.find((one) => one.reading.value.failure !== undefined)
  return (
    <Answered of={base} skeletonRows={12}>
      {() =>
        missing?.reading.value.failure !== undefined ? (
          <div class="page">
            <h1>{text.title}</h1>
            <FailureNote failure={missing.reading.value.failure} retry={missing.reload} />
          </div>
        ) : shown === undefined || waiting.length > 0 ? (
          <Skeleton rows={12} />
        ) : (
          <Shown shown={shown} state={state} />
        )
      }
    </Answered>
  )
}
