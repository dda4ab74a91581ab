/** Why a service on the internet could not be read. Closed, so that no text of it reaches a caller. */
export type ServiceFault =
  | { readonly kind: 'not_set_up' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'redirected' }
  /** It answered, and not with what was asked for. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'proxy_unreachable' }
  | { readonly kind: 'proxy_refused' }
  | { readonly kind: 'proxy_unsupported' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'interrupted' }

export type Service = 'metadata' | 'images' | 'releases' | 'list' | 'reseed'
