/** Numbers in words. */

/** `1,234`, the same in both languages. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 file`, `2,041 files`. */
export function counted(value: number, one: string, many: string): string {
  return `${grouped(value)} ${value === 1 ? one : many}`
}
