import { toHex } from '../core/bytes.ts'
import { imageType } from '../core/image-type.ts'
import type { Picture } from '../ports/catalogue.ts'

/** What the sender says about the type is not believed. Undefined for what is no image. */
export async function pictureOf(bytes: Uint8Array<ArrayBuffer>): Promise<Picture | undefined> {
  const type = imageType(bytes)
  if (type === undefined) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return { bytes, type, etag: `"${toHex(digest).slice(0, 32)}"` }
}
