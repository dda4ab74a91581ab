import type { Picture } from '../ports/catalogue.ts'

/** An image, or that it has not changed. It is shown as an image and as nothing else, whatever its bytes hold. */
export function replyPicture(picture: Picture, seconds: number, requestHeaders: Headers) {
  const headers = {
    etag: picture.etag,
    'cache-control': `private, max-age=${seconds}`,
    'content-security-policy': 'sandbox',
  }
  return isUnchanged(requestHeaders.get('if-none-match'), picture.etag)
    ? ({ status: 304, body: null, headers } as const)
    : { body: picture.bytes, headers: { ...headers, 'content-type': picture.type } }
}

function isUnchanged(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
