import { type Result, succeed } from '#shared/kernel/result.ts'
import { parseDownloaderAddress } from './downloader-address.ts'
import type { Reason } from './reason/reason.ts'

/**
 * The address of a service on the internet as the owner typed it, as a downloader's, but that without a scheme the safe
 * one is meant. Empty stays empty: the usual place.
 */
export function parseServiceAddress(text: string): Result<string, Reason> {
  if (text === '') return succeed('')
  return parseDownloaderAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}

/** Whether a secret that was meant for one address may go to the other. */
export function isSameOrigin(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin
}
