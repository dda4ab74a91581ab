import { joinBytes } from '#shared/kernel/join-bytes.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { refuseAddress } from '../core/address-guard.ts'
import { base64FromBytes } from '../core/base64.ts'
import { type Cancellation, Canceller } from '../core/cancellation.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type ProviderImage, sniffImageFormat } from '../core/to-provider/image-reference.ts'
import { imageRedirectsMax, imageTimeoutMs } from '../limits.ts'
import type { ByteAllowance, Images, Outgoing, OutgoingAnswer, Timers } from '../ports.ts'

const redirectStatuses = [301, 302, 303, 307, 308]

/**
 * Downloads an image whose address a stranger chose. Every address is judged before it is asked, redirects included;
 * where the host can, `outgoing` also judges and pins what a name resolves to.
 */
export function imageDownload(outgoing: Outgoing, timers: Timers, allowedHosts: readonly string[]): Images {
  return {
    async download(url, allowance, signal) {
      const controller = new Canceller()
      const leave = () => controller.abort(signal.reason)
      signal.addEventListener('abort', leave, { once: true })
      const stop = timers.every(imageTimeoutMs, () => controller.abort(new Error('the image took too long')))
      try {
        return await follow(url, allowance, outgoing, allowedHosts, controller.signal)
      } catch (cause) {
        return failWith(failure('internal_error', 'an image could not be downloaded', { cause }))
      } finally {
        stop()
        signal.removeEventListener('abort', leave)
        controller.abort()
      }
    },
  }
}

async function follow(
  start: string,
  allowance: ByteAllowance,
  outgoing: Outgoing,
  allowedHosts: readonly string[],
  signal: Cancellation,
): Promise<Result<ProviderImage, Failure>> {
  let next = URL.parse(start)
  for (let redirects = 0; redirects <= imageRedirectsMax; redirects += 1) {
    if (next === null || refuseAddress(next) !== undefined || !isAllowed(next.hostname, allowedHosts)) {
      return failWith(failure('bad_request', 'the address of an image is not one the gateway fetches'))
    }
    const answer = await outgoing({ method: 'GET', url: next.href, headers: { accept: 'image/*' }, signal })
    const place = redirectStatuses.includes(answer.status) ? answer.header('location') : undefined
    if (place === undefined) return readImage(answer, allowance)
    next = URL.parse(place, next.href)
  }
  return failWith(failure('internal_error', 'an image could not be downloaded: too many redirects'))
}

/** Without names any host may be asked; a name stands for the hosts below it as well. */
function isAllowed(host: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => host === name || host.endsWith(`.${name}`))
}

async function readImage(answer: OutgoingAnswer, allowance: ByteAllowance): Promise<Result<ProviderImage, Failure>> {
  if (answer.status !== 200) {
    return failWith(failure('internal_error', `an image could not be downloaded: its server answered ${answer.status}`))
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.body) {
    if (!allowance.take(chunk.length))
      return failWith(failure('bad_request', 'the images are larger than the gateway takes'))
    chunks.push(chunk)
  }
  const bytes = joinBytes(chunks)
  const format = sniffImageFormat(bytes)
  if (format === undefined)
    return failWith(failure('bad_request', 'an image address does not lead to a png, jpeg, gif or webp file'))
  return succeed({ format, base64: base64FromBytes(bytes) })
}
