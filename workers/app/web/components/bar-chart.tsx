/**
 * Amounts over time as bars. A slider lies unseen over them: by keys, finger or mouse it walks from bar to bar, and a line
 * below tells each. Beside the picture stands the same as a table, for those who would rather read it.
 */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { setting } from '#shared/pages/set.ts'
import { layOut, plotSize } from '../model/chart.ts'

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
}

const labelWidth = 120
const gapHeight = 42

export function BarChart(props: {
  /** States the finding. */
  finding: string
  series: readonly ChartSeries[]
  /** The second series hangs below the line. */
  isBelow?: boolean
  columns: readonly ChartColumn[]
  axis: (value: number) => string
  lastLabel: string
  /** What is written over the last bar, which is still growing. */
  soFar: (value: string) => string
  gapWord: string
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
  const plot = layOut(
    series.map((one) => one.values),
    width.value,
    props.isBelow,
  )
  const every = Math.max(1, Math.ceil((columns.length * labelWidth) / width.value))
  const [first] = series
  const peak = first?.values[plot.highest] ?? 0
  const peakBar = plot.series[0]?.[plot.highest]
  const last = columns.length - 1
  const lastBar = plot.series[0]?.[last]
  const lastValue = first?.values[last] ?? 0
  const firstGap = columns.findIndex(({ isGap }) => isGap)
  // One word stands for all of them.
  const gap = plot.columns[firstGap]
  const pointed = at.value === undefined ? undefined : plot.columns[at.value]

  return (
    <div class="chart" ref={frame}>
      <svg
        class="plot"
        viewBox={`0 0 ${width.value} ${plotSize.height}`}
        width={width.value}
        height={plotSize.height}
        role="img"
        aria-labelledby={title}
      >
        <title id={title}>{props.finding}</title>
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
            height={plotSize.bottom - plotSize.top}
          />
        )}
        {plot.series.map((bars, nth) =>
          bars.map((bar, index) => (
            <rect
              key={`${nth} ${columns[index]?.label ?? index}`}
              class={nth === 0 ? 'a' : 'b'}
              x={bar.x.toFixed(1)}
              y={bar.y.toFixed(1)}
              width={bar.width.toFixed(1)}
              height={bar.height.toFixed(1)}
            />
          )),
        )}
        {peak > 0 && peakBar !== undefined ? (
          <text
            class="now"
            x={Math.min(width.value - 14, peakBar.x + peakBar.width / 2).toFixed(1)}
            y={(peakBar.y - 5).toFixed(1)}
            text-anchor="middle"
          >
            {props.axis(peak)}
          </text>
        ) : null}
        {columns.map(({ label, isGap }, index) => {
          const place = plot.columns[index]
          return isGap && place !== undefined ? (
            <rect
              key={label}
              class="gap"
              x={(place.x + place.width * 0.12).toFixed(1)}
              y={plot.base - gapHeight}
              width={(place.width * 0.76).toFixed(1)}
              height={gapHeight}
            />
          ) : null
        })}
        {gap === undefined ? null : (
          <text x={(gap.x + gap.width / 2).toFixed(1)} y={plot.base - gapHeight - 5} text-anchor="middle">
            {props.gapWord}
          </text>
        )}
        {lastBar !== undefined && lastValue > 0 && plot.highest !== last ? (
          <text class="now" x={width.value} y={(lastBar.y - 5).toFixed(1)} text-anchor="end">
            {props.soFar(props.axis(lastValue))}
          </text>
        ) : null}
        <path class="base" d={`M${plotSize.left} ${plot.base.toFixed(1)}H${width.value}`} />
        {columns.map(({ label }, index) =>
          index % every === 0 && last - index >= every / 2 ? (
            <text key={label} x={(plot.columns[index]?.x ?? 0).toFixed(1)} y={plotSize.bottom + 16}>
              {label}
            </text>
          ) : null,
        )}
        <text x={width.value} y={plotSize.bottom + 16} text-anchor="end">
          {props.lastLabel}
        </text>
      </svg>
      <input
        class="scrub"
        type="range"
        min={0}
        max={last}
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
          at.value = Math.min(last, Math.max(0, Math.floor(share * columns.length)))
        }}
        onMouseLeave={setting(at, undefined)}
        onBlur={setting(at, undefined)}
      />
      <p class="told small muted">{at.value === undefined ? '\u00a0' : columns[at.value]?.told}</p>
    </div>
  )
}
