/** A site as the console stores it: asked without pauses, and signed in to by nobody. What signs in is part of `change`. */
export function consoleSite<Change extends object>(name: string, kind: string, address: string, change: Change) {
  return {
    name,
    display_name: '',
    kind,
    definition: '',
    address,
    overrides: { request_interval_ms: 0 },
    enabled: true,
    auto_sign_in: false,
    ...change,
  }
}
