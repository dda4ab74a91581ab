/** The pages that are about the server and its folders, not about one session. */
import { grouped } from '../model/amounts.ts'

const counted = (value: number, one: string, many = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`

const kinds: Readonly<Record<string, string>> = { image: 'images', pdf: 'PDF', audio: 'sound', video: 'video' }

export const grounds = {
  files: {
    changed: 'Differs from the last commit',
    all: 'All files',
    cut: 'There are more than are listed.',
    difference: 'Difference from the last commit',
    noRepository: 'This folder is in no repository: what differs is not known.',
    holdsChange: 'something in it differs',
    choose: 'Choose a file to read.',
    noText: 'It is no text.',
    tooLong: 'The rest is not shown.',
  },
  catalog: {
    models: 'Models',
    agents: 'Agents',
    commands: 'Commands',
    skills: 'Skills',
    references: 'Folders to look into',
    columns: {
      name: 'Model',
      takes: 'Takes',
      context: 'Context',
      output: 'Answer',
      price: '$ a million: sent / answered',
    },
    kinds,
    noTools: 'no tools',
    noPrice: 'no known price',
    inShort: (context: string, price: string | undefined) =>
      `Context ${context}, ${price === undefined ? 'no known price' : `${price} a million sent / answered`}`,
    modes: { primary: 'for sessions', subagent: 'for tasks', all: 'for both' },
    noModels: 'No model can be used yet.',
    noModelsBody: 'Name a provider and its key in the configuration.',
  },
  memory: {
    rules: 'Rules of the project',
    noRules: 'No file of rules, such as AGENTS.md, lies in the project.',
    notes: 'Remembered',
    noNotes: 'No session has kept a note for later ones.',
    from: 'Its session',
    forget: 'Forget',
    forgetNamed: (text: string) => `Forget: ${text}`,
  },
  cleanup: {
    olderThan: 'Not changed for',
    days: (days: number) => (days === 0 ? 'any time' : counted(days, 'day')),
    where: 'Where',
    thisProject: 'This project',
    allProjects: 'All projects',
    sessions: 'Sessions',
    spared: (count: number) => `${counted(count, 'other')} spared`,
    stored: 'In the storage',
    rows: (count: number) => counted(count, 'row'),
    kinds: { tool_output: 'Logs', snapshot_store: 'Earlier files', work_tree: 'Work trees' },
    parts: (count: number) => counted(count, 'part'),
    nothing: 'There is nothing that old.',
    more: (count: number) => `and ${grouped(count)} more`,
    archive: 'Put away…',
    delete: 'Delete…',
    confirm: {
      archive: (count: number) => `Put ${counted(count, 'session')} away?`,
      delete: (count: number) => `Delete ${counted(count, 'session')} for good?`,
    },
    meaning: {
      archive: 'They stay whole; a prompt brings one back.',
      delete: 'Their messages, tasks, logs and work trees go with them. Files of projects stay as they are.',
    },
    now: { archive: 'Put away', delete: 'Delete' },
    notes: {
      more: (most: number) => `More than ${grouped(most)} sessions are that old: the rest takes another round.`,
      left: (path: string) => `${path} could not be removed; the next start tries again.`,
    },
    done: {
      archive: (count: number) => `${counted(count, 'session')} put away.`,
      delete: (count: number) => `${counted(count, 'session')} deleted.`,
    },
  },
}
