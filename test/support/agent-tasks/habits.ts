/** How families of models go about a work, and what goes wrong with them: each turns steps into answers. */
import type { ScriptedTurn } from '../fake-model.ts'
import type { Deed, Work } from './works.ts'

export interface Habit {
  readonly name: string
  readonly answers: (work: Work) => readonly ScriptedTurn[]
  /** What a sub-agent says that is asked meanwhile. */
  readonly report?: string
  /** Interrupts the turn at this answer. */
  readonly interruptAt?: number
}

let counted = 0
const fresh = () => {
  counted += 1
  return `call_${counted}`
}

const callsOf = (deeds: readonly Deed[]): ScriptedTurn => ({
  calls: deeds.map((deed) => ({ id: fresh(), ...deed })),
})
const done: ScriptedTurn = { text: ['All of it is done.'] }
const together = (work: Work): ScriptedTurn[] => [...work.steps.map(callsOf), done]
/** Before the step that changes something. */
const before = (work: Work, ...turns: readonly ScriptedTurn[]): ScriptedTurn[] => {
  const at = work.steps.findIndex((deeds) =>
    deeds.some(({ name }) => name !== 'grep' && name !== 'list' && name !== 'read'),
  )
  const all = together(work)
  return [...all.slice(0, at), ...turns, ...all.slice(at)]
}

export const habits: readonly Habit[] = [
  { name: 'several calls in one step', answers: together },
  { name: 'one call in a step', answers: (work) => [...work.steps.flat().map((deed) => callsOf([deed])), done] },
  {
    name: 'arguments that are not JSON',
    answers: (work) =>
      before(
        work,
        { calls: [{ id: fresh(), name: 'edit', input: {}, text: '{"path": "README.md", "oldString": "# di' }] },
        { calls: [{ id: fresh(), name: 'bash', input: {}, text: '["ls"]' }] },
        { calls: [{ id: fresh(), name: 'list', input: {}, text: '' }] },
      ),
  },
  {
    name: 'anchors that are not there, or twice',
    answers: (work) =>
      before(
        work,
        callsOf([{ name: 'read', input: { path: 'README.md' } }]),
        callsOf([{ name: 'edit', input: { path: 'README.md', oldString: '# Dail', newString: '# Dials' } }]),
        callsOf([{ name: 'edit', input: { path: 'README.md', oldString: '- ', newString: '* ' } }]),
        callsOf([patchDeed('-Keeps a valeu on its dial.\n+Keeps a value.')]),
        callsOf([patchDeed('-\n+---')]),
      ),
  },
  {
    name: 'edits of what was not read',
    answers: (work) => [
      callsOf([{ name: 'edit', input: { path: 'README.md', oldString: '# dial', newString: '# Dial' } }]),
      callsOf([{ name: 'write', input: { path: 'README.md', content: 'gone\n' } }]),
      ...together(work),
    ],
  },
  {
    name: 'tools and arguments of other harnesses',
    answers: (work) =>
      before(
        work,
        callsOf([{ name: 'str_replace_editor', input: { command: 'view', path: '/repo' } }]),
        callsOf([
          { name: 'read', input: { path: 7 } },
          { name: 'read', input: { file: 'README.md' } },
        ]),
      ),
  },
  {
    name: 'thoughts in its text',
    answers: (work) =>
      together(work).map((turn) =>
        'status' in turn ? turn : { ...turn, text: ['<think>Hm, ', 'so.</think>\n', ...(turn.text ?? [])] },
      ),
  },
  {
    name: 'thoughts beside its text',
    answers: (work) =>
      together(work).map((turn) => ('status' in turn ? turn : { ...turn, reasoning: ['First this, ', 'then that.'] })),
  },
  {
    name: 'round in a circle',
    answers: (work) => [
      ...Array.from({ length: 3 }, () => callsOf([{ name: 'list', input: { path: '.' } }])),
      ...together(work),
    ],
  },
  {
    name: 'a refusal',
    answers: (work) => [{ text: ['I cannot help with that.'], finish: 'content_filter' }, ...together(work)],
  },
  {
    name: 'a provider that breaks off',
    answers: (work) => [
      { text: ['Let me '], isCut: true },
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 500 },
      ...together(work),
    ],
  },
  { name: 'nothing to say', answers: (work) => before(work, {}) },
  {
    name: 'ids that begin anew in each step',
    answers: (work) => [
      ...work.steps.map((deeds) => ({ calls: deeds.map((deed, at) => ({ id: `call_${at}`, ...deed })) })),
      done,
    ],
  },
  {
    name: 'an answer that is cut at its length',
    answers: (work) =>
      before(work, {
        text: ['I will write it all down'],
        calls: [{ id: fresh(), name: 'write', input: {}, text: '{"path": "README.md", "content": "# d' }],
        finish: 'length',
      }),
  },
  {
    name: 'a task for a sub-agent',
    report: 'It is used in two files.',
    answers: (work) => [
      callsOf([
        { name: 'task', input: { description: 'Look', prompt: 'Where is it used?', agent: 'explore' } },
        { name: 'task', input: { description: 'Look again', prompt: 'And where else?', agent: 'explore' } },
        { name: 'task', input: { description: 'Nobody', prompt: 'Who?', agent: 'nobody' } },
      ]),
      ...together(work),
    ],
  },
  {
    name: 'an owner who interrupts',
    interruptAt: 0,
    answers: (work) => [callsOf([{ name: 'bash', input: { command: 'sleep 60' } }]), ...together(work)],
  },
  {
    name: 'a context that is full',
    answers: (work) =>
      before(work, {
        status: 400,
        body: { error: { message: 'This model has a maximum context length of 8192 tokens' } },
      }),
  },
]

function patchDeed(lines: string): Deed {
  return {
    name: 'apply_patch',
    input: { patchText: `*** Begin Patch\n*** Update File: README.md\n@@\n${lines}\n*** End Patch` },
  }
}
