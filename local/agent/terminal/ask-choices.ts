/** What can be answered to what an agent asks, as a list to choose from. */
import type { SelectItem } from '@earendil-works/pi-tui'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import { everyResource, permissionQuestion } from '../core/permission-words.ts'
import type { PermissionRequest, QuestionItem } from '../core/session/event.ts'
import { textIn } from '../core/session/tool-subject.ts'
import { diffLines, type ShownBlock } from './message-blocks.ts'

const plain = (text: string): ShownBlock['lines'] =>
  showUnseen(text)
    .split('\n')
    .map((one) => ({ tone: 'output' as const, text: one }))

export function describePermission({ action, resources, metadata }: PermissionRequest): ShownBlock['lines'] {
  const why = textIn(metadata ?? {}, 'outside')
  const command = textIn(metadata ?? {}, 'command')
  const diff = textIn(metadata ?? {}, 'diff')
  const reach = textIn(metadata ?? {}, 'reach')
  const known = command !== undefined && !resources.includes(command) ? [`$ ${command}`] : []
  const facts = [...resources, ...known, ...(why === undefined ? [] : [why])]
  return [
    { tone: 'call', text: `${permissionQuestion(action)} (${showUnseen(action)})` },
    ...facts.flatMap(plain),
    ...(diff === undefined ? [] : diffLines(diff)),
    ...(reach === undefined ? [] : plain(reach)),
  ]
}

export type PermissionAnswer =
  | { readonly reply: 'once' }
  | { readonly reply: 'always'; readonly scope?: 'session' }
  | { readonly reply: 'reject' }

export function permissionChoices({ save = [] }: PermissionRequest): readonly (SelectItem & {
  readonly answer: PermissionAnswer | 'with words'
})[] {
  const stored = showUnseen(save.map((one) => (one === '*' ? everyResource : one)).join(', '))
  const always =
    save.length === 0
      ? []
      : [
          {
            value: 'session',
            label: 'Yes, in this session',
            description: stored,
            answer: { reply: 'always', scope: 'session' } as const,
          },
          {
            value: 'always',
            label: 'Yes, always in this project',
            description: stored,
            answer: { reply: 'always' } as const,
          },
        ]
  return [
    { value: 'once', label: 'Yes, this once', answer: { reply: 'once' } },
    ...always,
    { value: 'words', label: 'No, and say what to do instead', answer: 'with words' },
    { value: 'reject', label: 'No, and stop', answer: { reply: 'reject' } },
  ]
}

export const ownAnswer = 'own answer'
export const takeChosen = 'take them'

/** Options of one question; with several to choose, those that are chosen are marked and taken together. */
export function questionChoices(item: QuestionItem, chosen: ReadonlySet<string>): readonly SelectItem[] {
  const options = item.options.map(({ label, description }, at) => ({
    value: String(at),
    label: `${item.multiple === true ? (chosen.has(label) ? '[x] ' : '[ ] ') : ''}${showUnseen(label)}`,
    description: showUnseen(description),
  }))
  return [
    ...options,
    ...(item.multiple === true ? [{ value: takeChosen, label: 'Take these' }] : []),
    ...(item.custom === false ? [] : [{ value: ownAnswer, label: 'Another answer' }]),
  ]
}
