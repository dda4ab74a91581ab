/** How asking a model goes wrong, and how that is said. */
export type ModelFault =
  /** Switched off, or without a model, while it was needed. */
  | { readonly kind: 'disabled' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'no_gateway' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  /** `detail` is what the service said, redacted. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  /** No stream of chat completions, or one that is broken. */
  | { readonly kind: 'not_chat' }
  | { readonly kind: 'too_large' }
  /** It ended in its middle. */
  | { readonly kind: 'cut' }
  /** The service said so within its stream. */
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'filtered' }
  /** We stopped asking. */
  | { readonly kind: 'stopped' }
