/** Makes the compiler prove that a union was handled whole; reached at run time only by a bug. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
