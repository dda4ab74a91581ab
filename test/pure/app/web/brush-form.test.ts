import { describe, test } from 'vitest'
import { addBrushTask, brushRules, type WireConsoleBrushTask } from '../../../../workers/app/contract/console-brush.ts'
import {
  type BrushDraft,
  type BrushField,
  draftOf,
  newDraft,
  readDraft,
} from '../../../../workers/app/web/model/brush-form.ts'

const fresh: BrushDraft = { ...newDraft('shelf'), name: 'free ones' }

function withNumbers(numbers: Partial<BrushDraft['numbers']>): BrushDraft {
  return { ...fresh, numbers: { ...fresh.numbers, ...numbers } }
}

function bodyOf(draft: BrushDraft) {
  const read = readDraft(draft)
  if ('wrong' in read) throw new Error(read.wrong.join())
  return read.body
}

describe('the form of a brush task', () => {
  test('begins with a task that the server takes once it has a name', ({ expect }) => {
    const body = bodyOf(fresh)

    expect(addBrushTask.body.parse(body)).toEqual(body)
    expect(body.rules.removal).toEqual({ free_over: true, seeding_hours: 48, idle_hours: 12 })
    expect(readDraft(newDraft(''))).toEqual({ wrong: ['name', 'site'] })
  })

  test('makes of a stored task the same task', ({ expect }) => {
    const rules = brushRules.parse({
      pick: { free_only: false, refuse_hr: false, refused_words: ['CAM', '预告'], size_gib_min: 0.5, leechers_min: 0 },
      bounds: { active_max: 1, downloading_max: 1, active_gib_max: 12.5, new_per_run_max: 1 },
      removal: { free_over: false, ratio: 1.25 },
    })
    const settings = { name: 'n', enabled: false, site: 'shelf', downloader_id: 3, every_minutes: 45, rules }

    expect(bodyOf(draftOf(settings as WireConsoleBrushTask))).toEqual(settings)
  })

  test('takes words apart at commas of either kind', ({ expect }) => {
    expect(bodyOf({ ...fresh, words: ' CAM，预告, ,TS ' }).rules.pick.refused_words).toEqual(['CAM', '预告', 'TS'])
  })

  test.for<[BrushField, BrushDraft]>([
    ['every_minutes', withNumbers({ every_minutes: '' })],
    ['every_minutes', withNumbers({ every_minutes: '4' })],
    ['every_minutes', withNumbers({ every_minutes: '1441' })],
    ['every_minutes', withNumbers({ every_minutes: '5.5' })],
    ['active_max', withNumbers({ active_max: '501' })],
    ['active_gib_max', withNumbers({ active_gib_max: '' })],
    ['free_hours_min', withNumbers({ free_hours_min: '0' })],
    ['free_hours_min', withNumbers({ free_hours_min: 'a day' })],
    ['ratio', withNumbers({ ratio: '-1' })],
    ['ratio', withNumbers({ ratio: '1e3' })],
    ['size_gib_max', withNumbers({ size_gib_min: '2', size_gib_max: '1' })],
    ['refused_words', { ...fresh, words: 'w'.repeat(65) }],
    ['refused_words', { ...fresh, words: Array.from({ length: 51 }, () => 'w').join() }],
  ])('says that %s is wrong, and nothing else', ([field, draft], { expect }) => {
    expect(readDraft(draft)).toEqual({ wrong: [field] })
  })
})
