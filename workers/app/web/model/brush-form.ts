/** The form of a brush task: what is written in its boxes, and the task that it makes. */
import type { BrushTaskBody, WireConsoleBrushTask } from '../../contract/console-brush.ts'
import {
  brushActiveMax,
  brushDownloadingMax,
  brushHoursMax,
  brushHoursMin,
  brushMinutesMax,
  brushMinutesMin,
  brushNewPerRunMax,
  brushPeersMax,
  brushRatioMax,
  brushSizeGibMax,
  brushWordCharactersMax,
  brushWordsMax,
} from '../../limits.ts'

interface NumberRule {
  readonly min: number
  readonly max: number
  readonly isWhole?: true
  readonly isNeeded?: true
}

const hours: NumberRule = { min: brushHoursMin, max: brushHoursMax }
const gib: NumberRule = { min: 0.01, max: brushSizeGibMax }
const peers: NumberRule = { min: 0, max: brushPeersMax, isWhole: true }
const bound = (max: number): NumberRule => ({ min: 1, max, isWhole: true, isNeeded: true })

export const pickNumbers = {
  free_hours_min: hours,
  age_hours_max: hours,
  size_gib_min: gib,
  size_gib_max: gib,
  seeders_max: peers,
  leechers_min: peers,
} as const
export const boundNumbers = {
  active_max: bound(brushActiveMax),
  downloading_max: bound(brushDownloadingMax),
  active_gib_max: { ...gib, isNeeded: true },
  new_per_run_max: bound(brushNewPerRunMax),
} as const
export const removalNumbers = {
  seeding_hours: hours,
  ratio: { min: 0.01, max: brushRatioMax },
  uploaded_gib: gib,
  idle_hours: hours,
  incomplete_hours: hours,
} as const
const numberRules = {
  every_minutes: { min: brushMinutesMin, max: brushMinutesMax, isWhole: true, isNeeded: true },
  ...pickNumbers,
  ...boundNumbers,
  ...removalNumbers,
} as const satisfies Readonly<Record<string, NumberRule>>

export type NumberField = keyof typeof numberRules
export type BrushField = NumberField | 'name' | 'site' | 'refused_words'

export interface BrushDraft {
  readonly name: string
  readonly enabled: boolean
  readonly site: string
  readonly downloaderId: number
  readonly freeOnly: boolean
  /** Whether a free torrent without a stated end counts as free without one. */
  readonly openEnds: boolean
  readonly refuseHr: boolean
  /** Separated by commas of either kind. */
  readonly words: string
  readonly freeOver: boolean
  readonly numbers: Readonly<Record<NumberField, string>>
}

const fieldNames = Object.keys(numberRules) as readonly NumberField[]

const usual: Partial<Record<NumberField, string>> = {
  every_minutes: '15',
  active_max: '20',
  downloading_max: '5',
  active_gib_max: '500',
  new_per_run_max: '3',
  seeding_hours: '48',
  idle_hours: '12',
}

export function newDraft(site: string): BrushDraft {
  return {
    name: '',
    enabled: true,
    site,
    downloaderId: 0,
    freeOnly: true,
    openEnds: false,
    refuseHr: true,
    words: '',
    freeOver: true,
    numbers: numbersOf((field) => usual[field]),
  }
}

export function draftOf(task: WireConsoleBrushTask): BrushDraft {
  const { bounds, pick, removal } = task.rules
  const known: Partial<Record<NumberField, unknown>> = {
    every_minutes: task.every_minutes,
    ...pick,
    ...bounds,
    ...removal,
  }
  return {
    name: task.name,
    enabled: task.enabled,
    site: task.site,
    downloaderId: task.downloader_id,
    freeOnly: pick.free_only,
    openEnds: pick.unknown_end === 'open',
    refuseHr: pick.refuse_hr,
    words: pick.refused_words.join(', '),
    freeOver: removal.free_over,
    numbers: numbersOf((field) => known[field]),
  }
}

function numbersOf(known: (field: NumberField) => unknown): Record<NumberField, string> {
  const written = fieldNames.map((field) => [field, String(known(field) ?? '')])
  return Object.fromEntries(written) as Record<NumberField, string>
}

/** The task, or the fields that are not written right. */
export function readDraft(
  draft: BrushDraft,
): { readonly body: BrushTaskBody } | { readonly wrong: readonly BrushField[] } {
  const words = draft.words
    .split(/[,，]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const values = Object.fromEntries(fieldNames.map((field) => [field, numberIn(draft.numbers[field])])) as Record<
    NumberField,
    number | undefined
  >
  const wrong: BrushField[] = fieldNames.filter((field) => !isRight(draft.numbers[field], numberRules[field]))
  if ((values.size_gib_min ?? 0) > (values.size_gib_max ?? brushSizeGibMax)) wrong.push('size_gib_max')
  if (draft.name.trim() === '') wrong.push('name')
  if (draft.site === '') wrong.push('site')
  if (words.length > brushWordsMax || words.some((word) => word.length > brushWordCharactersMax))
    wrong.push('refused_words')
  if (wrong.length > 0) return { wrong }
  const some = (fields: object) =>
    Object.fromEntries(
      Object.keys(fields).flatMap((field) => {
        const value = values[field as NumberField]
        return value === undefined ? [] : [[field, value]]
      }),
    )
  return {
    body: {
      name: draft.name.trim(),
      enabled: draft.enabled,
      site: draft.site,
      downloader_id: draft.downloaderId,
      every_minutes: values.every_minutes ?? brushMinutesMin,
      rules: {
        pick: {
          free_only: draft.freeOnly,
          ...(draft.openEnds ? { unknown_end: 'open' as const } : {}),
          refuse_hr: draft.refuseHr,
          refused_words: words,
          ...some(pickNumbers),
        },
        bounds: some(boundNumbers) as BrushTaskBody['rules']['bounds'],
        removal: { free_over: draft.freeOver, ...some(removalNumbers) },
      },
    },
  }
}

function numberIn(text: string): number | undefined {
  return /^[0-9]{1,9}(?:\.[0-9]{1,3})?$/.test(text.trim()) ? Number(text) : undefined
}

function isRight(text: string, rule: NumberRule): boolean {
  if (text.trim() === '') return rule.isNeeded !== true
  const value = numberIn(text)
  if (value === undefined || (rule.isWhole === true && !Number.isInteger(value))) return false
  return value >= rule.min && value <= rule.max
}
