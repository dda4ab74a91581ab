/**
 * A place for backups in a bucket that speaks Amazon's S3 interface (API version 2006-03-01): objects by address below
 * `https://HOST/BUCKET/PREFIX`, each request signed (Signature Version 4) with the digest of its body, which the other side
 * holds against what it got.
 */
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { BucketAddress } from './bucket-address.ts'
import {
  bucketAnswerMs,
  bucketListPagesMax,
  bucketPartBytes,
  bucketPartsMax,
  bucketTries,
  bucketWaitMs,
} from './limits.ts'

interface BucketCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Answers the headers to send, the signature's own among them. */
interface Signer {
  sign(
    request: {
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: Uint8Array
    },
    credentials: BucketCredentials,
    region: string,
    service: 's3',
  ): Promise<Record<string, string>>
}

export interface BucketOptions {
  readonly address: BucketAddress
  /** As the provider calls it; many take any. */
  readonly region: string
  readonly credentials: BucketCredentials
  readonly signer: Signer
  /** Of one part of a larger object. */
  readonly partBytes?: number
  /** Before the second try. */
  readonly waitMs?: number
}

export interface BucketObject {
  /** Without the prefix. */
  readonly name: string
  readonly bytes: number
}

/** What the other side says that it is. */
export class BucketFault extends Error {}

export class Bucket {
  readonly #options: BucketOptions

  constructor(options: BucketOptions) {
    this.#options = options
  }

  /** Directly below the prefix. */
  async list(): Promise<BucketObject[]> {
    const { prefix } = this.#options.address
    const found: BucketObject[] = []
    let token: string | undefined
    for (let page = 0; page < bucketListPagesMax; page += 1) {
      const query = { 'list-type': '2', prefix, ...(token === undefined ? {} : { 'continuation-token': token }) }
      const text = await (await this.#send('GET', '', { query })).text()
      for (const [, content = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const name = (textOf(content, 'Key') ?? '').slice(prefix.length)
        if (name !== '' && !name.includes('/')) found.push({ name, bytes: Number(textOf(content, 'Size')) })
      }
      token = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : undefined
      if (token === undefined) return found
    }
    throw new BucketFault(`it holds more than ${bucketListPagesMax} pages of objects below ${prefix}`)
  }

  /** Complete or absent: a larger file is sent in parts, which become an object at the end. */
  async put(name: string, file: string): Promise<void> {
    const partBytes = this.#options.partBytes ?? bucketPartBytes
    const bytes = statSync(file).size
    const parts = Math.ceil(bytes / partBytes)
    if (parts > bucketPartsMax) throw new BucketFault(`${name} is too large: it would be ${parts} parts`)
    const source = await open(file, 'r')
    const part = async (number: number): Promise<Uint8Array<ArrayBuffer>> => {
      const from = (number - 1) * partBytes
      const piece = new Uint8Array(Math.min(partBytes, bytes - from))
      const { bytesRead } = await source.read(piece, 0, piece.length, from)
      if (bytesRead < piece.length) throw new Error(`${file} changed while it was sent`)
      return piece
    }
    try {
      if (parts <= 1) await this.#done(this.#send('PUT', name, { body: await part(1) }))
      else await this.#putParts(name, parts, part)
    } finally {
      await source.close()
    }
  }

  async #putParts(name: string, parts: number, part: (number: number) => Promise<Uint8Array<ArrayBuffer>>) {
    const begun = await (await this.#send('POST', name, { query: { uploads: '' } })).text()
    const uploadId = textOf(begun, 'UploadId')
    if (uploadId === undefined) throw new BucketFault('it named no upload')
    try {
      let list = ''
      for (let number = 1; number <= parts; number += 1) {
        const query = { partNumber: String(number), uploadId }
        const answer = await this.#send('PUT', name, { query, body: await part(number) })
        await answer.body?.cancel()
        const tag = (answer.headers.get('etag') ?? '').replaceAll('"', '')
        list += `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${tag}&quot;</ETag></Part>`
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
      const said = await (await this.#send('POST', name, { query: { uploadId }, body })).text()
      // Begun with 200 before it is known how it ends.
      if (said.includes('<Error>')) throw new BucketFault(wordsOf(said))
    } catch (error) {
      // Otherwise what was sent is kept, and paid for.
      await this.#done(this.#send('DELETE', name, { query: { uploadId } })).catch(() => undefined)
      throw error
    }
  }

  /** Into a file that is there already, or is made. */
  async get(name: string, file: string): Promise<void> {
    const answer = await this.#send('GET', name, {})
    const into = await open(file, 'w', 0o600)
    try {
      let bytes = 0
      for await (const piece of answer.body ?? []) {
        await into.write(piece)
        bytes += piece.length
      }
      const length = answer.headers.get('content-length')
      if (length !== null && Number(length) !== bytes) throw new BucketFault(`${name} came only in part`)
    } finally {
      await into.close()
    }
  }

  async delete(name: string): Promise<void> {
    await this.#done(this.#send('DELETE', name, {}))
  }

  async #done(answering: Promise<Response>): Promise<void> {
    await (await answering).body?.cancel()
  }

  /** Answers what went well; what may go well later is tried again. */
  async #send(method: string, name: string, { query = {}, body = new Uint8Array() }: Sent): Promise<Response> {
    const { address, region, credentials, signer, waitMs = bucketWaitMs } = this.#options
    const url = new URL(name === '' ? address.bucket : `${address.bucket}/${address.prefix}${name}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    // As the signature writes a space, which a form writes otherwise.
    url.search = url.search.replaceAll('+', '%20')
    for (let tried = 1; ; tried += 1) {
      const last = tried >= bucketTries
      try {
        const signable = { method, url: url.href, headers: {}, body }
        const headers = await signer.sign(signable, credentials, region, 's3')
        const answer = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(bucketAnswerMs),
          ...(body.length === 0 && method !== 'PUT' ? {} : { body }),
        })
        if (answer.ok) return answer
        const words = wordsOf(await answer.text())
        const why = `${url.host} answered ${answer.status}${words === '' ? '' : `: ${words}`}`
        if (last || (answer.status < 500 && answer.status !== 429)) throw new BucketFault(why)
      } catch (error) {
        if (error instanceof BucketFault) throw error
        if (last) throw new BucketFault(`${url.host} cannot be reached (${causeOf(error)})`)
      }
      await wait(waitMs * 2 ** (tried - 1))
    }
  }
}

interface Sent {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

function textOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(?:amp|lt|gt|quot|apos|#x([0-9a-f]+)|#(\d+));/gi, (written, hex, decimal) =>
    hex !== undefined || decimal !== undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (named[written.toLowerCase()] ?? written),
  )
}

const named: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** Of an error's document. */
function wordsOf(xml: string): string {
  const words = [textOf(xml, 'Code'), textOf(xml, 'Message')].filter((text) => text !== undefined).join(', ')
  return words.replace(/\p{Cc}/gu, ' ').slice(0, 300)
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
}
