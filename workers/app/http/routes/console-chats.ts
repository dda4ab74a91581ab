import { failWith, succeed } from '#shared/kernel/result.ts'
import { changeChatBot, makeChatCode, readChatBot, removeChat, type WireChatBot } from '../../contract/console-chats.ts'
import { basePathAt } from '../../core/base-path.ts'
import { failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { chatCommands } from '../../core/vocabulary.ts'
import { chatsMax } from '../../limits.ts'
import type { ChatBot } from '../../ports/chats.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noBot = failure('not_found', { kind: 'chat.no_bot' })
const refusals = {
  not_found: noBot,
  off: failure('invalid_argument', { kind: 'chat.off' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'chat', limit: chatsMax }),
} as const
const noHttps = wrongField('way', { kind: 'chat.no_https' })
const noChat = failure('not_found', { kind: 'none', what: 'chat' })

export function consoleChatRoutes({
  chats,
  publicOrigins,
  basedAt,
}: Pick<AppDeps, 'chats' | 'publicOrigins' | 'basedAt'>): BoundRoute[] {
  return [
    bind(readChatBot, async ({ params, say }) => {
      const bot = await chats.read(params.id)
      return bot === undefined ? failWith(noBot) : succeed({ body: toWireBot(bot, say) })
    }),
    bind(changeChatBot, async ({ params, body, origin: opened, say }) => {
      // The platform sends nothing where it could be read on the way.
      const origin = [opened, ...publicOrigins].find((one) => one.startsWith('https://'))
      if (body.way === 'webhook' && origin === undefined) return failWith(noHttps)
      const commands = chatCommands.filter((command) => body.commands.includes(command))
      const publicUrl = origin === undefined ? '' : `${origin}${basePathAt(origin, basedAt)}`
      const bot = await chats.change(params.id, { way: body.way, commands, publicUrl })
      return bot === undefined ? failWith(noBot) : succeed({ body: toWireBot(bot, say) })
    }),
    bind(makeChatCode, async ({ params, body }) => {
      const made = await chats.makeCode(params.id, body.permission)
      return made.ok
        ? succeed({ body: { code: made.value.code, expires_at: made.value.untilUnix } })
        : failWith(refusals[made.failure])
    }),
    bind(removeChat, async ({ params }) =>
      (await chats.remove(params.id, params.chat)) ? succeed({ body: { ok: true as const } }) : failWith(noChat),
    ),
  ]
}

function toWireBot({ way, commands, chats, heardAtUnix, reason, codeUntilUnix }: ChatBot, say: Say): WireChatBot {
  return {
    way,
    commands: [...commands],
    chats: chats.map((chat) => ({
      id: chat.id,
      name: chat.name,
      permission: chat.permission,
      paired_at: chat.pairedAtUnix,
      ...(chat.heardAtUnix === undefined ? {} : { last_used_at: chat.heardAtUnix }),
    })),
    ...(heardAtUnix === undefined ? {} : { last_heard_at: heardAtUnix }),
    ...(reason === undefined ? {} : { error: say(reason), reason }),
    ...(codeUntilUnix === undefined ? {} : { code_expires_at: codeUntilUnix }),
  }
}
