const gibBytes = 1024 ** 3

export function gib(bytes: number): string {
  return `${(bytes / gibBytes).toFixed(2)} GiB`
}
