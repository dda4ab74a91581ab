/** `svc` alone, in a real pseudo-terminal: what its owner sees and what his keys do. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, test } from 'vitest'
import { gate, startFakeModel } from '../../support/fake-model.ts'
import { keptCode } from '../../support/kept-code.ts'
import { type ProgramScreen, startOnScreen } from '../../support/terminal-screen.ts'

const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
const enter = '\r'
const esc = '\u001b'
const down = '\u001b[B'

let screen: ProgramScreen | undefined

const model = await startFakeModel()
const base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-terminal-')))
const project = path.join(base, 'project')
await mkdir(path.join(project, '.svc/command'), { recursive: true })
await writeFile(path.join(project, '.svc/command/fix.md'), '---\ndescription: Mends it\n---\nMend $1')
await writeFile(path.join(project, 'notes.txt'), 'the word is plum\n')
await mkdir(path.join(base, 'config/svc'), { recursive: true })
const models = { one: { context: 100_000, output: 4_000 }, two: { name: 'Second', context: 100_000, output: 400 } }
const settings = {
  model: 'fake/one',
  provider: { fake: { baseURL: model.url, models } },
  permission: { edit: 'ask', bash: { '*': 'ask' }, bash_outside: 'ask' },
}
await writeFile(path.join(base, 'config/svc/svc.json'), JSON.stringify(settings))

afterEach(() => {
  screen?.end()
  screen = undefined
})

afterAll(async () => {
  await model.close()
  await rm(base, { recursive: true, force: true })
})

async function open(...flags: readonly string[]): Promise<ProgramScreen> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: base,
    XDG_CONFIG_HOME: path.join(base, 'config'),
    TERM: 'xterm-256color',
    ...keptCode,
  }
  const shown = startOnScreen([process.execPath, svc, '--data', path.join(base, 'data'), ...flags], {
    cwd: project,
    env,
  })
  screen = shown
  await shown.shows(/rests · build/)
  return shown
}

const lastAsked = () => JSON.stringify(model.asked.at(-1)?.messages)

describe('a session in the terminal', { timeout: 60_000 }, () => {
  test('shows what is written, thought, called and answered, and asks before a change', async ({ expect }) => {
    model.script(
      {
        reasoning: ['First a look.'],
        text: ['I write **it** down.'],
        calls: [{ id: 'c1', name: 'write', input: { path: 'fruit.txt', content: 'plum\n' } }],
      },
      { text: ['It is\n\n- written', '\n- and done'] },
    )
    const shown = await open()
    await shown.shows(/Write what is to be done/)
    expect(shown.text()).not.toContain('New session')
    shown.type(`Write the word${enter}`)
    await shown.shows(/Change a file\? \(edit\)\s+fruit\.txt\s+\+plum/)
    await shown.shows(/› Write the word/)
    await shown.shows(/waits for you · build/)
    expect(shown.text()).toMatch(/First a look\..*I write it down\..*→ Yes, this once/s)
    await expect(readFile(path.join(project, 'fruit.txt'))).rejects.toThrow('ENOENT')

    shown.type(enter)
    await shown.shows(/✓ write fruit\.txt\s+\+plum.*- written\s+- and done/s)
    await shown.shows(/rests · build/)
    expect(await readFile(path.join(project, 'fruit.txt'), 'utf8')).toBe('plum\n')
    shown.type('/changes')
    await shown.shows(/Shows what this session changed/)
    shown.type(enter)
    await shown.shows(/fruit\.txt \+1 -0/)
    shown.type('\u0004')
    expect(await shown.ended).toBe(0)
  })

  test('goes on in the newest of the folder, takes other words than yes, and answers questions', async ({ expect }) => {
    const shown = await open('--continue')
    await shown.shows(/› Write the word.*✓ write fruit\.txt/s)
    model.script({ calls: [{ id: 'c1', name: 'bash', input: { command: 'rm fruit.txt' } }] }, { text: ['Then not.'] })
    shown.type(`Remove it${enter}`)
    await shown.shows(/No, and say what to do instead/)
    shown.type(`${esc}[A${esc}[A${enter}`)
    await shown.shows(/What should it do instead\?/)
    shown.type(`keep it${enter}`)
    await shown.shows(/Then not\./)
    expect(lastAsked()).toContain('The owner rejected this call: keep it')

    const options = ['Plum', 'Fig', 'Pear'].map((label) => ({ label, description: `a ${label}` }))
    const questions = [
      { question: 'Which do you like?', header: 'Fruit', options, multiple: true },
      { question: 'And where?', header: 'Place', options: options.slice(0, 1) },
    ]
    model.script({ calls: [{ id: 'c2', name: 'question', input: { questions } }] }, { text: ['Understood.'] })
    shown.type(`Ask me${enter}`)
    await shown.shows(/Which do you like\?.*\[ \] Plum/s)
    shown.type(enter)
    await shown.shows(/\[x\] Plum/)
    shown.type(`${down}${enter}`)
    await shown.shows(/\[x\] Plum.*\[x\] Fig|\[x\] Fig/s)
    shown.type(`${down}${down}${down}${enter}`)
    await shown.shows(/And where\?.*Another answer/s)
    shown.type(`${down}${enter}in the garden${enter}`)
    await shown.shows(/Understood\./)
    expect(lastAsked()).toMatch(/Fig/)
    expect(lastAsked()).toContain('in the garden')
  })

  test('stops at Esc, and what it is told meanwhile reaches it at its next step', async ({ expect }) => {
    const [first, second] = [gate(), gate()]
    model.script(
      { text: ['Thinking about it'], hold: first.wait, calls: [{ id: 'c1', name: 'list', input: {} }] },
      { text: ['With regard to that'], hold: second.wait },
    )
    const shown = await open()
    shown.type(`Think${enter}`)
    await shown.shows(/Thinking about it.*works, Esc stops it/s)
    shown.type(`Mind the word${enter}`)
    await shown.shows(/─\s+─/)
    first.open()
    await shown.shows(/› Mind the word.*With regard to that/s)
    expect(lastAsked()).toContain('Mind the word')
    shown.type(esc)
    await shown.shows(/✗ The turn was interrupted/)
    await shown.shows(/rests · build/)
    second.open()
    shown.type('\u0003')
    await shown.shows(/Once more Ctrl\+C leaves/)
    shown.type('\u0003')
    expect(await shown.ended).toBe(0)
  })

  test('takes a prompt that waits back into the line, and says where none does', async ({ expect }) => {
    const hold = gate()
    const known = model.asked.length
    model.script({ text: ['Still at it'], hold: hold.wait }, { text: ['Mind what?'] })
    const shown = await open()
    shown.type(`/withdraw${enter}`)
    await shown.shows(/No prompt waits/)
    shown.type(`Think${enter}`)
    await shown.shows(/Still at it.*works, Esc stops it/s)
    shown.type(`Mind the wrod${enter}`)
    await shown.shows(/works, Esc stops it · 1 waits, \/withdraw takes it back/)
    shown.type(`/withdraw${enter}`)
    await shown.shows(/Prompts that wait.*→ Mind the wrod/s)
    shown.type(enter)
    await shown.shows(/A prompt was withdrawn.*─\s+Mind the wrod\s+─/s)
    hold.open()
    await shown.shows(/rests · build/)
    expect(model.asked).toHaveLength(known + 1)
    shown.type(`${'\u007f'.repeat(4)}word${enter}`)
    await shown.shows(/› Mind the word.*Mind what\?/s)
    shown.type('\u0004')
    expect(await shown.ended).toBe(0)
  })

  test('completes files and commands, attaches what is named, and chooses model, agent and session', async ({
    expect,
  }) => {
    model.script({ text: ['It is plum.'] })
    const shown = await open()
    shown.type('What does @not')
    await shown.shows(/→ notes\.txt/)
    shown.type('\t')
    await shown.shows(/What does @notes\.txt/)
    shown.type(`say?${enter}`)
    await shown.shows(/It is plum\./)
    expect(lastAsked()).toContain('the word is plum')

    shown.type('/fi')
    await shown.shows(/fix\s+Mends it/)
    model.script({ text: ['Mended.'] })
    shown.type(`\tit${enter}`)
    await shown.shows(/Mended\./)
    expect(lastAsked()).toContain('Mend it')

    shown.type(`/model fake/two${enter}`)
    await shown.shows(/rests · build · fake\/two/)
    shown.type(`/agent plan${enter}`)
    await shown.shows(/rests · plan · fake\/two/)
    shown.type(`/agent nobody${enter}`)
    await shown.shows(/There is no nobody among: build, plan/)
    shown.type(`/sessions${enter}`)
    await shown.shows(/Sessions of this folder\s+→ What does @notes/)
    shown.type(enter)
    shown.type(`/new${enter}`)
    await shown.shows(/rests · build *$/m)
  })

  test('shows no control sequence of a model as one, and fits a narrow window', async ({ expect }) => {
    model.script({
      text: [
        `Look: ${esc}]0;owned\u0007${esc}[2J${esc}[31mred\u202egnorw and a long line ${'of words '.repeat(20)}end`,
      ],
    })
    const shown = await open()
    shown.resize(40, 20)
    shown.type(`Go${enter}`)
    await shown.shows(/words end/)
    expect(shown.titles).not.toContain('owned')
    expect(shown.text()).toContain('\ufffd]0;owned\ufffd')
    expect(Math.max(...shown.lines().map((line) => line.length))).toBeLessThanOrEqual(40)
  })
})
