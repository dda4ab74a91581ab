import type { Result } from '#shared/kernel/result.ts'
import type { Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { ChatCommand, ChatWay, DevicePermission } from '../core/vocabulary.ts'

/** A chat that the owner paired: it speaks for the owner. */
interface PairedChat {
  readonly id: string
  readonly name: string
  readonly permission: DevicePermission
  readonly pairedAtUnix: number
  readonly heardAtUnix?: number
}

/** What a bot hears, and who may speak. */
export interface ChatBot {
  readonly way: ChatWay
  readonly commands: readonly ChatCommand[]
  readonly chats: readonly PairedChat[]
  readonly heardAtUnix?: number
  /** Why it hears nothing at the moment. */
  readonly reason?: Reason
  /** While a code waits. */
  readonly codeUntilUnix?: number
}

interface ChatBotChange {
  readonly way: ChatWay
  readonly commands: readonly ChatCommand[]
  /** Where the platform finds this service, with the path it is based at; empty where it has no address by https. */
  readonly publicUrl: string
}

export interface Chats {
  /** Undefined for what is no bot, or not there. */
  read(channelId: number): Promise<ChatBot | undefined>
  change(channelId: number, change: ChatBotChange): Promise<ChatBot | undefined>
  /** Shown once; the one before it is void. */
  makeCode(
    channelId: number,
    permission: DevicePermission,
  ): Promise<Result<{ readonly code: string; readonly untilUnix: number }, 'not_found' | 'off' | 'too_many'>>
  remove(channelId: number, chatId: string): Promise<boolean>
  isAnyHeard(): Promise<boolean>
}

/** What became of an update that the platform sent: it sends again what is not taken. */
export type HookOutcome = 'taken' | 'refused' | 'later'

export interface ChatHook {
  hear(channelId: number, secret: string, update: unknown): Promise<HookOutcome>
}

/** The interface as a paired chat has it: its own endpoints, in the chat's name. */
export interface ChatApp {
  ask<T>(caller: Principal, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Result<T, Reason>>
}
