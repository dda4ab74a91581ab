import { grouped } from '../locales/numbers.ts'

/** One of a row of figures: what is counted, how many, and what to know about it. */
export function Figure({ title, value, note }: { title: string; value: number; note: string }) {
  return (
    <div class="fig">
      <dt>{title}</dt>
      <dd class="v">{grouped(value)}</dd>
      <dd class="d">{note}</dd>
    </div>
  )
}
