import { words } from '../locales/words.ts'

const widths = [260, 210, 300, 180, 240, 200] as const

/** Grey bars in the shape of the rows to come; the style sheet holds them back for the first 200 ms. */
export function Skeleton({ rows = 6 }: { rows?: number | undefined }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="vh" role="status">
        {words.value.common.loading}
      </span>
      {widths.slice(0, rows).map((width) => (
        <div class="bone-row" key={width}>
          <svg class="bn" width={width} height="10" aria-hidden="true">
            <rect width={width} height="10" rx="2" />
          </svg>
          <svg class="bn" width="72" height="10" aria-hidden="true">
            <rect width="72" height="10" rx="2" />
          </svg>
        </div>
      ))}
    </div>
  )
}
