import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import {
  imageBytesMax,
  listEntriesMax,
  questionCharactersMax,
  questionOptionsMax,
  questionsMax,
} from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'
import { gate } from '../../support/fake-model.ts'
import { processesWith } from '../../support/process-search.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  await server.close()
})

const done: ScriptedTurn = { text: ['done'] }

function call(name: string, input: unknown, id = `call_${name}`): ScriptedTurn {
  return { calls: [{ id, name, input }] }
}

/** Runs the scripted turns; answers the state of each call in order. */
async function run(...turns: ScriptedTurn[]) {
  server.model.script(...turns)
  const session = await server.firstTurn('Go')
  const messages = await server.messages(session)
  const states = messages.flatMap((message) =>
    message.type === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool' ? [part.state] : [])) : [],
  )
  return { session, messages, states }
}

describe('apply_patch', () => {
  test('changes, makes and deletes files at once', async ({ expect }) => {
    await server.write('a.txt', 'one\ntwo\n')
    await server.write('b.txt', 'gone\n')
    const patchText =
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+TWO\n*** Delete File: b.txt\n*** Add File: c/d.txt\n+new\n*** End Patch'
    const { states } = await run(
      {
        calls: [
          { id: 'r1', name: 'read', input: { path: 'a.txt' } },
          { id: 'r2', name: 'read', input: { path: 'b.txt' } },
        ],
      },
      call('apply_patch', { patchText }),
      done,
    )

    expect(states[2]).toMatchObject({
      status: 'completed',
      content: [{ text: 'Changed a.txt\nDeleted b.txt\nCreated c/d.txt' }],
    })
    expect(await readFile(path.join(server.project, 'a.txt'), 'utf8')).toBe('one\nTWO\n')
    expect(await readFile(path.join(server.project, 'c/d.txt'), 'utf8')).toBe('new\n')
    await expect(readFile(path.join(server.project, 'b.txt'))).rejects.toThrow('ENOENT')
  })

  test('of which one part does not fit changes nothing', async ({ expect }) => {
    await server.write('a.txt', 'one\n')
    const patchText =
      '*** Begin Patch\n*** Add File: c.txt\n+new\n*** Update File: a.txt\n@@\n-two\n+TWO\n*** End Patch'
    const { states } = await run(call('read', { path: 'a.txt' }), call('apply_patch', { patchText }), done)

    expect(states[1]).toMatchObject({ status: 'error' })
    await expect(readFile(path.join(server.project, 'c.txt'))).rejects.toThrow('ENOENT')
  })
})

describe('files', () => {
  test('that changed since they were read are not overwritten', async ({ expect }) => {
    await server.write('a.txt', 'one\n')
    const hold = gate()
    server.model.script(
      call('read', { path: 'a.txt' }),
      { ...call('write', { path: 'a.txt', content: 'model\n' }), hold: hold.wait },
      done,
    )
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await server.model.arrived(2)
    await writeFile(path.join(server.project, 'a.txt'), 'owner was here\n')
    hold.open()
    await server.wait(session)

    expect(await readFile(path.join(server.project, 'a.txt'), 'utf8')).toBe('owner was here\n')
  })

  test('outside the project are asked for, also behind a link', async ({ expect }) => {
    await symlink('/etc/hostname', path.join(server.project, 'link'))
    server.model.script(call('read', { path: 'link' }))
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await expect
      .poll(async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data, { timeout: 20_000 })
      .toMatchObject([{ action: 'external_directory', resources: ['/etc/hostname'], save: ['/etc/*'] }])
    await server.send('POST', `/api/session/${session}/interrupt`)
  })

  test.for([
    ['a folder', '.', /a\.txt/],
    ['a device', '/dev/null', undefined],
    ['nothing', 'missing.txt', undefined],
  ] as const)('reading %s', async ([, target, expected], { expect }) => {
    await server.close()
    server = await startTestServer({ config: { permission: 'allow' } })
    await server.write('a.txt', 'one\n')
    const { states } = await run(call('read', { path: target }), done)

    if (expected === undefined) expect(states[0]).toMatchObject({ status: 'error' })
    else expect(JSON.stringify(states[0])).toMatch(expected)
  })

  test('that are long come in pages', async ({ expect }) => {
    await server.write('long.txt', Array.from({ length: 2_500 }, (_unused, index) => `line ${index + 1}`).join('\n'))
    const { states } = await run(
      call('read', { path: 'long.txt' }),
      call('read', { path: 'long.txt', offset: 2_001 }, 'second'),
      done,
    )

    expect(JSON.stringify(states[0])).toContain('go on with offset 2001')
    expect(JSON.stringify(states[1])).toContain('2500\\tline 2500')
  })

  test('that end with a line break have no line after it', async ({ expect }) => {
    await server.write('two.txt', 'one\ntwo\n')
    const { states } = await run(call('read', { path: 'two.txt' }), done)
    expect(states[0]).toMatchObject({ structured: { lines: 2 }, content: [{ text: '1\tone\n2\ttwo' }] })
  })
})

describe('images', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const image = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)])
  async function startWith(input: string[]): Promise<void> {
    await server.close()
    server = await startTestServer()
    const fake = { baseURL: server.model.url, models: { one: { input } } }
    await server.write('../config/svc.json', JSON.stringify({ model: 'fake/one', provider: { fake } }))
    await server.restart()
  }

  test('that are read are shown to a model that takes them, as they were', async ({ expect }) => {
    await startWith(['text', 'image'])
    await writeFile(path.join(server.project, 'dot.bin'), image(100))
    const { states } = await run(call('read', { path: 'dot.bin' }), call('bash', { command: 'rm dot.bin' }), done)

    expect(states[0]).toMatchObject({
      status: 'completed',
      structured: { uri: 'dot.bin', mime: 'image/png' },
      content: [
        { type: 'text', text: 'dot.bin is an image (image/png, 100 bytes)' },
        { type: 'file', mime: 'image/png', name: 'dot.bin', uri: expect.stringMatching(/^file:/) },
      ],
    })
    for (const request of server.model.asked.slice(1)) {
      const text = JSON.stringify(request.messages)
      expect(text).toContain(`data:image/png;base64,${image(100).toString('base64')}`)
    }
  })

  test('are named instead to a model that takes none', async ({ expect }) => {
    await startWith(['text'])
    await writeFile(path.join(server.project, 'dot.png'), image(100))
    await run(call('read', { path: 'dot.png' }), done)

    const text = JSON.stringify(server.model.asked[1]?.messages)
    expect(text).toContain('(dot.png is left out: this model takes no image/png)')
    expect(text).not.toContain('base64,')
  })

  test('of exactly the limit are shown, one byte more is refused', async ({ expect }) => {
    await writeFile(path.join(server.project, 'at.png'), image(imageBytesMax))
    await writeFile(path.join(server.project, 'past.png'), image(imageBytesMax + 1))
    const { states } = await run(
      call('read', { path: 'at.png' }, 'at'),
      call('read', { path: 'past.png' }, 'past'),
      done,
    )

    expect(states).toMatchObject([
      { status: 'completed' },
      { status: 'error', error: { message: expect.stringContaining('make it smaller') } },
    ])
  })
})

describe('a search', () => {
  test('shows nothing of a file that asks before it is read, however it is named', async ({ expect }) => {
    await server.write('.env', 'KEY=canary\n')
    await server.write('.git/config', 'canary\n')
    await server.write('plain.txt', 'canary in the open\n')
    server.model.script(
      call('grep', { pattern: 'canary' }, 'c1'),
      call('grep', { pattern: 'canary', include: '*.env' }, 'c2'),
      call('grep', { pattern: 'canary', include: '.git/**' }, 'c3'),
      call('glob', { pattern: '.git/**' }, 'c4'),
      call('grep', { pattern: 'canary', path: '.env' }, 'c5'),
    )
    const session = await server.createSession()
    await server.prompt(session, 'Look')
    await server.events(`/api/session/${session}/event`, (seen) =>
      seen.some((event) => event.data.type === 'permission.v2.asked'),
    )

    const asked = (await server.send('GET', `/api/session/${session}/permission`)).body.data
    expect(asked).toMatchObject([{ action: 'read', resources: ['.env'], source: { callID: 'c5' } }])
    const shown = (await server.messages(session)).flatMap((message) =>
      message.type === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool' ? [part.state] : [])) : [],
    )
    const leftOut = '(1 file left out that may not be read without asking)'
    expect(shown.slice(0, 4)).toMatchObject([
      { content: [{ text: `plain.txt:1:canary in the open\n${leftOut}` }] },
      { content: [{ text: `No match\n${leftOut}` }] },
      { content: [{ text: 'No match' }] },
      { content: [{ text: 'No file' }] },
    ])
  })
})

test('a search keeps to the rules of reading, those of the configuration and those the owner saved', async ({
  expect,
}) => {
  await server.close()
  server = await startTestServer({
    config: { permission: { read: { 'secret/*': 'deny', 'own/*': 'ask', '.env.example': 'allow' } } },
  })
  for (const name of ['secret/key: 1.txt', 'own/notes.txt', '.env.example', 'open.txt']) {
    await server.write(name, 'one\ncanary\n')
  }
  const grep = (input: Record<string, unknown> = {}) => call('grep', { pattern: 'canary', ...input })
  const texts = async () => {
    const { states } = await run(grep(), grep({ path: 'secret' }), done)
    return states.map((state) =>
      state.status === 'completed' && state.content[0]?.type === 'text' ? state.content[0].text : state.status,
    )
  }

  expect(await texts()).toEqual([
    '.env.example:2:canary\nopen.txt:2:canary\n(2 files left out that may not be read without asking)',
    'No match\n(1 file left out that may not be read without asking)',
  ])

  const reading = await server.createSession()
  server.model.script(call('read', { path: 'own/notes.txt' }), done)
  await server.prompt(reading, 'Read')
  const listed = () => server.send('GET', `/api/session/${reading}/permission`)
  await expect.poll(async () => (await listed()).body.data.length).toBe(1)
  const [request] = (await listed()).body.data
  await server.send('POST', `/api/session/${reading}/permission/${request.id}/reply`, { reply: 'always' })
  await server.wait(reading)
  expect((await texts())[0]).toContain('own/notes.txt:2:canary')
})

test('the agent that only plans hands nothing to one that changes files', async ({ expect }) => {
  const write = { calls: [{ id: 'w', name: 'write', input: { path: 'made.txt', content: 'x' } }] }
  const task = (agent: string) => call('task', { description: 'x', prompt: 'x', agent }, agent)
  server.model.script(task('general'), task('explore'), write, done, done)
  const created = await server.send('POST', '/api/session', { agent: 'plan' })
  const session = created.body.data.id
  await server.turn(session, 'Plan')

  const states = (await server.messages(session)).flatMap((message) =>
    message.type === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool' ? [part.state] : [])) : [],
  )
  expect(states).toMatchObject([
    { status: 'error', error: { message: 'The rules do not allow task here' } },
    { status: 'completed' },
  ])
  await expect(readFile(path.join(server.project, 'made.txt'))).rejects.toThrow('ENOENT')
})

describe('bash', () => {
  test('keeps long output whole on disk and gives the model its ends', async ({ expect }) => {
    const { states } = await run(call('bash', { command: 'seq 1 200000; echo error: here; exit 3' }), done)

    const [state] = states
    if (state?.status !== 'completed') throw new Error(JSON.stringify(state))
    const [file = ''] = state.outputPaths ?? []
    const text = JSON.stringify(state.content)
    expect(text.length).toBeLessThan(70_000)
    expect(text).toContain('"1\\n2\\n')
    expect(text).toContain('199999\\n200000\\nerror: here\\n(exit code 3)')
    const numbers = Array.from({ length: 200_000 }, (_, index) => index + 1)
    expect((await readFile(file, 'utf8')) === `${numbers.join('\n')}\nerror: here\n`).toBe(true)
  })

  test('ends everything it started, a service of its own too', async ({ expect }) => {
    const command =
      "setsid sh -c 'echo up > up; exec sleep 600.301' & while [ ! -s up ]; do sleep 0.01; done; echo started"
    const { states } = await run(call('bash', { command }), done)

    expect(states[0]).toMatchObject({ status: 'completed', content: [{ text: 'started\n(exit code 0)' }] })
    await expect.poll(() => processesWith('sleep 600.301'), { timeout: 5_000 }).toEqual([])
  })

  test('outside of a sandbox ends without a service that it started', async ({ expect }) => {
    await server.close()
    server = await startTestServer({
      config: { sandbox: { enabled: false }, permission: { bash_outside: 'allow' } },
    })
    const command =
      "setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do sleep 0.01; done; echo started"
    const { states } = await run(call('bash', { command }), done)
    process.kill(Number(await readFile(path.join(server.project, 'pid'), 'utf8')))

    expect(states[0]).toMatchObject({ status: 'completed', content: [{ text: 'started\n(exit code 0)' }] })
  })

  test('in a folder that is not there says so', async ({ expect }) => {
    await server.write('file', 'x')
    for (const workdir of ['nowhere', 'file']) {
      const { states } = await run(call('bash', { command: 'pwd', workdir }), done)
      expect(states[0]).toMatchObject({ status: 'error', error: { message: `${workdir} is not a directory` } })
    }
  })

  test('is stopped when its time is up', async ({ expect }) => {
    const { states } = await run(call('bash', { command: 'echo begun; sleep 600', timeout: 100 }), done)

    expect(states[0]).toMatchObject({ status: 'completed', structured: { timeout: true } })
    expect(JSON.stringify(states[0])).toContain('begun')
  })

  test('that will not end on request is killed', async ({ expect }) => {
    const { states } = await run(
      // Time enough for a busy machine to come to the trap.
      call('bash', { command: 'trap "" TERM; echo begun; while true; do sleep 1; done', timeout: 3_000 }),
      done,
    )

    expect(states[0]).toMatchObject({ status: 'completed', structured: { timeout: true, exit: null } })
  })
})

describe('task', () => {
  test('runs in a session of its own, below the one that asked, and its report is the outcome', async ({ expect }) => {
    const { session, states } = await run(
      call('task', { description: 'Look around', prompt: 'What is there?', agent: 'explore' }),
      { text: ['a project'] },
      done,
    )

    expect(states[0]).toMatchObject({ status: 'completed', content: [{ text: 'a project' }] })
    const listed = (await server.send('GET', '/api/session')).body.data as { id: string; parentID?: string }[]
    const child = listed.find((entry) => entry.parentID === session)
    expect(child).toMatchObject({ title: 'Look around', agent: 'explore', parentId: session })
    const tools = server.model.asked[1]?.tools?.map((tool) => tool.function.name)
    expect(tools?.sort()).toEqual(['glob', 'grep', 'list', 'read', 'skill', 'webfetch'])
  })

  test('neither asks the owner, nor keeps his list, nor hands work on, whichever agent does it', async ({ expect }) => {
    await server.write('.svc/agent/helper.md', '---\nmode: all\n---\nYou help.')
    await server.restart()
    await run(call('task', { description: 'Help', prompt: 'Help', agent: 'helper' }), { text: ['done'] }, done)

    const [own, ofTask] = server.model.asked.map((request) => request.tools?.map((tool) => tool.function.name) ?? [])
    expect(own).toEqual(expect.arrayContaining(['question', 'todowrite', 'task', 'bash']))
    expect(ofTask).toEqual(expect.arrayContaining(['read', 'edit', 'bash']))
    expect(ofTask?.filter((name) => ['question', 'todowrite', 'task'].includes(name))).toEqual([])
  })

  test('ends with the turn that asked for it', async ({ expect }) => {
    const hold = gate()
    server.model.script(call('task', { description: 'Wait', prompt: 'Wait' }), { text: ['x'], hold: hold.wait })
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await server.model.arrived(2)

    await server.send('POST', `/api/session/${session}/interrupt`)

    await expect
      .poll(async () => (await server.send('GET', '/api/session/active')).body.data, { timeout: 20_000 })
      .toEqual({})
    hold.open()
    expect((await server.messages(session)).at(-1)).toMatchObject({ error: { reason: 'interrupted' } })
  })

  test('of an unknown agent is refused', async ({ expect }) => {
    const { states } = await run(call('task', { description: 'x', prompt: 'x', agent: 'build' }), done)

    expect(states[0]).toMatchObject({ status: 'error' })
  })
})

describe('list', () => {
  test('shows folders first, of exactly as many entries as it may, and says how many more there are', async ({
    expect,
  }) => {
    await server.write('b/x.txt', 'x')
    for (let index = 0; index < listEntriesMax - 1; index += 1) await server.write(`a${index}.txt`, '')
    const whole = await run(call('list', {}), done)
    await server.write('one-more.txt', '')
    const cut = await run(call('list', { path: '.' }), done)

    const linesOf = (state: (typeof whole.states)[number] | undefined) =>
      state?.status === 'completed' && state.content[0]?.type === 'text' ? state.content[0].text.split('\n') : []
    expect(linesOf(whole.states[0])).toHaveLength(listEntriesMax)
    expect(linesOf(whole.states[0])[0]).toBe('b/')
    expect(linesOf(cut.states[0])).toHaveLength(listEntriesMax + 1)
    expect(linesOf(cut.states[0]).at(-1)).toBe('(1 more)')
  })
})

describe('todowrite', () => {
  test('replaces the list, and followers of the process are told', async ({ expect }) => {
    const todos = [
      { content: 'Look', status: 'completed' },
      { content: 'Mend', status: 'in_progress', priority: 'high' },
    ]
    let turn: ReturnType<typeof run> | undefined
    const events = await server.events('/api/event', (seen) => {
      if (seen.length === 1) turn = run(call('todowrite', { todos }), done)
      return seen.some(({ data }) => data.type === 'session.idle')
    })
    await turn
    expect(events.find(({ data }) => data.type === 'todo.updated')?.data.data).toMatchObject({ todos })
    expect(JSON.stringify(server.model.asked[1]?.messages)).toContain('2 entries, 1 open')
  })

  test('of an unknown state is told to the model', async ({ expect }) => {
    const { states } = await run(call('todowrite', { todos: [{ content: 'x', status: 'later' }] }), done)
    expect(states[0]).toMatchObject({ status: 'error', error: { message: expect.stringContaining('todos.0.status') } })
  })
})

describe('skill', () => {
  const skill = (text: string) => `---\ndescription: Brews\n---\n${text}`

  test('gives the instructions of the one that is named, which the model was told of', async ({ expect }) => {
    await server.write('.agents/skills/tea/SKILL.md', skill('Boil water.'))
    await server.restart()
    const { states } = await run(call('skill', { name: 'tea' }), call('skill', { name: 'coffee' }, 'c2'), done)

    expect(JSON.stringify(server.model.asked[0]?.messages[0])).toContain('- tea: Brews')
    expect(JSON.stringify(states[0])).toContain('Boil water.')
    expect(states[1]).toMatchObject({ status: 'error', error: { message: 'There is no skill named coffee' } })
  })

  test('does not choose between two of one name', async ({ expect }) => {
    await server.write('.agents/skills/tea/SKILL.md', skill('One'))
    await server.write('.svc/skill/tea/SKILL.md', skill('Two'))
    await server.restart()
    const { states } = await run(call('skill', { name: 'tea' }), done)
    expect(states[0]).toMatchObject({
      status: 'error',
      error: { message: expect.stringMatching(/^Several skills are named tea: .*\.svc.*\.agents/) },
    })
  })
})

test.for([
  ['whose ids differ', ['one', 'two', 'three']],
  ['that a provider counts anew in every step', ['call_0', 'call_0', 'call_0']],
] as const)('the same call for the third time in a row asks the owner, of calls %s', async ([, ids], { expect }) => {
  server.model.script(...ids.map((id) => call('list', {}, id)), done)
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await expect
    .poll(async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data, { timeout: 20_000 })
    .toMatchObject([{ action: 'doom_loop', resources: ['list'], source: { callID: ids[2] } }])
  await server.send('POST', `/api/session/${session}/interrupt`)
})

describe('a question', () => {
  const question = { question: 'Which?', header: 'Which', options: [{ label: 'This', description: 'one' }] }
  const options = (count: number) =>
    Array.from({ length: count }, (_unused, index) => ({ label: `${index}`, description: '' }))

  test.for([
    ['as many of them as may be', { questions: Array.from({ length: questionsMax }, () => question) }, true],
    ['one more', { questions: Array.from({ length: questionsMax + 1 }, () => question) }, false],
    ['none', { questions: [] }, false],
    ['as many options as may be', { questions: [{ ...question, options: options(questionOptionsMax) }] }, true],
    ['one option more', { questions: [{ ...question, options: options(questionOptionsMax + 1) }] }, false],
    ['text as long as may be', { questions: [{ ...question, question: 'x'.repeat(questionCharactersMax) }] }, true],
    ['one character more', { questions: [{ ...question, question: 'x'.repeat(questionCharactersMax + 1) }] }, false],
    ['a label twice', { questions: [{ ...question, options: [...options(1), ...options(1)] }] }, false],
    ['no way to answer it', { questions: [{ ...question, options: [], custom: false }] }, false],
  ] as const)('with %s is asked or told to the model', async ([, input, isAsked], { expect }) => {
    server.model.script(call('question', input), done)
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    if (isAsked) {
      await expect
        .poll(async () => (await server.send('GET', `/api/session/${session}/question`)).body.data.length)
        .toBe(1)
      await server.send('POST', `/api/session/${session}/interrupt`)
      return
    }
    await server.wait(session)
    const [, step] = await server.messages(session)
    expect(JSON.stringify(step)).toContain('The arguments do not fit the tool')
  })
})

test('an unknown tool and wrong arguments are told to the model, and the turn goes on', async ({ expect }) => {
  const { states, messages } = await run(call('nothing', {}), call('read', { path: 7 }), done)

  expect(states).toMatchObject([
    { status: 'error', error: { message: 'There is no tool named nothing' } },
    { status: 'error', error: { message: expect.stringContaining('path') } },
  ])
  expect(messages.at(-1)).toMatchObject({ finish: 'stop' })
})
