import { and, asc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toHex } from '../../core/bytes.ts'
import type { ChannelSettings } from '../../core/channel.ts'
import type { Principal } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import { readPairingCode, writePairingCode } from '../../core/tunnel/pairing-code.ts'
import { type ChatCommand, type ChatWay, chatCommands } from '../../core/vocabulary.ts'
import {
  chatCodeTriesMax,
  chatNameCharactersMax,
  chatsMax,
  lastUsedWriteSeconds,
  pairingCodeSeconds,
} from '../../limits.ts'
import type { ChatBot, Chats } from '../../ports/chats.ts'
import type { Identifiers } from '../../ports/runtime.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { openChannel } from '../channel-secrets.ts'
import { sha256 } from '../web-crypto.ts'
import { scopesOfDevice } from './devices.ts'
import { chatBots, pairedChats } from './schema/chats.ts'
import { channels } from './schema/messages.ts'

/** A bot, with what opens it. */
export interface HeardBot {
  /** `off` also while the channel is. */
  readonly way: ChatWay
  readonly commands: readonly ChatCommand[]
  readonly publicUrl: string
  readonly settings: Result<Extract<ChannelSettings, { kind: 'bot' }>, 'missing' | 'changed'>
}

/** What the object of a bot reads and writes beside what the console does. */
export interface ChatStore extends Chats {
  /** Undefined for what is no bot, not there, or never heard anything. */
  bot(channelId: number): Promise<HeardBot | undefined>
  heardChannels(): Promise<number[]>
  /** Who speaks; undefined for a chat that is not paired. */
  speaker(channelId: number, chat: string): Promise<Principal | undefined>
  /** Uses the code up. A chat that is paired already gets what the code gives. */
  pair(channelId: number, typed: string, chat: string, name: string): Promise<boolean>
  /** How listening goes; the fault undefined while it goes well. */
  noteState(channelId: number, fault: Reason | undefined, hasHeard: boolean): Promise<void>
}

const codeRandomBytes = 16

export function createChats(
  db: DrizzleD1Database,
  deps: {
    readonly clock: Clock
    readonly identifiers: Identifiers
    readonly secrets: SecretBox
    /** Has the object of a bot look at its settings. */
    readonly wake: (channelId: number) => Promise<void>
  },
): ChatStore {
  const now = () => unixSeconds(deps.clock)
  const ofChat = (channelId: number, chat: string) =>
    and(eq(pairedChats.channelId, channelId), eq(pairedChats.chat, chat))

  async function botRow(channelId: number) {
    const [row] = await db
      .select({ channel: channels, bot: chatBots })
      .from(channels)
      .leftJoin(chatBots, eq(chatBots.channelId, channels.id))
      .where(and(eq(channels.id, channelId), eq(channels.kind, 'bot')))
    return row
  }

  async function read(channelId: number): Promise<ChatBot | undefined> {
    const row = await botRow(channelId)
    if (row === undefined) return undefined
    const { bot } = row
    const chats = await db
      .select()
      .from(pairedChats)
      .where(eq(pairedChats.channelId, channelId))
      .orderBy(asc(pairedChats.pairedAtUnix), asc(pairedChats.id))
    const reason = readReason(bot?.fault ?? null)
    const isCodeOpen = bot !== null && bot.codeHash !== null && bot.codeUntilUnix > now()
    return {
      way: bot?.way ?? 'off',
      commands: bot === null ? chatCommands : commandsOf(bot.commands),
      chats: chats.map(({ id, name, permission, pairedAtUnix, heardAtUnix }) => ({
        id,
        name,
        permission,
        pairedAtUnix,
        ...(heardAtUnix === null ? {} : { heardAtUnix }),
      })),
      ...(bot?.heardAtUnix == null ? {} : { heardAtUnix: bot.heardAtUnix }),
      ...(reason === undefined ? {} : { reason }),
      ...(isCodeOpen ? { codeUntilUnix: bot.codeUntilUnix } : {}),
    }
  }

  return {
    read,

    async change(channelId, { way, commands, publicUrl }) {
      if ((await botRow(channelId)) === undefined) return undefined
      const columns = {
        way,
        commands: `,${commands.join(',')},`,
        origin: way === 'webhook' ? publicUrl : '',
        fault: null,
      }
      await db
        .insert(chatBots)
        .values({ channelId, ...columns })
        .onConflictDoUpdate({ target: chatBots.channelId, set: columns })
      await deps.wake(channelId)
      return read(channelId)
    },

    async makeCode(channelId, permission) {
      const bot = await read(channelId)
      if (bot === undefined) return failWith('not_found')
      if (bot.way === 'off') return failWith('off')
      if (bot.chats.length >= chatsMax) return failWith('too_many')
      const code = writePairingCode(crypto.getRandomValues(new Uint8Array(codeRandomBytes)))
      const codeUntilUnix = now() + pairingCodeSeconds
      await db
        .update(chatBots)
        .set({ codeHash: hashOf(code), codePermission: permission, codeUntilUnix, codeTries: 0 })
        .where(eq(chatBots.channelId, channelId))
      return succeed({ code, untilUnix: codeUntilUnix })
    },

    async remove(channelId, chatId) {
      const one = and(eq(pairedChats.channelId, channelId), eq(pairedChats.id, chatId))
      return (await db.delete(pairedChats).where(one).returning({ id: pairedChats.id })).length > 0
    },

    isAnyHeard: async () => (await heardChannels()).length > 0,
    heardChannels,

    async bot(channelId) {
      const row = await botRow(channelId)
      if (row?.bot == null) return undefined
      const opened = await openChannel(deps.secrets, channelId, row.channel.sealedSecrets)
      if (opened.ok && opened.value.kind !== 'bot') return undefined
      return {
        way: row.channel.enabled ? row.bot.way : 'off',
        commands: commandsOf(row.bot.commands),
        publicUrl: row.bot.origin,
        settings: opened as HeardBot['settings'],
      }
    },

    async speaker(channelId, chat) {
      const [row] = await db.select().from(pairedChats).where(ofChat(channelId, chat))
      if (row === undefined) return undefined
      if (row.heardAtUnix === null || now() - row.heardAtUnix >= lastUsedWriteSeconds)
        await db.update(pairedChats).set({ heardAtUnix: now() }).where(ofChat(channelId, chat))
      return { kind: 'chatops', id: `chat:${row.id}`, name: row.name, scopes: scopesOfDevice[row.permission] }
    },

    async pair(channelId, typed, chat, name) {
      const code = readPairingCode(typed)
      if (code === undefined) return false
      const isOpen = and(
        eq(chatBots.channelId, channelId),
        eq(chatBots.codeHash, hashOf(code)),
        gt(chatBots.codeUntilUnix, now()),
        lt(chatBots.codeTries, chatCodeTriesMax),
      )
      const isRoom = sql`(select count(*) from paired_chats where channel_id = ${channelId}) < ${chatsMax}`
      // A condition of the insert instead of a look before it, so that of two with the same code one is paired.
      const [, rows] = await db.batch([
        db
          .insert(pairedChats)
          .select(
            sql`select ${channelId}, ${chat}, ${deps.identifiers.next()}, ${[...name].slice(0, chatNameCharactersMax).join('')}, code_permission, ${now()}, null
                from chat_bots where ${isOpen} and ${isRoom}`,
          )
          .onConflictDoUpdate({
            target: [pairedChats.channelId, pairedChats.chat],
            set: {
              permission: sql`excluded.permission`,
              name: sql`excluded.name`,
              pairedAtUnix: sql`excluded.paired_at_unix`,
            },
          }),
        db.update(chatBots).set({ codeHash: null }).where(isOpen).returning({ channelId: chatBots.channelId }),
        db
          .update(chatBots)
          .set({ codeTries: sql`code_tries + 1` })
          .where(and(eq(chatBots.channelId, channelId), ne(sql`coalesce(code_hash, '')`, ''))),
      ])
      if (rows.length === 0) return false
      const [row] = await db.select({ id: pairedChats.id }).from(pairedChats).where(ofChat(channelId, chat))
      return row !== undefined
    },

    async noteState(channelId, fault, hasHeard) {
      await db
        .update(chatBots)
        .set({ fault: fault === undefined ? null : JSON.stringify(fault), ...(hasHeard ? { heardAtUnix: now() } : {}) })
        .where(eq(chatBots.channelId, channelId))
    },
  }

  async function heardChannels(): Promise<number[]> {
    const rows = await db
      .select({ id: channels.id })
      .from(channels)
      .innerJoin(chatBots, eq(chatBots.channelId, channels.id))
      .where(and(eq(channels.enabled, true), eq(channels.kind, 'bot'), ne(chatBots.way, 'off')))
      .orderBy(asc(channels.id))
    return rows.map(({ id }) => id)
  }
}

/** Of the code without its dashes: it is typed in many ways. */
function hashOf(code: string): string {
  return toHex(sha256(code.replaceAll('-', '')))
}

function commandsOf(text: string): ChatCommand[] {
  return chatCommands.filter((command) => text.includes(`,${command},`))
}
