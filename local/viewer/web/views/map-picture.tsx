/** The map as a picture: boxes in layers that are links, walked with the arrow keys. */
import { useRef } from 'preact/hooks'
import { inPlace } from '../components/in-place-link.tsx'
import { boxHeight, boxWidth } from '../layout/limits.ts'
import { arrowhead, inDrawingOrder, nameCells, routeTone } from '../layout/map-marks.ts'
import { boxTowards, type MapPicture, type Route } from '../layout/map-picture.ts'
import { keepEnd } from '../layout/marks.ts'
import { mapWords } from '../locales/words.ts'
import { type MapState, mapHref } from '../model/map-address.ts'
import { goInPlace } from '../router.ts'
import type { MapModule, ShownMap } from './map-data.ts'

function routeClass(route: Route, chosen: string | undefined): string {
  const tone = routeTone(route, chosen)
  const look = tone === 'bad' ? 'back' : tone === 'accent' ? 'out' : tone === 'edge' ? 'in' : 'far'
  return `e ${look}${route.certainty === 'guessed' ? ' guess' : ''}`
}

const arrows = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const

export function MapSvg(props: { picture: MapPicture; shown: ShownMap; state: MapState }) {
  const text = mapWords.value
  const { picture, shown, state } = props
  const frame = useRef<SVGSVGElement>(null)
  const moduleOf = new Map(shown.modules.map((one) => [one.id, one]))
  const most = Math.max(1, ...shown.modules.map((one) => one.dependents.files))
  const isNear = new Set(
    state.chosen === undefined
      ? []
      : picture.routes.flatMap((one) =>
          one.source === state.chosen || one.target === state.chosen ? [one.source, one.target] : [],
        ),
  )
  const layers = picture.bands.filter((one) => one.number > 0).length

  function onKeyDown(event: KeyboardEvent): void {
    const id = (event.target as Element | null)?.closest('[data-box]')?.getAttribute('data-box')
    if (id === null || id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = arrows.find((one) => one === event.key)
    if (arrow !== undefined) {
      const next = boxTowards(picture.boxes, id, arrow)
      event.preventDefault()
      for (const box of frame.current?.querySelectorAll<SVGAElement>('[data-box]') ?? [])
        if (box.dataset['box'] === next) box.focus()
    } else if (event.key === ' ') {
      event.preventDefault()
      goInPlace(mapHref({ ...state, chosen: id }))
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture of links is a group of them
    <svg
      ref={frame}
      class="mapsvg"
      role="group"
      aria-label={text.picture(layers)}
      width={picture.width}
      height={picture.height}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      onKeyDown={onKeyDown}
      data-rows="boxes"
    >
      {picture.bands.map((band) => (
        <g key={band.number}>
          <path class="band" d={`M0 ${band.y}H${picture.width}`} />
          <text class="lab" x="0" y={band.y - 8}>
            {text.layer(band.number)}
          </text>
          <text class="lab2" x="0" y={band.y + 16}>
            {band.isFirst ? text.top : band.isLast ? text.bottom : ''}
          </text>
        </g>
      ))}
      <g>
        {inDrawingOrder(picture.routes, state.chosen).map((one) => (
          <g key={`${one.source} ${one.target}`}>
            <path
              class={routeClass(one, state.chosen)}
              stroke-width={
                one.isUpward && one.certainty === 'declared' ? Math.min(1.6, one.strokeWidth) : one.strokeWidth
              }
              d={one.path}
            />
            {one.tip === undefined ? null : (
              <path class={one.certainty === 'declared' ? 'bh' : 'gh'} d={arrowhead(one.tip)} />
            )}
          </g>
        ))}
      </g>
      {picture.boxes.map((box) => {
        const one = moduleOf.get(box.id)
        return one === undefined ? null : (
          <BoxLink
            key={box.id}
            module={one}
            x={box.x}
            y={box.y}
            layer={picture.bands[box.layer]?.number ?? 0}
            share={one.dependents.files / most}
            look={
              box.id === state.chosen ? 'sel' : state.chosen === undefined || isNear.has(box.id) ? 'near' : 'faraway'
            }
            to={mapHref({ ...state, chosen: box.id, isIsolated: state.isIsolated && box.id === state.chosen })}
          />
        )
      })}
    </svg>
  )
}

function BoxLink(props: {
  module: MapModule
  x: number
  y: number
  layer: number
  share: number
  look: 'sel' | 'near' | 'faraway'
  to: string
}) {
  const text = mapWords.value
  const { module, x, y } = props
  const { id, label, files, dependents } = module
  const name = keepEnd(label, nameCells)
  return (
    <a
      class={`bx ${props.look}${module.test ? ' test' : ''}`}
      href={props.to}
      data-box={id}
      data-row
      aria-description={text.boxLabel(id, props.layer)}
      aria-current={props.look === 'sel' ? 'true' : undefined}
      onClick={(event) => inPlace(event, props.to)}
    >
      <rect x={x} y={y} width={boxWidth} height={boxHeight} rx="3" />
      <rect class="dep" x={x} y={y + boxHeight - 4} width={Math.round(boxWidth * props.share)} height="4" />
      <text class="t1" x={x + 12} y={y + 22}>
        {name}{' '}
      </text>
      <text class="t2" x={x + 12} y={y + 40}>
        {text.files(files)}{' '}
      </text>
      <text class="t2" x={x + boxWidth - 12} y={y + 40} text-anchor="end">
        {text.depend(dependents.files)}
      </text>
    </a>
  )
}
