/** The engine leaves out what cannot change its answer; here that answer is held against the one found the long way. */
import { describe, test } from 'vitest'
import { foldName } from '../../../workers/app/core/media/fold-name.ts'
import { readReleaseFacts, readReleaseName } from '../../../workers/app/core/media/release-name.ts'
import { hasOneForm } from '../../../workers/app/core/one-width.ts'
import {
  type Candidate,
  factLacks,
  flagFields,
  type HeldFacts,
  heldFlagFields,
  heldNumberFields,
  heldSetFields,
  numberFields,
  type RuleCondition,
  setFields,
  titleOperators,
} from '../../../workers/app/core/rules/filter-rule.ts'
import { judge, type OrderedRule, prepareRules } from '../../../workers/app/core/rules/judge.ts'
import { Subject } from '../../../workers/app/core/rules/subject.ts'
import { discounts, releaseSources, resolutions, torrentStates } from '../../../workers/app/core/vocabulary.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { interpretedVerdict } from '../../support/interpreted-rules.ts'

const seed = 20261126
const nowUnix = 1_800_000_000
const gib = 1024 ** 3

function worldOf(random: () => number) {
  const below = (count: number) => Math.floor(random() * count)
  const pick = <One>(list: readonly One[]): One => list[below(list.length)] as One
  const maybe = <One>(make: () => One): One | undefined => (random() < 0.3 ? undefined : make())
  const some = <One>(list: readonly One[]): One[] => Array.from({ length: 1 + below(3) }, () => pick(list))
  const words = {
    site: ['shelf', 'Lantern', 'ＣＥＤＡＲ', '书架'],
    feed: ['fresh', 'Fresh ones'],
    category: ['Movies', 'TV', '电影'],
    tag: ['官方', '中字', 'HDR', 'ｈｄｒ'],
    promotion: [...discounts, 'free', 'other'],
    resolution: [...resolutions, '2160P'],
    source: [...releaseSources, 'WEB'],
    group: ['QUAY', 'pier', 'ＭＯＬＥ'],
    downloader: ['nas', 'Box'],
    state: torrentStates,
  }
  const titleWords = {
    like: ['*lights*', 'harbour.*', '*-quay', '*.s0?.*', '*', 'harbour', '**1080p**', '???'],
    matches: ['-(QUAY|PIER)$', '^harbour', 's\\d{2}', '2160p|web', 'x26[45]'],
    has: ['cam', 'LIGHTS', '灯火', 'ＷＥＢ', '.265', '港口', 'telesync'],
  }

  function condition(): RuleCondition {
    const or = maybe(() => random() < 0.5)
    const orUnknown = or === undefined ? {} : { or_unknown: or }
    switch (below(5)) {
      case 0: {
        const field = pick([...numberFields, 'free_gib', ...heldNumberFields] as const)
        const value = field === 'year' ? 1985 + below(40) : below(60)
        return { field, op: pick(['at_least', 'at_most'] as const), value, ...orUnknown }
      }
      case 1: {
        const field = pick([...flagFields, ...heldFlagFields])
        return { field, op: 'is', value: random() < 0.5, ...orUnknown }
      }
      case 2: {
        const op = pick(titleOperators)
        const from = op.endsWith('like')
          ? titleWords.like
          : op.endsWith('matches')
            ? titleWords.matches
            : titleWords.has
        return { field: 'title', op, value: some(from) }
      }
      default: {
        const field = pick([...setFields, ...heldSetFields])
        return { field, op: pick(['is_any', 'is_none'] as const), value: some(words[field]), ...orUnknown }
      }
    }
  }

  // A few conditions come again and again, as they do in the rules of one owner.
  const common = Array.from({ length: 6 }, condition)
  const anyCondition = () => (random() < 0.4 ? pick(common) : condition())
  const rules = Array.from(
    { length: below(9) },
    (_, at): OrderedRule => ({
      id: at + 1,
      rule: {
        action: pick(['take', 'take', 'notify', 'skip'] as const),
        conditions: Array.from({ length: 1 + below(4) }, anyCondition),
        ...(random() < 0.3 ? { per_day_max: 1 + below(4) } : {}),
        ...(random() < 0.3 ? { per_day_gib_max: 1 + below(150) } : {}),
        ...(random() < 0.3 ? {} : { target: { downloader_id: below(3), save_path: pick(['', '/films']) } }),
      },
    }),
  )

  function candidate(): Candidate {
    const quality = `${pick(['720p', '1080p', '2160p', ''])}.${pick(['WEB-DL', 'BluRay', 'HDTV', 'CAM', ''])}`
    return {
      site: pick(['shelf', 'lantern', 'Cedar', '书架', '']),
      feed: pick(words.feed),
      torrentId: '1',
      title: pick([
        `Harbour.Lights.${1985 + below(40)}.S0${below(9)}.${quality}.x265-${pick(words.group)}`,
        `Ｈａｒｂｏｕｒ Lights ${quality}`,
        `港口灯火 第${1 + below(9)}季 ${quality}`,
        'é́',
        '',
      ]),
      subtitle: pick(['港口灯火 第2季 中字', 'HDR 官方', '全12集', '抢先版', '']),
      sizeBytes: maybe(() => below(90) * gib + below(3)),
      seeders: maybe(() => below(60)),
      leechers: maybe(() => below(60)),
      uploadedAtUnix: maybe(() => nowUnix - below(7200) + 60),
      category: maybe(() => pick(['movies', 'TV', '电影', ''])),
      tags: maybe(() => (random() < 0.2 ? [] : some(words.tag))),
      promotion: maybe(() => pick(discounts)),
      freeUntilUnix: maybe(() => nowUnix + below(200_000) - 20_000),
      hasHr: maybe(() => random() < 0.5),
      isListed: maybe(() => true),
      isOwned: maybe(() => random() < 0.5),
      ownedFrom: maybe(() => pick(['subscription', 'library', 'downloader', 'pushes'] as const)),
      ownedLack: maybe(() => pick(factLacks)),
      disks: maybe(() =>
        [1, 2].flatMap((downloaderId) =>
          ['', '/films'].flatMap(
            (folder) =>
              maybe(() => ({ downloaderId, isDefault: downloaderId === 2, folder, leftBytes: below(60) * gib })) ?? [],
          ),
        ),
      ),
    }
  }

  const held = (): HeldFacts => ({
    downloader: pick(['NAS', 'box']),
    state: pick(torrentStates),
    isComplete: random() < 0.5,
    ratio: maybe(() => random() * 60),
    seedingSeconds: maybe(() => below(200_000)),
    addedAtUnix: maybe(() => nowUnix - below(200_000)),
    uploadedBytes: below(60) * gib,
    peers: below(60),
    freeBytes: maybe(() => below(60) * gib),
    bonusPerGib: maybe(() => random() * 60),
    isUnregistered: maybe(() => random() < 0.5),
    isDutyDone: maybe(() => random() < 0.5),
  })
  const taken = Array.from({ length: 10 }, () => ({ count: below(5), bytes: below(160) * gib }))
  const now = () => ({ mayWait: random() < 0.4, takenToday: (id: number) => taken[id] ?? { count: 0, bytes: 0 } })
  return { rules, candidate, held: () => maybe(held), now }
}

describe('the engine', () => {
  test('answers as the long way does, with the same clauses', ({ expect }) => {
    const random = seededRandom(seed)
    const acts = new Map<string, number>()
    for (let set = 0; set < 1000; set += 1) {
      const world = worldOf(random)
      if (world.rules.length === 0) continue
      const prepared = prepareRules(world.rules)
      for (let one = 0; one < 12; one += 1) {
        const candidate = world.candidate()
        const held = world.held()
        const now = world.now()
        const verdict = judge(new Subject(candidate, nowUnix, undefined, held), prepared, now)
        const wanted = interpretedVerdict({ candidate, held, nowUnix }, world.rules, now)
        // Not by `expect` each time: ten thousand of them are slow.
        if (JSON.stringify(verdict) !== JSON.stringify(wanted))
          expect(verdict, JSON.stringify({ candidate, held, rules: world.rules })).toEqual(wanted)
        acts.set(verdict.act, (acts.get(verdict.act) ?? 0) + 1)
      }
    }
    for (const act of ['take', 'notify', 'skip', 'wait', 'leave']) expect(acts.get(act), act).toBeGreaterThan(300)
  })

  test('reads the same of a name with and without what it may be called', ({ expect }) => {
    const world = worldOf(seededRandom(seed))
    for (let one = 0; one < 2000; one += 1) {
      const { title, subtitle } = world.candidate()
      const { names: _, nameWithYear: __, ...facts } = readReleaseName(title, subtitle)
      expect(readReleaseFacts(title, subtitle)).toEqual(facts)
    }
  })
})

test('what has one form is the same in every form, and folds to the same name', ({ expect }) => {
  for (let code = 0; code < 0x1_0000; code += 1) {
    const sign = String.fromCharCode(code)
    if (!hasOneForm(sign)) continue
    const long = `${sign}e\u0301`
    if (sign.normalize('NFKC') !== sign || sign.normalize('NFKD') !== sign) expect.fail(`U+${code.toString(16)}`)
    // Behind it stands what takes the long way.
    if (foldName(long) !== `${foldName(sign)}e`) expect.fail(`U+${code.toString(16)} folds otherwise`)
  }
  expect(['a b', '港口', '港口 2'].map(hasOneForm)).toEqual([true, true, true])
  expect(['é', 'Ａ', '\uf900', '\u30ab\u3099', '\u{2f800}'].map(hasOneForm)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
