/** Why a downloader could not be read or changed. Closed, so that no text of the outside reaches a caller. */
export type DownloaderFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'banned' }
  | { readonly kind: 'host_refused' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'not_this_kind' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'interrupted' }
