/**
 * Amounts over time as bars. A slider lies unseen over them: by keys, finger or mouse it walks from bar to bar, and a line
 * below tells each. Beside the picture stands the same as a table, for those who would rather read it.
 */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { setting } from '#shared/pages/set.ts'
import { type ChartLook, layOut, plotSize } from '../model/chart.ts'

export interface ChartSeries {
  readonly name: string
  /** In the unit of the axis. */
  readonly values: readonly number[]
}

export interface ChartColumn {
  readonly label: string
  /** The whole of it in words, told when it is pointed at. */
  readonly told: string
  /** Nothing is known of it. */
  readonly isGap: boolean
  /** It is still to come, and this is expected of it, in the unit of the axis. */
  readonly expected?: number
}

const labelWidth = 120
const gapHeight = 42
/** Of what is written over the last bar, which begins over the bars before it; and a line of that. */
const soFarWidth = 72
const lineHeight = 13
const frameWidthLeast = 12
/** The fourth series has no colour of its own: it is hatched. */
const looks = ['a', 'b', 'c', 'd'] as const

interface GapPlace {
  readonly x: number
  readonly width: number
}

/** As far from its neighbours as a bar is. */
function Gap({ of: { x, width }, pitch, base, tall }: { of: GapPlace; pitch: number; base: number; tall: number }) {
  return (
    <rect
      class="gap"
      x={(x + pitch * 0.12).toFixed(1)}
      y={(base - tall).toFixed(1)}
      width={(width - pitch * 0.24).toFixed(1)}
      height={tall.toFixed(1)}
    />
  )
}

export function BarChart(props: {
  /** States the finding. */
  finding: string
  series: readonly ChartSeries[]
  look?: ChartLook
  /** The chart is what its screen is about. */
  isTall?: boolean
  columns: readonly ChartColumn[]
  /** What the first series, or all that are stacked, are to stay below, in the unit of the axis. */
  bound?: { readonly name: string; readonly value: number } | undefined
  axis: (value: number) => string
  lastLabel: string
  /** What is written over the last bar, which is still growing. */
  soFar: (value: string) => string
  gapWord: string
  /** What the columns that are still to come amount to; they are the last. */
  expectedWord?: string | undefined
  /** Names the slider that walks over the bars. */
  walk: string
}) {
  const { series, columns } = props
  const title = useId()
  const at = useSignal<number | undefined>(undefined)
  const frame = useRef<HTMLDivElement>(null)
  const width = useSignal<number>(plotSize.widthUsual)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      if (entry !== undefined) width.value = Math.max(plotSize.widthLeast, Math.floor(entry.contentRect.width))
    })
    if (frame.current !== null) watcher.observe(frame.current)
    return () => watcher.disconnect()
  }, [width])
  const bottom = props.isTall ? plotSize.bottomTall : plotSize.bottom
  const height = bottom + plotSize.labels
  const plot = layOut(
    series.map((one) => one.values),
    width.value,
    props.look,
    bottom,
    props.bound?.value,
  )
  const every = Math.max(1, Math.ceil((columns.length * labelWidth) / width.value))
  const hatch = useId()
  const peak = plot.tops[plot.highest]
  const peakBar = plot.series[0]?.[plot.highest]
  const end = columns.length - 1
  const last = columns.findLastIndex(({ expected }) => expected === undefined)
  const lastValue = plot.tops[last]?.value ?? 0
  const expectedTall = peak === undefined ? 0 : ((plot.base - peak.y) / peak.value) * (columns[end]?.expected ?? 0)
  const expectedTop = plot.base - expectedTall
  const pitch = plot.columns[0]?.width ?? soFarWidth
  const ahead = plot.columns.slice(last + 1)
  // Dashes of many narrow frames would run into one another.
  const coming =
    pitch > frameWidthLeast ? ahead : ahead.slice(0, 1).map(({ x }) => ({ x, width: pitch * ahead.length }))
  const hasRoom = ahead.length * pitch > soFarWidth
  const under = hasRoom ? last : Math.max(0, Math.floor(columns.length - soFarWidth / pitch))
  const isPeakUnder = plot.highest >= under
  const soFarY = Math.min(expectedTop, ...plot.tops.slice(under).map(({ y }) => y)) - 5 - (isPeakUnder ? lineHeight : 0)
  const firstGap = columns.findIndex(({ isGap }) => isGap)
  // One word stands for all of them.
  const gap = plot.columns[firstGap]
  const pointed = at.value === undefined ? undefined : plot.columns[at.value]

  return (
    <div class={props.isTall ? 'chart tall' : 'chart'} ref={frame}>
      <svg
        class="plot"
        viewBox={`0 0 ${width.value} ${height}`}
        width={width.value}
        height={height}
        role="img"
        aria-labelledby={title}
      >
        <title id={title}>{props.finding}</title>
        {series.length > 3 ? (
          <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse">
            <path class="hatch" d="M-1 1L1-1M0 4L4 0M3 5L5 3" />
          </pattern>
        ) : null}
        {plot.rules.map(({ value, y }) => (
          <g key={value}>
            <path class="rule" d={`M${plotSize.left} ${y.toFixed(1)}H${width.value}`} />
            <text x={plotSize.left - 6} y={(y + 4).toFixed(1)} text-anchor="end">
              {props.axis(value)}
            </text>
          </g>
        ))}
        {pointed === undefined ? null : (
          <rect
            class="col"
            x={pointed.x.toFixed(1)}
            y={plotSize.top}
            width={pointed.width.toFixed(1)}
            height={bottom - plotSize.top}
          />
        )}
        {plot.series.map((bars, nth) =>
          bars.map((bar, index) => (
            <rect
              key={`${nth} ${columns[index]?.label ?? index}`}
              class={looks[nth]}
              fill={nth === 3 ? `url(#${hatch})` : undefined}
              x={bar.x.toFixed(1)}
              y={bar.y.toFixed(1)}
              width={bar.width.toFixed(1)}
              height={bar.height.toFixed(1)}
            />
          )),
        )}
        {plot.boundY === undefined ? null : (
          <>
            <path class="bound" d={`M${plotSize.left} ${plot.boundY.toFixed(1)}H${width.value}`} />
            <text x={plotSize.left + 4} y={(plot.boundY - 4).toFixed(1)}>
              {props.bound?.name}
            </text>
          </>
        )}
        {peak !== undefined && peak.value > 0 && peakBar !== undefined ? (
          <text
            class="now"
            x={Math.min(width.value - 14, peakBar.x + peakBar.width / 2).toFixed(1)}
            y={(peak.y - 5).toFixed(1)}
            text-anchor="middle"
          >
            {props.axis(peak.value)}
          </text>
        ) : null}
        {columns.map(({ label, isGap }, index) => {
          const place = plot.columns[index]
          return isGap && place !== undefined ? (
            <Gap key={label} of={place} pitch={pitch} base={plot.base} tall={gapHeight} />
          ) : null
        })}
        {coming.map((place) => (
          <Gap key={place.x} of={place} pitch={pitch} base={plot.base} tall={expectedTall} />
        ))}
        {gap === undefined ? null : (
          <text x={(gap.x + gap.width / 2).toFixed(1)} y={plot.base - gapHeight - 5} text-anchor="middle">
            {props.gapWord}
          </text>
        )}
        {lastValue > 0 && plot.highest !== last ? (
          <text
            class="now"
            x={hasRoom ? plot.columns[last]?.x : width.value}
            y={soFarY.toFixed(1)}
            text-anchor={hasRoom ? 'start' : 'end'}
          >
            {props.soFar(props.axis(lastValue))}
          </text>
        ) : null}
        {last === end ? null : (
          <text
            x={width.value}
            y={(ahead.length * pitch > labelWidth ? expectedTop - 5 - lineHeight : soFarY - lineHeight).toFixed(1)}
            text-anchor="end"
          >
            {props.expectedWord}
          </text>
        )}
        <path class="base" d={`M${plotSize.left} ${plot.base.toFixed(1)}H${width.value}`} />
        {columns.map(({ label }, index) =>
          index % every === 0 && Math.abs(last - index) >= every / 2 ? (
            <text key={label} x={(plot.columns[index]?.x ?? 0).toFixed(1)} y={bottom + 16}>
              {label}
            </text>
          ) : null,
        )}
        <text
          x={last === end ? width.value : plot.columns[last]?.x}
          y={bottom + 16}
          text-anchor={last === end ? 'end' : 'start'}
        >
          {props.lastLabel}
        </text>
      </svg>
      <input
        class="scrub"
        type="range"
        min={0}
        max={end}
        value={at.value ?? last}
        aria-label={props.walk}
        aria-valuetext={columns[at.value ?? last]?.told}
        onFocus={() => {
          at.value ??= last
        }}
        onInput={(event) => {
          at.value = Number(event.currentTarget.value)
        }}
        onMouseMove={(event) => {
          const share = event.offsetX / event.currentTarget.clientWidth
          at.value = Math.min(end, Math.max(0, Math.floor(share * columns.length)))
        }}
        onMouseLeave={setting(at, undefined)}
        onBlur={setting(at, undefined)}
      />
      <p class="told small muted">{at.value === undefined ? '\u00a0' : columns[at.value]?.told}</p>
    </div>
  )
}
