/** What a service that takes messages is to us: data, and two functions without side effects. */
import type { ChannelFault } from '../channel-fault.ts'
import type { OwnerLanguage } from '../vocabulary.ts'

type InBoth = Readonly<Record<OwnerLanguage, string>>

/**
 * An address is scheme, host and path, with a query where the whole of it is secret. A token has no blanks, a text is one
 * line.
 */
export const fieldShapes = ['address', 'token', 'text'] as const

/** One thing that the owner fills in. */
export interface ServiceField {
  /** On the wire and in files. */
  readonly name: string
  readonly label: InBoth
  readonly hint?: InBoth
  readonly shape: (typeof fieldShapes)[number]
  /** Never shown again, and sent to the place only that it was stored for. */
  readonly secret?: true
  readonly optional?: true
  /** Stands for what is left empty. */
  readonly default?: string
  readonly charactersMax: number
}

/** Of a group's robot: its address is its secret. */
export const robotAddress = {
  name: 'address',
  label: { en: 'Webhook address', zh: 'Webhook 地址' },
  hint: { en: 'As the page of the robot shows it', zh: '机器人设置页上的地址' },
  shape: 'address',
  secret: true,
  charactersMax: 512,
} as const satisfies ServiceField

/** Of a service that anybody may run: the usual one, where nothing else is said. */
export function serverAt(usual: string) {
  return {
    name: 'server',
    label: { en: 'Server', zh: '服务器' },
    shape: 'address',
    optional: true,
    default: usual,
    charactersMax: 512,
  } as const satisfies ServiceField
}

/** By name of the field; an optional one that is not set is empty. */
export type ServiceValues = Readonly<Record<string, string>>

export interface ServiceMessage {
  readonly title: string
  readonly text: string
}

/** A POST of JSON. */
interface ServiceCall {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json: Readonly<Record<string, unknown>>
}

/** Of one attempt. */
interface ServiceTools {
  readonly nowUnix: number
  /** HMAC with SHA-256, in Base64: some want their messages signed. */
  readonly hmac: (key: string, text: string) => Promise<string>
}

interface ServiceAnswer {
  readonly status: number
  readonly text: string
}

export interface ChannelService {
  readonly type: string
  readonly name: InBoth
  /** One of them is the address that messages go to. */
  readonly fields: readonly ServiceField[]
  /** The message as the service wants it, cut to what it takes. */
  readonly call: (
    values: ServiceValues,
    message: ServiceMessage,
    tools: ServiceTools,
  ) => ServiceCall | Promise<ServiceCall>
  /** Undefined once the service itself said that it took the message: what answers 200 may be another page. */
  readonly faultIn: (answer: ServiceAnswer) => ChannelFault | undefined
}
