import { entryOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ImageBlock, ImageFormat } from '../wire/converse-request.ts'

/** An image as the provider takes it: base64 text, no address. */
export interface ProviderImage {
  readonly format: ImageFormat
  readonly base64: string
}

/** Addresses that were downloaded for this request. */
export type DownloadedImages = ReadonlyMap<string, ProviderImage>

const formats: Readonly<Record<string, ImageFormat>> = {
  png: 'png',
  jpeg: 'jpeg',
  jpg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
}

/** Whether the reference names something to download; anything else but a data URL is refused. */
export function isDownload(url: string): boolean {
  return /^https?:\/\//i.test(url)
}

export function imageBlock(url: string, downloaded: DownloadedImages): Result<ImageBlock, Failure> {
  const image = isDownload(url) ? downloaded.get(url) : undefined
  if (image !== undefined) return succeed(blockOf(image))
  const read = readDataUrl(url)
  return read.ok ? succeed(blockOf(read.value)) : read
}

function blockOf(image: ProviderImage): ImageBlock {
  return { image: { format: image.format, source: { bytes: image.base64 } } }
}

function readDataUrl(url: string): Result<ProviderImage, Failure> {
  const comma = url.indexOf(',')
  const head = comma < 0 ? '' : url.slice(0, comma)
  const match = /^data:image\/([a-z0-9.+-]+)(?:;[a-z0-9=-]+)*;base64$/i.exec(head)
  const format = entryOf(formats, match?.[1]?.toLowerCase() ?? '')
  if (format === undefined) {
    return failWith(failure('bad_request', 'an image must be a png, jpeg, gif or webp data URL or an http(s) address'))
  }
  const base64 = url.slice(comma + 1)
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return failWith(failure('bad_request', 'an image data URL does not hold base64'))
  }
  return succeed({ format, base64 })
}

/** The format by the first bytes, whatever a server says about its file. */
export function sniffImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (signature: readonly number[], offset = 0) =>
    signature.every((byte, index) => bytes[offset + index] === byte)
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg'
  if (starts([0x47, 0x49, 0x46, 0x38])) return 'gif'
  if (starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8)) return 'webp'
  return undefined
}
