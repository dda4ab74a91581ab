import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import type { ChoiceRefusal } from '../../../../workers/app/core/media/choose-releases.ts'
import { coveredText, type HuntTold, tellHunt } from '../../../../workers/app/core/media/hunt-plan.ts'
import { describeFailedSearch } from '../../../../workers/app/core/search-plan.ts'
import { type HuntPart, huntOutcomeOf, huntReasonOf } from '../../../../workers/app/web/model/hunt-outcome.ts'
import { chinese } from '../../../../workers/app/web/words/chinese.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

const nothing: HuntTold = { pushes: [], refusals: new Map(), errors: [] }
const season = (from: number, to = from) => coveredText('tv', { from, to })

/** Typed against the server's list, so that a new reason does not compile until it stands here. */
const everyRefusal: Readonly<Record<ChoiceRefusal, number>> = {
  other_title: 1,
  not_wanted: 2,
  site: 3,
  leaked: 4,
  resolution: 5,
  source: 6,
  words: 7,
  size: 8,
  seeders: 9,
  not_free: 10,
  hit_and_run: 11,
}

describe('what came of a search for a subscription', () => {
  test.for<readonly [message: string, parts: readonly HuntPart[]]>([
    [tellHunt({ ...nothing, pushes: [{ covers: '' }] }), [{ kind: 'pushed', count: 1, covers: [] }]],
    [
      tellHunt({
        pushes: [{ covers: season(1, 3) }, { covers: season(5) }, { covers: coveredText('tv', undefined) }],
        refusals: new Map(),
        errors: [{ site: '银杏', error: '站点响应超时' }],
      }),
      [
        {
          kind: 'pushed',
          count: 3,
          covers: [{ kind: 'some', from: 1, to: 3 }, { kind: 'one', number: 5 }, { kind: 'whole' }],
        },
        { kind: 'failedAt', where: '银杏', reason: '站点响应超时' },
      ],
    ],
    [
      tellHunt({
        ...nothing,
        pushes: [
          { covers: season(5), failure: '已经推送过' },
          { covers: '', failure: '无法读取下载器的剩余空间，已停止推送' },
        ],
      }),
      [
        { kind: 'notPushed', covers: { kind: 'one', number: 5 }, reason: '已经推送过' },
        { kind: 'notPushed', covers: undefined, reason: '无法读取下载器的剩余空间，已停止推送' },
      ],
    ],
    [tellHunt(nothing), [{ kind: 'nothingFound' }]],
    [
      tellHunt({ ...nothing, refusals: new Map(Object.entries(everyRefusal) as [ChoiceRefusal, number][]) }),
      [
        {
          kind: 'nothingFits',
          total: 66,
          refused: (Object.entries(everyRefusal) as [ChoiceRefusal, number][])
            .map(([why, count]) => ({ why, count }))
            .toReversed(),
        },
      ],
    ],
    [
      describeFailedSearch([
        { site: 'Lantern', error: '站点响应超时' },
        { site: '银杏', error: '站点响应超时' },
        { site: 'Cedar', error: '无法连接站点' },
      ]),
      [
        { kind: 'failedAt', where: 'Lantern、银杏', reason: '站点响应超时' },
        { kind: 'failedAt', where: 'Cedar', reason: '无法连接站点' },
      ],
    ],
  ])('is known by what the server says: %s', ([message, parts], { expect }) => {
    expect(huntOutcomeOf(message)).toEqual(parts)
  })

  test.for([
    ['nothingWanted', 'run-hunt.ts', '目前没有要找的内容'],
    ['noSites', 'run-hunt.ts', '没有可以搜索的站点'],
    ['noDownloader', 'run-hunt.ts', '没有已启用的下载器'],
    ['downloaderOff', 'run-hunt.ts', '没有这个下载器，或它未启用'],
    ['allThere', 'hunt-subscriptions.ts', '已全部入库'],
    ['crashed', 'hunt-subscriptions.ts', '服务内部错误'],
  ] as const)('%s is what %s says: %s', ([name, file, sentence], { expect }) => {
    expect(sourceOf(file)).toContain(`'${sentence}'`)
    expect(huntOutcomeOf(sentence)).toEqual([{ kind: name }])
  })

  test.for([
    ['already', '已经推送过'],
    ['cut', '推送被中断'],
    ['siteBusy', '站点正在推送其他种子'],
  ] as const)('%s is a reason that a push was not made: %s', ([name, sentence], { expect }) => {
    expect(sourceOf('run-hunt.ts')).toContain(`'${sentence}'`)
    expect(huntReasonOf(sentence)).toBe(name)
  })

  test.for([
    ['notComplete', '没有下载完成'],
    ['neverComplete', '一直没有下载完成'],
    ['neverOrganised', '一直没有入库'],
  ] as const)('%s is why a torrent is lost: %s', ([name, sentence], { expect }) => {
    expect(sourceOf('../d1/subscription-hunts.ts')).toContain(`'${sentence}'`)
    expect(huntReasonOf(sentence)).toBe(name)
  })

  test('has words in both languages', ({ expect }) => {
    for (const { huntRefusals, hunt } of [english, chinese]) {
      expect(Object.keys(huntRefusals).sort()).toEqual(Object.keys(everyRefusal).sort())
      expect(hunt.pushed(2, 'A')).toMatch(/2.*A/)
      expect(hunt.nothingFits(3, 'B')).toMatch(/3.*B/)
    }
    expect(english.hunt.pushed(1, '')).toBe('1 torrent pushed')
    expect(english.hunt.nothingFits(1, '1 not free')).toBe('nothing suitable among 1 result: 1 not free')
  })

  test.for([
    '',
    '别的话',
    '推送了几个种子',
    '推送了 1 个种子：第一集',
    '没有找到合适的种子，3 个结果中：3 个别的',
    '搜索失败：站点响应超时',
    '没有找到种子；别的话',
  ])('%j is nothing known', (message, { expect }) => {
    expect(huntOutcomeOf(message)).toBeUndefined()
  })
})

function sourceOf(file: string): string {
  return readFileSync(path.resolve(import.meta.dirname, '../../../../workers/app/adapters/subscriptions', file), 'utf8')
}
