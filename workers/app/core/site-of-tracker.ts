/** Which of the owner's sites a tracker belongs to, by their hosts. Pure. */

/** What stands before the name itself: `www.example.org` is reached at `example.org` too. */
const prefix = /^www\./

/**
 * The site whose host the tracker's is, or lies below, or shares all but the first name with: `tracker.example.org` with
 * `example.org` and with `pt.example.org`. Undefined where none is.
 */
export function siteOfTracker<Site extends { readonly address: string }>(
  sites: readonly Site[],
  tracker: string,
): Site | undefined {
  const host = tracker.replace(/:\d+$/, '').toLowerCase()
  const hosts = sites.flatMap((site) =>
    URL.canParse(site.address) ? [{ site, own: new URL(site.address).hostname.replace(prefix, '') }] : [],
  )
  return (
    hosts.find(({ own }) => host === own || host.endsWith(`.${own}`)) ??
    hosts.find(({ own }) => {
      const shared = own.slice(own.indexOf('.') + 1)
      // Two names are the least: `com` is shared by everybody.
      return shared.includes('.') && host.endsWith(`.${shared}`)
    })
  )?.site
}
