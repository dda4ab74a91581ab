import type { SiteFault } from './site-fault.ts'

/** Why a push came to no outcome. */
export type PushFailure =
  | { readonly kind: 'busy' }
  /** It ended in its middle: what came of it stands in its record, now or within a minute. */
  | { readonly kind: 'interrupted' }
  /** The torrent file was not to be had. */
  | { readonly kind: 'download'; readonly fault: SiteFault }
