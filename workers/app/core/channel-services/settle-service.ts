/** Joins what the owner filled in for a service with what is stored of it. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { parseAddressWithQuery, parseDownloaderAddress } from '../downloader-address.ts'
import type { Reason } from '../reason/reason.ts'
import { isSameOrigin } from '../service-address.ts'
import type { ChannelService, ServiceField, ServiceValues } from './service.ts'

/** What may be shown of a service's values: null stands for a secret that is stored. */
export type ShownFields = Readonly<Record<string, string | null>>

/**
 * Fails with what is wrong. What is left out stays, what is empty is taken away; a stored secret goes only to the place
 * that it was stored for.
 */
export function settleService(
  { fields }: ChannelService,
  given: ServiceValues,
  stored: ServiceValues | undefined,
): Result<ServiceValues, Reason> {
  const unknown = Object.keys(given).filter((name) => !fields.some((field) => field.name === name))
  if (unknown.length > 0) return failWith({ kind: 'field.unknown', fields: unknown.map((name) => `fields.${name}`) })
  const values: Record<string, string> = {}
  for (const field of fields) {
    const written = given[field.name]
    const read = written === undefined ? succeed(stored?.[field.name] ?? '') : readField(field, written.trim())
    if (!read.ok)
      return failWith({
        kind: 'field.wrong',
        field: wireName(field),
        part: 'field',
        ...(read.failure === undefined ? {} : { rule: read.failure }),
      })
    const value = read.value === '' ? (field.default ?? '') : read.value
    if (value === '' && field.optional !== true)
      return failWith({ kind: 'field.missing', field: wireName(field), part: 'field' })
    values[field.name] = value
  }
  if (stored !== undefined && !isSameOrigin(addressIn(fields, stored), addressIn(fields, values))) {
    const kept = fields.find(({ name, secret }) => secret === true && given[name] === undefined && values[name] !== '')
    if (kept !== undefined) return failWith({ kind: 'field.fill_in', field: wireName(kept) })
  }
  return succeed(values)
}

/** Of an address that is secret as a whole, where it leads; else the address. */
export function placeOfService({ fields }: ChannelService, values: ServiceValues): string {
  const address = addressIn(fields, values)
  return fields.some(({ shape, secret }) => shape === 'address' && secret === true) ? new URL(address).origin : address
}

export function shownFields({ fields }: ChannelService, values: ServiceValues): ShownFields {
  return Object.fromEntries(
    fields
      .filter(({ name }) => (values[name] ?? '') !== '')
      .map(({ name, secret }) => [name, secret === true ? null : (values[name] ?? '')]),
  )
}

function addressIn(fields: readonly ServiceField[], values: ServiceValues): string {
  return values[fields.find(({ shape }) => shape === 'address')?.name ?? ''] ?? ''
}

/** Fails with the rule, where there are words for it. */
function readField(field: ServiceField, text: string): Result<string, Reason | undefined> {
  if (text === '') return succeed('')
  if (text.length > field.charactersMax)
    return failWith({ kind: 'rule.at_most', limit: field.charactersMax, unit: 'characters' })
  switch (field.shape) {
    case 'address':
      return field.secret === true ? parseAddressWithQuery(text) : parseDownloaderAddress(text)
    case 'token':
      return /^[\x21-\x7e]+$/.test(text) ? succeed(text) : failWith(undefined)
    case 'text':
      return /^\P{Cc}+$/u.test(text) ? succeed(text) : failWith(undefined)
  }
}

function wireName({ name }: ServiceField): string {
  return `fields.${name}`
}
