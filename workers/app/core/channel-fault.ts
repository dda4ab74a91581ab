/** Why a channel did not take a message. Closed, so that no text of the outside reaches a page or a log. */
export type ChannelFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'rate_limited' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'not_a_bot' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }

/** One that comes back with the message, whatever the hour. */
export function isRefusal(fault: ChannelFault): boolean {
  return fault.kind === 'rejected' || fault.kind === 'too_large'
}
