import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import {
  imageBytesMax,
  imageCallMs,
  imageSeconds,
  imageSlots,
  imageWaitingMax,
  imageWaitMs,
  keptImageBytesMax,
  keptImagesMax,
} from '../../limits.ts'
import type { Picture } from '../../ports/catalogue.ts'
import { pictureOf } from '../picture.ts'
import { callService, type ServiceRuntime } from './call-service.ts'
import { KeptAnswers } from './kept-answers.ts'
import { OnceForAll } from './once-for-all.ts'
import { Slots } from './slots.ts'

const facts = z.object({ type: z.string(), etag: z.string() })

/** The provider's images: few at once for the whole service, and kept for a day. They ask for no key. */
export class ProviderImages {
  readonly #runtime: ServiceRuntime
  readonly #kept: KeptAnswers
  readonly #slots: Slots
  readonly #asked = new OnceForAll<Result<Picture, ServiceFault> | undefined>()

  constructor(sql: SqlStorage, runtime: ServiceRuntime) {
    this.#runtime = runtime
    this.#kept = new KeptAnswers(sql, 'images', { secondsMax: imageSeconds, rowsMax: keptImagesMax })
    this.#slots = new Slots(runtime, { atOnce: imageSlots, waitingMax: imageWaitingMax, waitMs: imageWaitMs })
  }

  async read(address: string, proxy: string | undefined): Promise<Result<Picture, ServiceFault>> {
    const present = this.#present(address)
    if (present !== undefined) return succeed(present)
    const image = await this.#asked.ask(address, () => this.#slots.use(() => this.#fetch(address, proxy)))
    return image ?? failWith({ kind: 'busy' })
  }

  async #fetch(address: string, proxy: string | undefined): Promise<Result<Picture, ServiceFault>> {
    const answer = await callService(this.#runtime, {
      address,
      headers: { accept: 'image/*' },
      proxy,
      bytesMax: imageBytesMax,
      limitMs: imageCallMs,
    })
    if (!answer.ok) return answer
    const picture = await pictureOf(answer.value)
    if (picture === undefined) return failWith({ kind: 'broken' })
    const { type, etag } = picture
    if (answer.value.byteLength <= keptImageBytesMax)
      this.#kept.keep(address, this.#nowUnix(), JSON.stringify({ type, etag }), answer.value)
    return succeed(picture)
  }

  #present(address: string): Picture | undefined {
    const row = this.#kept.readYoung(address, this.#nowUnix(), imageSeconds)
    if (row === undefined || row.bytes === null) return undefined
    return { bytes: new Uint8Array(row.bytes), ...facts.parse(JSON.parse(row.facts)) }
  }

  #nowUnix(): number {
    return Math.floor(this.#runtime.nowMs() / 1000)
  }
}
