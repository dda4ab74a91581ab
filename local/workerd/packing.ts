/** Which of the pages' files go out packed, and to whom. The edge packs by itself; on one's own machine nobody else does. */

const packableTypes = /^(?:text\/|application\/(?:javascript|json|manifest\+json)\b|image\/svg\+xml\b)/i

/** A file this small fits one packet anyway. */
export const packedFromBytes = 1024

export function isPackable(contentType: string | null): boolean {
  return contentType !== null && packableTypes.test(contentType)
}

/** By `Accept-Encoding`: gzip is named, or everything is, and not refused by a weight of zero. */
export function takesGzip(acceptEncoding: string | null): boolean {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map((one) => {
      const [name = '', ...parameters] = one
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return [name, Number(weight)] as const
    }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** What an answer says of itself once it is packed: other bytes, so its tag holds for the content alone. */
export function packedHeaders(headers: Headers): Headers {
  const packed = new Headers(headers)
  const etag = packed.get('etag')
  if (etag !== null && !etag.startsWith('W/')) packed.set('etag', `W/${etag}`)
  packed.set('content-encoding', 'gzip')
  packed.delete('content-length')
  return packed
}
