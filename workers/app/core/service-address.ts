import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
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

const ownMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The same, for a place that a token is sent to: in the clear it goes nowhere, unless it stays on this machine. */
export function parseTokenAddress(text: string): Result<string, Reason> {
  const address = parseServiceAddress(text)
  if (!address.ok || address.value === '') return address
  const { protocol, hostname } = new URL(address.value)
  return protocol === 'https:' || ownMachine.has(hostname) ? address : failWith({ kind: 'address.https' })
}

/** Whether a secret that was meant for one address may go to the other. */
export function isSameOrigin(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin
}
