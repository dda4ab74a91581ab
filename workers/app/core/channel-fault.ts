import type { DownloaderFault } from './downloader-fault.ts'

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
  /** Something took the message that is not the service. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }

/** Why a call had no answer, as far as a channel tells. */
export function callFault({ kind }: DownloaderFault): ChannelFault {
  return { kind: kind === 'timeout' || kind === 'certificate' || kind === 'too_large' ? kind : 'unreachable' }
}

/** One that comes back with the message, whatever the hour. */
export function isRefusal(fault: ChannelFault): boolean {
  return fault.kind === 'rejected' || fault.kind === 'too_large'
}

/** What the status of an answer alone says. */
export function statusFault(status: number): ChannelFault | undefined {
  if (status >= 200 && status < 300) return undefined
  // A redirect that was not followed may come without its status.
  if (status === 0 || (status >= 300 && status < 400)) return { kind: 'redirected' }
  switch (status) {
    case 400:
    case 413:
    case 422:
      return { kind: 'rejected' }
    case 401:
    case 403:
      return { kind: 'credentials' }
    case 404:
    case 410:
      return { kind: 'not_found' }
    case 429:
      return { kind: 'rate_limited' }
    default:
      return { kind: 'status', status }
  }
}
