/** Where backups are sent: a bucket of the S3 kind, by address. */

/** What providers without regions take, and the first one of the interface itself. */
export const defaultRegion = 'us-east-1'

export interface BucketAddress {
  /** `https://host/bucket`, without a slash at its end. */
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
}

/** Names that are the same however they are written in an address. */
const plainPath = /^\/[A-Za-z0-9][A-Za-z0-9.-]{1,62}(?:\/[A-Za-z0-9._-]+)*\/?$/

/** `https://s3.example/bucket` or `https://s3.example/bucket/of/wharf`; undefined for anything else. */
export function readBucketAddress(text: string): BucketAddress | undefined {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  if (!plainPath.test(url.pathname)) return undefined
  const [bucket = '', ...rest] = url.pathname.split('/').filter((part) => part !== '')
  return { bucket: `${url.origin}/${bucket}`, prefix: rest.map((part) => `${part}/`).join('') }
}

export interface AwaySettings {
  /** As the owner wrote it; undefined where none is wanted. */
  readonly address: string | undefined
  readonly region: string
}
