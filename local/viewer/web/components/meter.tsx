/** A bar for a part of a whole, and within it another part of the same whole. */
export function Meter({ part, within, of }: { part: number; within?: number; of: number }) {
  const width = (count: number): number => (of === 0 ? 0 : (100 * count) / of)
  return (
    <svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="tr" width="100" height="4" />
      <rect class="o" width={width(part)} height="4" />
      {within === undefined ? null : <rect class="f" width={width(within)} height="4" />}
    </svg>
  )
}
