/** Conversations with the assistant for pictures and screens. Every name in them is invented. */

import type { WireConversationDetail, WireMessage } from '../../workers/app/contract/assistant.ts'
import { actionInChinese } from '../../workers/app/core/assistant/action-chinese.ts'
import type { ProposedAction } from '../../workers/app/core/assistant/proposed-action.ts'
import type { AssistantState } from './stand-in-assistant.ts'

const titles: readonly (readonly [id: string, title: string, minutesAgo: number])[] = [
  ['sites', '本周哪些站点快到期', 0],
  ['brush', '把刷流的种子清一清', 150],
  ['salt', '盐路第五集为什么没下载', 960],
  ['space', 'How much will nas-1 still hold?', 1160],
  ['months', '每月上传量对比', 10_000],
  ['phone', 'A read-only token for the new phone', 17_000],
]

const answer = `有两个站点要在一周内登录：

| 站点 | 剩余 | 上次活跃 | 我能做什么 |
|---|---|---|---|
| **Lantern** | 1 天 | 10 月 20 日 | 登录页要验证码，需要你手动登录 |
| **银杏** | 6 天 | 10 月 25 日 | 可以现在签到，签到会记为活跃 |

另外 \`nas-1\` 上有 3 个已暂停的种子占着 **99.11 GiB**，可以一起删除来腾出空间：

1. 文件一起删除，不能恢复
2. 分享率都已过站点的要求

说明见 https://lantern.example/rules 。这一步会改动数据，请你确认。`

const gib = 1024 ** 3

export function inventedConversations(nowUnix: number): AssistantState {
  const time = (secondsAgo: number) => new Date((nowUnix - secondsAgo) * 1000).toISOString()
  const message = (id: string, secondsAgo: number, part: Omit<WireMessage, 'id' | 'run_id' | 'created_at'>) => ({
    id,
    run_id: 'r1',
    created_at: time(secondsAgo),
    ...part,
  })
  const targets = [
    { downloader_id: 1, task_id: '9f2c61d07b1e4f0a8c55d3a1b2e47706c1d2e3f4' },
    { downloader_id: 1, task_id: '0a8c55d3a1b2e47706c1d2e3f49f2c61d07b1e4f' },
    { downloader_id: 1, task_id: 'e47706c1d2e3f49f2c61d07b1e4f0a8c55d3a1b2' },
  ] as const
  const torrents = [
    {
      ...targets[0],
      title: 'Copper.Season.2024.2160p.BluRay.REMUX.HEVC.Atmos-TIDE',
      size: Math.round(61.28 * gib),
      ratio: 3.42,
    },
    {
      ...targets[1],
      title: '[银杏] 潮汐之下 第一季 全 12 集 1080p 国语中字',
      size: Math.round(24.06 * gib),
      ratio: 1.97,
    },
    {
      ...targets[2],
      title: 'Lighthouse.Keepers.1968.Restored.1080p.BluRay.FLAC1.0.x264-MOLE',
      size: Math.round(13.77 * gib),
      ratio: 5.1,
    },
  ]
  const reads = [
    { id: 'c1', name: 'list_downloader_torrents', arguments: { state: 'paused', downloader_id: 1 }, write: false },
    { id: 'c2', name: 'get_site_userinfo', arguments: {}, write: false },
    { id: 'c3', name: 'get_downloader_stats', arguments: {}, write: false },
  ]
  const given = { targets, delete_files: true }
  const asked: ProposedAction = {
    action: 'delete_with_files',
    targets: torrents.map(({ title, task_id: hash }) => ({ title, downloader: 'nas-1', info_hash: hash })),
  }
  const removal = { id: 'c4', name: 'delete_torrent', arguments: given, write: true }
  const messages: WireMessage[] = [
    message('m1', 75, { role: 'user', content: '本周哪些站点快到期了？能自动处理的帮我处理掉。' }),
    message('m2', 72, { role: 'assistant', content: '', tool_calls: reads }),
    message('m3', 71, {
      role: 'tool',
      content: JSON.stringify({ items: torrents, total: 3 }),
      tool_name: 'list_downloader_torrents',
      tool_call_id: 'c1',
      is_error: false,
    }),
    message('m4', 70, {
      role: 'tool',
      content: JSON.stringify({ items: [{ name: 'lantern', username: 'keeper', ratio: 3.42 }] }),
      tool_name: 'get_site_userinfo',
      tool_call_id: 'c2',
      is_error: false,
    }),
    message('m5', 60, {
      role: 'tool',
      content: '下载器响应超时',
      tool_name: 'get_downloader_stats',
      tool_call_id: 'c3',
      is_error: true,
    }),
    message('m6', 48, { role: 'assistant', content: answer, tool_calls: [removal] }),
  ]
  const conversations = titles.map(
    ([id, title, minutesAgo]): WireConversationDetail => ({
      id,
      title,
      entry: 'web',
      running: id === 'sites',
      created_at: time(minutesAgo * 60 + 75),
      updated_at: time(minutesAgo * 60 + 48),
      messages: [],
      confirmations: [],
      partial: '',
      last_seq: 0,
    }),
  )
  const [sites] = conversations
  if (sites !== undefined)
    Object.assign(sites, {
      messages,
      run_id: 'r1',
      last_seq: 40,
      confirmations: [
        {
          id: 'q1',
          run_id: 'r1',
          tool_call_id: removal.id,
          tool: removal.name,
          summary: actionInChinese(asked),
          change: asked,
          arguments: given,
          status: 'pending',
          created_at: time(48),
          expires_at: time(48 - 300),
        },
      ],
    } satisfies Partial<WireConversationDetail>)
  return {
    conversations,
    settings: { enabled: true, endpoint: 'own', address: '', model: 'harbour-large', has_api_key: false },
    canConfirm: true,
  }
}
