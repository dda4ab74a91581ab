import type { DownloaderSkill } from './vocabulary.ts'

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
  /** Its program cannot do that, whatever is sent. */
  | { readonly kind: 'unsupported'; readonly skill: DownloaderSkill }
  /** Deluge keeps labels in a plugin, and takes few letters in them. */
  | { readonly kind: 'labels_off' }
  | { readonly kind: 'label_letters' }
  /** The page of Deluge runs, and no daemon of it is connected. */
  | { readonly kind: 'no_daemon' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'interrupted' }
