import { explore, getProviderImage } from '../explore.ts'
import { listMediaHistory } from '../media.ts'
import { tellOwner } from '../messages.ts'
import {
  addSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  searchSubscription,
  setSubscriptionStatus,
  type WireSubscription,
} from '../subscriptions.ts'
import { listTemplates, previewTemplate, resetTemplate, saveTemplate, type WireTemplateEvent } from '../templates.ts'
import { showOperation } from './example.ts'

const params = { id: '7' }

const subscription: WireSubscription = {
  id: 7,
  media_type: 'tv',
  tmdb_id: 1234,
  season: 2,
  title: '示例剧集',
  original_title: 'Example Series',
  year: 2025,
  total_episodes: 8,
  poster_path: '/example.jpg',
  status: 'active',
  upgrade: false,
  source: 'app',
  last_search_at: 1793577000,
  next_search_at: 1793580600,
  created_at: 1793404800,
  progress: { total: 8, aired: 5, in_library: 3, downloading: 1, missing: [5] },
}

const paused: WireSubscription = { ...subscription, status: 'paused' }

const failedSignIn: WireTemplateEvent = {
  type: 'attendance.failed',
  group: 'notify',
  name: '签到失败',
  desc: '某个站点签到失败',
  no_title: false,
  vars: [{ key: 'site', type: 'string', desc: '站点名称', sample: 'Example PT' }],
  sample_title: '签到失败',
  sample_text: 'Example PT 签到失败',
  title: '',
  text: '{{ site }} did not sign in',
  customized: true,
  updated_at: 1793577600,
  builtin_title: '签到失败',
  builtin_text: '{{ site }} 签到失败',
}

const texts = { title: '', text: '{{ site }} did not sign in' }

export const mediaExamples = [
  showOperation(listMediaHistory, {
    query: { status: 'done', page: '1', page_size: '20' },
    answers: {
      200: {
        items: [
          {
            id: 12,
            media_type: 'tv',
            tmdb_id: 1234,
            title: '示例剧集',
            year: 2025,
            season: 2,
            episode: 3,
            torrent_name: 'Example.Series.S02E03.1080p.WEB-DL',
            library: 'Series',
            target_path: '/media/series/Example Series (2025)/Season 02',
            mode: 'keep',
            size: 2147483648,
            status: 'done',
            created_at: 1793577600,
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
      },
    },
  }),
  showOperation(listSubscriptions, { query: { status: 'active' }, answers: { 200: [subscription] } }),
  showOperation(getSubscription, {
    params,
    answers: {
      200: {
        ...subscription,
        episodes: [
          { number: 1, name: '第一集', air_date: '2026-10-01', state: 'library' },
          { number: 5, name: '第五集', air_date: '2026-10-29', state: 'missing' },
        ],
        torrents: [
          {
            site: 'examplept',
            torrent_id: '48301',
            title: 'Example.Series.S02E04.1080p.WEB-DL',
            status: 'downloading',
            episode: 4,
            complete: false,
            size: 2147483648,
            created_at: 1793577000,
          },
        ],
      },
    },
  }),
  showOperation(addSubscription, {
    body: { media_type: 'tv', tmdb_id: 1234, season: 2 },
    answers: { 200: subscription },
  }),
  showOperation(setSubscriptionStatus, { params, body: { status: 'paused' }, answers: { 200: paused } }),
  showOperation(searchSubscription, { params, body: {}, answers: { 200: { message: '已开始搜索' } } }),
  showOperation(deleteSubscription, { params, body: {}, answers: { 200: { ok: true } } }),
  showOperation(explore, {
    query: { kind: 'tv', list: 'trending', page: '1' },
    answers: {
      200: {
        items: [
          {
            id: 1234,
            media_type: 'tv',
            title: '示例剧集',
            original_title: 'Example Series',
            year: 2025,
            overview: '一部示例剧集。',
            poster_path: '/example.jpg',
            vote_average: 7.9,
            in_library: true,
            subscribed: true,
            subscription_id: 7,
          },
        ],
        page: 1,
        total_pages: 10,
      },
    },
  }),
  showOperation(getProviderImage, { params: { size: 'w342', file: 'example.jpg' }, answers: {} }),
  showOperation(listTemplates, {
    answers: {
      200: {
        groups: [{ key: 'notify', name: '通知', desc: '服务自己发出的消息' }],
        common_vars: [{ key: 'now', type: 'string', desc: '当前时间', sample: '2026-11-02 08:00' }],
        events: [failedSignIn],
      },
    },
  }),
  showOperation(tellOwner, {
    body: { title: 'Backup done', text: '42 files', link: 'https://nas.example/backups' },
    answers: { 200: { channels: 1 } },
  }),
  showOperation(previewTemplate, {
    body: { type: 'attendance.failed', ...texts },
    answers: { 200: { title: '', text: 'Example PT did not sign in' } },
  }),
  showOperation(saveTemplate, {
    params: { type: 'attendance.failed' },
    body: texts,
    answers: { 200: failedSignIn },
  }),
  showOperation(resetTemplate, {
    params: { type: 'attendance.failed' },
    body: {},
    answers: { 200: { ok: true } },
  }),
]
