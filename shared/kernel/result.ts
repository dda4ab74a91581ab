/** The outcome of something that may fail in an expected way. Bugs throw; expected failures are values. */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F }

export function succeed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function failWith<F>(failure: F): { readonly ok: false; readonly failure: F } {
  return { ok: false, failure }
}
