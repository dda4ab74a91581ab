import { unixSeconds } from '#shared/kernel/clock.ts'
import { chatWatchSeconds } from '../limits.ts'
import type { Job } from './job.ts'
import { after } from './job-parts.ts'

/** Bots listen by alarms of their own; what was restored from a backup, or lost one, is brought back to it. */
export const chatsJob: Job = {
  name: 'chats',
  label: { zh: '聊天机器人', en: 'Chat bots' },
  scope: 'service',
  isVisit: false,
  schedule: {
    async first({ clock, chats }) {
      return (await chats.isAnyHeard()) ? unixSeconds(clock) : undefined
    },
  },
  async run(parts) {
    await parts.chats.watch()
    return (await parts.chats.isAnyHeard()) ? { dueAtUnix: after(parts, chatWatchSeconds) } : undefined
  },
}
