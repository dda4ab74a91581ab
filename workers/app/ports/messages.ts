import type { Result } from '#shared/kernel/result.ts'
import type { ChannelType, GivenChannel } from '../core/channel.ts'
import type { ShownFields } from '../core/channel-services/settle-service.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { TemplateValues } from '../core/template-event.ts'
import type { TemplateFault } from '../core/template-fault.ts'
import type { EventType, OwnerLanguage, TemplateType } from '../core/vocabulary.ts'

/** Of a title and a text, an empty one stands for the built-in one. */
export interface TemplateTexts {
  readonly title: string
  readonly text: string
}

export interface StoredTemplate extends TemplateTexts {
  readonly updatedAtUnix: number
}

/** What the service says, in the owner's words or its own. */
export interface MessageTemplates {
  /** With the event's sample data; nothing is stored. */
  preview(type: TemplateType, texts: TemplateTexts, language: OwnerLanguage): Result<TemplateTexts, TemplateFault>
  /** The owner's own texts. */
  stored(): Promise<ReadonlyMap<TemplateType, StoredTemplate>>
  /** Two empty texts restore the built-in ones; then there is nothing to give back. */
  save(type: TemplateType, texts: TemplateTexts): Promise<StoredTemplate | undefined>
  /** What is sent. A text of the owner's that fails with these values gives way to the built-in one; `fault` says why. */
  render(
    type: TemplateType,
    values: TemplateValues,
    language: OwnerLanguage,
  ): Promise<{ readonly rendered: TemplateTexts; readonly fault?: TemplateFault }>
}

interface OwnerMessage {
  readonly title: string
  readonly text: string
  /** Empty where there is none. */
  readonly link: string
}

/** What scripts tell the owner. */
export interface OwnerMessages {
  /** Answers how many channels are told, or when there is room for another one. */
  tell(message: OwnerMessage): Promise<Result<number, { readonly retryAfterSeconds: number }>>
}

/** A channel as the owner sees it. Never its token, its header's value, or what of its address may be a key. */
export interface ChannelRecord {
  readonly id: number
  readonly name: string
  readonly kind: ChannelType
  /** Scheme and host of a webhook, the base address of a bot or of a service. */
  readonly place: string
  readonly chatId: string
  readonly headerName: string
  readonly signed: boolean
  /** Of a service. */
  readonly fields: ShownFields
  readonly enabled: boolean
  readonly events: readonly EventType[]
  /** Messages it has not taken yet. */
  readonly waiting: number
  /** Messages given up since its settings were saved. */
  readonly lost: number
  /** Of the last attempt. */
  readonly lastAtUnix?: number
  readonly lastOk?: boolean
  /** Why the last run failed. */
  readonly lastReason?: Reason
}

export interface ChannelChange extends GivenChannel {
  readonly name: string
  readonly enabled: boolean
  readonly events: readonly EventType[]
}

export type ChannelRefusal =
  | { readonly kind: 'not_found' | 'name_taken' | 'too_many' | 'secrets' }
  /** It names the field. */
  | { readonly kind: 'settings'; readonly reason: Reason }

/** Where notices go. What is stored is tried with its new settings at once. */
export interface Channels {
  /** All of them, by id. */
  list(): Promise<ChannelRecord[]>
  add(change: ChannelChange): Promise<Result<ChannelRecord, ChannelRefusal>>
  update(id: number, change: ChannelChange): Promise<Result<ChannelRecord, ChannelRefusal>>
  /** With what waits for it. */
  remove(id: number): Promise<boolean>
  /** Sends a message with settings that need not be stored, and with the stored ones of `id` where none are given. */
  test(change: GivenChannel, id: number | undefined): Promise<Result<{ readonly reason?: Reason }, ChannelRefusal>>
  /** What a browser subscribes with; undefined while nothing can be sealed. */
  pushKey(): Promise<string | undefined>
}
