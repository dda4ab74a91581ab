/** Five kinds of work on the library: how its folder begins, what is asked for, what a model does and how it ends. */
import type { ScriptedCall } from '../fake-model.ts'
import type { Language, LibraryState } from './languages.ts'

export type Files = Readonly<Record<string, string>>

export interface Work {
  readonly name: string
  readonly asked: string
  readonly before: Files
  /** Changes of two branches that do not go together: theirs is merged before the work begins. */
  readonly conflict?: { readonly ours: Files; readonly theirs: Files }
  readonly after: Files
  /** Calls without their ids; those of one list do not need one another. */
  readonly steps: readonly (readonly Deed[])[]
}

export type Deed = Omit<ScriptedCall, 'id'>

const sound: LibraryState = { name: 'clamp', isBroken: false, hasShare: false }

export function worksOf(language: Language): readonly Work[] {
  const state = (change: Partial<LibraryState>) => language.files({ ...sound, ...change })
  return [
    workOf(language, 'mend', 'A test fails. Find out why and mend it.', state({ isBroken: true }), state({})),
    workOf(language, 'rename', 'Rename clamp to limit wherever it is used.', state({}), state({ name: 'limit' })),
    workOf(language, 'feature', 'Add share(value, high), with a test.', state({}), state({ hasShare: true })),
    mergeWork(language, state({ isBroken: true }), state({ isBroken: true, name: 'limit' }), state({})),
    tidyWork(language, state({})),
  ]
}

function workOf(language: Language, name: string, asked: string, before: Files, after: Files): Work {
  const changed = Object.keys(after).filter((path) => before[path] !== after[path])
  return {
    name,
    asked,
    before,
    after,
    steps: [
      [
        { name: 'grep', input: { pattern: 'clamp' } },
        { name: 'list', input: {} },
      ],
      changed.map((path) => ({ name: 'read', input: { path } })),
      changed.map((path) => editOf(path, before[path] ?? '', after[path] ?? '')),
      [runOf(language)],
    ],
  }
}

/** Ours renames the function, theirs mends it in the same lines: the right one has both. */
function mergeWork(language: Language, before: Files, ours: Files, theirs: Files): Work {
  const after = language.files({ ...sound, name: 'limit' })
  const path = language.source
  const commit = { command: `git add -A && git commit -q -m "Merge theirs"`, write: ['.git'] }
  return {
    name: 'merge',
    asked: 'A merge stopped at a conflict. Settle it and commit.',
    before,
    conflict: { ours, theirs },
    after,
    steps: [
      [{ name: 'bash', input: { command: 'git status --short' } }],
      [{ name: 'read', input: { path } }],
      [{ name: 'write', input: { path, content: after[path] } }],
      [runOf(language)],
      [{ name: 'bash', input: commit }],
    ],
  }
}

function tidyWork(language: Language, before: Files): Work {
  const { unused } = language
  const line = `- ${unused}: the old way`
  const { [unused]: _gone, ...rest } = before
  const patchText = `*** Begin Patch\n*** Delete File: ${unused}\n*** Update File: README.md\n@@\n-${line}\n - tests beside it\n*** End Patch`
  return {
    name: 'tidy',
    asked: `Nobody needs ${unused} any more: remove it, also where it is mentioned.`,
    before,
    after: { ...rest, 'README.md': (rest['README.md'] ?? '').replace(`${line}\n`, '') },
    steps: [
      [
        { name: 'read', input: { path: unused } },
        { name: 'read', input: { path: 'README.md' } },
      ],
      [{ name: 'apply_patch', input: { patchText } }],
      [runOf(language)],
    ],
  }
}

function runOf({ name, needs, test }: Language): Deed {
  const command = `${needs} || { echo "no ${name} here"; exit 0; }\n${test}`
  return { name: 'bash', input: { command } }
}

/** From the first line that changes to the last, with as many lines before them as tell the place from every other. */
function editOf(path: string, before: string, after: string): Deed {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  let from = 0
  while (old[from] === fresh[from]) from += 1
  let back = 0
  while (back < Math.min(old.length, fresh.length) - from && old.at(-1 - back) === fresh.at(-1 - back)) back += 1
  let start = Math.max(0, from - 1)
  const end = Math.max(0, back - 1)
  const part = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n')
  while (start > 0 && before.split(part(old)).length !== 2) start -= 1
  return { name: 'edit', input: { path, oldString: part(old), newString: part(fresh) } }
}
