import { describe, test } from 'vitest'
import { assistantToolShapes } from '../../../workers/app/contract/assistant-tools.ts'
import { actionInChinese } from '../../../workers/app/core/assistant/action-chinese.ts'
import { actionInEnglish } from '../../../workers/app/core/assistant/action-english.ts'
import type { ActionWords } from '../../../workers/app/core/assistant/proposed-action.ts'
import type { TitleDetailQuery } from '../../../workers/app/core/media/title-details.ts'
import type { Principal } from '../../../workers/app/core/principal.ts'
import { createAssistantTools } from '../../../workers/app/http/assistant-tools.ts'
import {
  assistantTargetsMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  torrentIdCharactersMax,
} from '../../../workers/app/limits.ts'
import type { AppDeps } from '../../../workers/app/ports.ts'
import { localeOf } from '../../support/locale-of.ts'

const owner: Principal = { kind: 'session', id: 'session', scopes: ['app:read', 'app:write'] }
const hashOf = (digit: string) => digit.repeat(40)
const long = 'Serial.S01E01.1080p.'.repeat(8)

/** The same name twice, and two long ones that differ in the middle only. */
const titles: Readonly<Record<string, string>> = {
  [hashOf('1')]: 'Alpha.2024',
  [hashOf('2')]: 'Beta.2023',
  [hashOf('3')]: 'Alpha.2024',
  [hashOf('4')]: `${long}A${long}`,
  [hashOf('5')]: `${long}B${long}`,
  [hashOf('6')]: '\u200b',
}

const deps = {
  downloaders: {
    targets: async () => [
      { id: 1, name: 'nas-1', isDefault: true },
      { id: 2, name: 'nas-2', isDefault: false },
    ],
  },
  fleet: {
    find: async (_: unknown, hashes: readonly string[]) => ({
      ok: true,
      value: hashes.flatMap((infoHash) => (infoHash in titles ? [{ infoHash, title: titles[infoHash] }] : [])),
    }),
  },
  sites: {
    find: async (name: string) =>
      ['shelf', 'attic'].includes(name) ? { record: { id: 1, name, displayName: '书架', enabled: true } } : undefined,
  },
  sitePlans: {
    find: async (id: number) => ({
      ...{ id, siteId: id > 9 ? 2 : 1, level: 'Elite' },
      steps: [
        { kind: 'seed', sizeBytes: 5 },
        { kind: 'push', sizeBytes: 7 },
      ],
    }),
  },
  subscriptions: { has: async () => false },
  catalogue: {
    details: async (wish: TitleDetailQuery) => ({
      ok: true,
      value: {
        ...wish,
        title: '盐路',
        year: 2018,
        season: wish.mediaType === 'tv' && wish.season === 0 ? 3 : wish.season,
      },
    }),
  },
  clock: { nowMs: () => 0 },
  locale: localeOf('UTC'),
} as unknown as AppDeps

const tools = createAssistantTools(deps)

async function sentence(
  name: string,
  given: Readonly<Record<string, unknown>>,
  say: ActionWords = actionInChinese,
): Promise<string> {
  const judged = await tools.judge(owner, { name, arguments: given }, [])
  if (judged.kind !== 'confirm') throw new Error(JSON.stringify(judged))
  return say(judged.proposed)
}

const target = (digit: string, downloader = 1) => ({ downloader_id: downloader, task_id: hashOf(digit) })
const push = { site: 'shelf', torrent_id: '101', downloader_id: 1, category: 'films', tags: 'one,two' }
const longId = 'x'.repeat(torrentIdCharactersMax - 1)
const targetPairs = [
  [[target('1')], [target('2')]],
  [[target('1')], [target('1', 2)]],
  [[target('1')], [target('1'), target('2')]],
  [
    [target('1'), target('2')],
    [target('1'), target('3')],
  ],
  [
    [target('1'), target('3')],
    [target('3'), target('1')],
  ],
  [[target('4')], [target('5')]],
  [[target('6')], [target('1')]],
] as const

/** Of every tool that changes something, by every argument: what else is given, and two values of it. */
const pairs: Readonly<Record<string, Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>>> = {
  pause_torrent: { targets: targetPairs },
  resume_torrent: { targets: targetPairs },
  recheck_torrent: { targets: targetPairs },
  reannounce_torrent: { targets: targetPairs },
  set_torrent_category: {
    targets: targetPairs,
    category: [
      ['films', 'series'],
      ['films', ''],
      [`${'x'.repeat(64)}a${'x'.repeat(63)}`, 'x'.repeat(pushCategoryCharactersMax)],
    ],
  },
  set_torrent_tags: {
    targets: targetPairs,
    tags: [
      ['one', 'one,two'],
      ['one', ''],
      [`${'x'.repeat(128)}a${'x'.repeat(126)}`, 'x'.repeat(pushTagsCharactersMax)],
    ],
  },
  limit_torrent: {
    targets: targetPairs,
    upload_limit: [
      [0, 1],
      [1024, 1025],
    ],
    download_limit: [
      [0, 1],
      [1024, 1025],
    ],
  },
  delete_torrent: {
    targets: targetPairs,
    delete_files: [
      [true, false],
      [true, undefined],
    ],
  },
  push_torrent: {
    site: [['shelf', 'attic']],
    torrent_id: [
      ['101', '102'],
      [`${longId}a`, `${longId}b`],
      [`a${longId}`, `b${longId}`],
    ],
    downloader_id: [
      [1, 2],
      [undefined, 2],
    ],
    category: [
      ['films', 'series'],
      ['films', undefined],
      [`${'x'.repeat(64)}a${'x'.repeat(63)}`, 'x'.repeat(pushCategoryCharactersMax)],
    ],
    tags: [
      ['one', 'one,two'],
      ['one', undefined],
      [`${'x'.repeat(128)}a${'x'.repeat(126)}`, 'x'.repeat(pushTagsCharactersMax)],
    ],
  },
  carry_out_site_plan: { site: [['shelf', 'attic']], plan_id: [[3, 4]] },
  add_subscription: {
    media_type: [['movie', 'tv']],
    tmdb_id: [[11, 12]],
    season: [
      [1, 2],
      [undefined, 1],
    ],
    upgrade: [
      [true, false],
      [true, undefined],
    ],
  },
}
const others: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  pause_torrent: {},
  resume_torrent: {},
  recheck_torrent: {},
  reannounce_torrent: {},
  set_torrent_category: { targets: [target('1')], category: 'films' },
  set_torrent_tags: { targets: [target('1')], tags: 'one' },
  limit_torrent: { targets: [target('1')], upload_limit: 10, download_limit: 20 },
  delete_torrent: { targets: [target('1')] },
  push_torrent: push,
  carry_out_site_plan: { site: 'shelf', plan_id: 3 },
  add_subscription: { media_type: 'tv', tmdb_id: 21 },
}

describe('what somebody says yes to', () => {
  test('every argument of every tool that changes something is told by its sentence', async ({ expect }) => {
    const writing = Object.entries(assistantToolShapes).filter(([_, { write }]) => write)
    for (const [tool, { arguments: shape }] of writing) {
      for (const argument of Object.keys(shape.shape)) {
        const values = pairs[tool]?.[argument] ?? []
        expect(values.length, `${tool} ${argument}`).toBeGreaterThan(0)
        for (const [left, right] of values) {
          for (const say of [actionInChinese, actionInEnglish]) {
            const [first, second] = [left, right].map((value) =>
              sentence(tool, withArgument(tool, argument, value), say),
            )
            expect(await first, `${tool} ${argument} ${JSON.stringify([left, right])}`).not.toBe(await second)
          }
        }
      }
    }
  })

  test('of a push with everything it takes', async ({ expect }) => {
    expect(await sentence('push_torrent', push)).toBe(
      '把站点 书架（shelf） 的种子（编号 101）推送到下载器 nas-1，分类「films」，标签「one,two」。',
    )
    expect(await sentence('push_torrent', { ...push, category: ' films ', tags: '' })).toBe(
      '把站点 书架（shelf） 的种子（编号 101）推送到下载器 nas-1，分类「films」。',
    )
  })

  test.for([
    [
      'push_torrent',
      push,
      'Push the torrent (number 101) of the site 书架 (shelf) to the downloader nas-1, category “films”, tags “one,two”.',
    ],
    [
      'carry_out_site_plan',
      { site: 'Shelf', plan_id: 3 },
      'Carry out plan 3 for the level “Elite” of the site 书架 (shelf): seed 1 torrents that lie in the downloaders, download 1 free ones, 7 bytes.',
    ],
    ['pause_torrent', { targets: [target('1')] }, 'Pause the torrent: “Alpha.2024” (nas-1).'],
    [
      'resume_torrent',
      { targets: [target('1'), target('3')] },
      'Resume 2 torrents: “Alpha.2024” (nas-1, 11111111), “Alpha.2024” (nas-1, 33333333).',
    ],
    ['recheck_torrent', { targets: [target('1')] }, 'Check the data of the torrent again: “Alpha.2024” (nas-1).'],
    ['reannounce_torrent', { targets: [target('1')] }, 'Ask the trackers of the torrent now: “Alpha.2024” (nas-1).'],
    [
      'set_torrent_category',
      { targets: [target('1')], category: ' films ' },
      'Put the torrent into the category “films”: “Alpha.2024” (nas-1).',
    ],
    ['set_torrent_tags', { targets: [target('1')], tags: '' }, 'Take all tags off the torrent: “Alpha.2024” (nas-1).'],
    [
      'limit_torrent',
      { targets: [target('1')], upload_limit: 0, download_limit: 1024 },
      'Limit the torrent to no limit up and 1024 bytes a second down: “Alpha.2024” (nas-1).',
    ],
    [
      'delete_torrent',
      { targets: [target('2')] },
      'Remove the torrent from the downloader and keep the files: “Beta.2023” (nas-1).',
    ],
    [
      'delete_torrent',
      { targets: [target('2')], delete_files: true },
      'Delete the torrent and its files, which cannot be brought back: “Beta.2023” (nas-1).',
    ],
    [
      'add_subscription',
      { media_type: 'tv', tmdb_id: 21, upgrade: true },
      'Subscribe to season 3 of the series “盐路” (2018, TMDB 21): search and download by itself, replacing it when a better picture appears.',
    ],
    [
      'add_subscription',
      { media_type: 'movie', tmdb_id: 11 },
      'Subscribe to the film “盐路” (2018, TMDB 11): search and download by itself.',
    ],
  ] as const)('in English, of %s', async ([tool, given, expected], { expect }) => {
    expect(await sentence(tool, given, actionInEnglish)).toBe(expected)
  })

  test.each([
    ['category', 'films\u200b'],
    ['category', 'films」，标签「x'],
    ['category', 'films”, tags “x'],
    ['tags', 'a  b'],
    ['tags', '\u202Ea'],
  ])('a %s that cannot be shown as it is asks nobody: %j', async (argument, value) => {
    const judged = await tools.judge(owner, { name: 'push_torrent', arguments: { ...push, [argument]: value } }, [])

    if (judged.kind !== 'refused') throw new Error(JSON.stringify(judged))
    const label = { targets: [target('1')], [argument]: value }
    const judgedLabel = await tools.judge(owner, { name: `set_torrent_${argument}`, arguments: label }, [])
    if (judgedLabel.kind !== 'refused') throw new Error(JSON.stringify(judgedLabel))
  })

  test('is told of as many torrents as may be named at once, each by a name of its own', async ({ expect }) => {
    const given = Object.keys(titles).slice(0, assistantTargetsMax)
    const text = await sentence('pause_torrent', { targets: given.map((task_id) => ({ downloader_id: 1, task_id })) })
    const names = text.slice(text.indexOf('：') + 1).split('、')

    expect(new Set(names).size).toBe(given.length)
  })
})

function withArgument(tool: string, argument: string, value: unknown): Record<string, unknown> {
  const { [argument]: _, ...rest } = others[tool] ?? {}
  return value === undefined ? rest : { ...rest, [argument]: value }
}
