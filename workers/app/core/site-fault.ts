/** Why a site could not be read. Closed, so that no text of a page reaches a caller. */
export type SiteFault =
  | { readonly kind: 'login_expired' }
  | { readonly kind: 'challenge' }
  /** The site lets nobody in from where it is asked: another address is needed, and no other cookie or key. */
  | { readonly kind: 'address_banned' }
  /** Its staff closed the account, its owner parked it, or the site does not tell which. */
  | { readonly kind: 'account_closed'; readonly state: 'disabled' | 'parked' | 'either' }
  | { readonly kind: 'maintenance' }
  /** The site did not take the name, the password or the key that it was signed in with. */
  | { readonly kind: 'sign_in_refused' }
  /** A picture or a question stands before the account: its owner signs in, and gives the cookie. */
  | { readonly kind: 'person_needed' }
  /** The owner's definition is gone, or is none by today's rules. */
  | { readonly kind: 'no_definition' }
  | { readonly kind: 'rate_limited' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'proxy_unreachable' }
  | { readonly kind: 'proxy_refused' }
  | { readonly kind: 'proxy_unsupported' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'broken'; readonly part: SitePart }
  /** What a push was given is no torrent file, and no search tells how to get it. */
  | { readonly kind: 'search_first' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'no_credentials' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'unsupported' }
  /** Nothing on the site tells a program where the owner's feed is. */
  | { readonly kind: 'no_feed' }
  /** What was asked for stands on pages, and the site was given a key alone. */
  | { readonly kind: 'cookie_needed' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'interrupted' }

/** Which part of a site's answer was not there. */
export type SitePart = 'page' | 'json' | 'xml' | 'list' | 'account' | 'sign_in' | 'torrent'

/** What came is no torrent: many sites give the file only by a key that stands in their lists. */
export function isForeignFile(fault: SiteFault): boolean {
  return fault.kind === 'broken' && fault.part === 'torrent'
}
