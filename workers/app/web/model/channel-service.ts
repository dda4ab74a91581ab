/** What is typed into the form of a service, and what of it is sent. */
import type { WireChannel, WireChannelService } from '../../contract/console-channels.ts'

type ServiceField = WireChannelService['fields'][number]
/** By name; null takes a stored secret away. */
export type TypedFields = Readonly<Record<string, string | null>>
type StoredFields = WireChannel['fields']

export function typedFields(service: WireChannelService | undefined, stored: StoredFields): TypedFields {
  return Object.fromEntries(
    (service?.fields ?? []).map((field) => [field.name, stored?.[field.name] ?? field.default ?? '']),
  )
}

export function isMissing(field: ServiceField, typed: TypedFields, stored: StoredFields): boolean {
  return field.optional !== true && typed[field.name] === '' && stored?.[field.name] !== null
}

export function isNoAddress({ name, shape }: ServiceField, typed: TypedFields): boolean {
  return shape === 'address' && (typed[name] ?? '') !== '' && !/^https?:\/\/[^/\s]/i.test(typed[name] ?? '')
}

/** An empty box of a secret means that the stored one stays. */
export function sentFields(service: WireChannelService, typed: TypedFields): Record<string, string> {
  return Object.fromEntries(
    service.fields
      .filter(({ name, secret }) => secret !== true || typed[name] !== '')
      .map(({ name }) => [name, (typed[name] ?? '').trim()]),
  )
}
