/** The agent from an editor: the protocol's own client, at the other end of the standard streams of `svc acp`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { afterAll, beforeEach, describe, test } from 'vitest'
import { editorAgent } from '../../../local/agent/acp/editor-agent.ts'
import { AgentClient } from '../../../local/agent/client/agent-client.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { gate, startFakeModel } from '../../support/fake-model.ts'
import { keptCode } from '../../support/kept-code.ts'

const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
const { agent: ours } = methods
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let updates: SessionUpdate[]
let asked: RequestPermissionRequest[]
/** What the person at the editor chooses: the kind of an option, or nothing. */
let choice: (request: RequestPermissionRequest) => Promise<string | undefined>

const model = await startFakeModel()
const base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-acp-')))
const project = path.join(base, 'project')
await mkdir(path.join(project, '.svc/command'), { recursive: true })
await writeFile(path.join(project, '.svc/command/fix.md'), '---\ndescription: Mends it\n---\nMend $1')
await mkdir(path.join(base, 'config/svc'), { recursive: true })
const models = {
  one: { context: 100_000, output: 4_000 },
  two: { name: 'Second', input: ['text', 'image'], context: 100_000, output: 400 },
}
const settings = {
  model: 'fake/one',
  provider: { fake: { baseURL: model.url, models } },
  permission: { edit: 'ask', bash: { '*': 'allow' }, bash_outside: 'allow' },
}
await writeFile(path.join(base, 'config/svc/svc.json'), JSON.stringify(settings))
const child = spawn(process.execPath, [svc, 'acp', '--data', path.join(base, 'data')], {
  cwd: project,
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { PATH: process.env['PATH'] ?? '', HOME: base, XDG_CONFIG_HOME: path.join(base, 'config'), ...keptCode },
})
const { stdin, stdout } = child
if (stdin === null || stdout === null) throw new Error('no streams')
const editor = client({ name: 'test' })
  .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
  .onRequest(methods.client.session.requestPermission, async ({ params }) => {
    asked.push(params)
    const chosen = await choice(params)
    const option = params.options.find(({ optionId }) => optionId === chosen)
    return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', ...option } }
  })
  .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>))

beforeEach(() => {
  updates = []
  asked = []
  choice = async () => 'once'
})

afterAll(async () => {
  editor.close()
  const ended = once(child, 'exit')
  child.stdin?.end()
  // With its editor it ends by itself.
  await ended
  await model.close()
  await rm(base, { recursive: true, force: true })
})

function begin() {
  return editor.agent.request(ours.session.new, { cwd: project, mcpServers: [] })
}

function prompt(sessionId: string, text: string) {
  return editor.agent.request(ours.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
}

function said(kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'): string {
  return updates
    .flatMap((update) => (update.sessionUpdate === kind && update.content.type === 'text' ? [update.content.text] : []))
    .join('')
}

function of<K extends SessionUpdate['sessionUpdate']>(kind: K) {
  return updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: K }> => update.sessionUpdate === kind,
  )
}

/** What is known of a call after all that was told of it. */
function callWith(tool: string) {
  const begun = of('tool_call').find(({ name }) => name === tool)
  return Object.assign(
    {},
    ...[...of('tool_call'), ...of('tool_call_update')].filter((one) => one.toolCallId === begun?.toolCallId),
  )
}

describe('an editor', () => {
  test('is told who answers and what it can do', async ({ expect }) => {
    const told = await editor.agent.request(ours.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    })
    expect(told.protocolVersion).toBe(PROTOCOL_VERSION)
    expect(told.agentCapabilities).toMatchObject({ loadSession: true, promptCapabilities: { image: true } })
  })

  test('takes a task from the prompt to the change, with a plan, and is asked before', async ({ expect }) => {
    await writeFile(path.join(project, 'claim.js'), 'put(job)\nreturn true\n')
    const { sessionId, modes } = await begin()
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(expect.arrayContaining(['build', 'plan']))
    const todos = [
      { content: 'Mend it', status: 'in_progress', priority: 'high' },
      { content: 'Not that', status: 'cancelled' },
    ]
    model.script(
      {
        reasoning: ['It must be atomic.'],
        text: ['I look.'],
        calls: [
          { id: 'c1', name: 'read', input: { path: 'claim.js' } },
          { id: 'c2', name: 'todowrite', input: { todos } },
        ],
      },
      {
        calls: [{ id: 'c1', name: 'edit', input: { path: 'claim.js', oldString: 'put(job)', newString: 'swap(job)' } }],
      },
      { calls: [{ id: 'c1', name: 'bash', input: { command: 'echo built; exit 3' } }] },
      { text: ['Done.'] },
    )
    const ended = await prompt(sessionId, 'Make it atomic')
    expect(ended.stopReason).toBe('end_turn')
    expect([said('agent_thought_chunk'), said('agent_message_chunk')]).toEqual(['It must be atomic.', 'I look.Done.'])
    expect(of('plan')).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'Mend it', status: 'in_progress', priority: 'high' }] },
    ])
    const file = path.join(project, 'claim.js')
    const diff = { type: 'diff', path: file, oldText: 'put(job)\nreturn true\n', newText: 'swap(job)\nreturn true\n' }
    expect(asked).toMatchObject([{ sessionId, toolCall: { title: 'edit claim.js', kind: 'edit', content: [diff] } }])
    expect(asked[0]?.toolCall.toolCallId).toBe(callWith('edit').toolCallId)
    expect(callWith('edit')).toMatchObject({
      status: 'completed',
      kind: 'edit',
      locations: [{ path: file }],
      content: [diff],
    })
    expect(callWith('read')).toMatchObject({ status: 'completed', title: 'read claim.js', kind: 'read' })
    expect(JSON.stringify(callWith('bash').content)).toContain('built')
    expect(await readFile(file, 'utf8')).toContain('swap(job)')
    expect(of('available_commands_update')[0]?.availableCommands.map(({ name }) => name)).toContain('fix')
    expect(of('session_info_update')).toMatchObject([{ title: 'Make it atomic' }])
  })

  test.for([
    ['reject', 'failed'],
    [undefined, 'failed'],
    ['session', 'completed'],
  ] as const)('whose person chooses %s at a request sees the call %s', async ([chosen, status], { expect }) => {
    choice = async () => chosen
    const { sessionId } = await begin()
    const input = { path: `made-${chosen}.txt`, content: 'x' }
    // Who is refused without a word why has nothing to go on with.
    const after = status === 'completed' ? [{ text: ['Written.'] }] : []
    model.script({ calls: [{ id: 'c1', name: 'write', input }] }, ...after)
    await prompt(sessionId, 'Write it')
    expect(callWith('write').status).toBe(status)
    expect(asked[0]?.options.map(({ optionId }) => optionId)).toEqual(['once', 'session', 'always', 'reject'])
  })

  test('answers a question by choosing, or leaves it', async ({ expect }) => {
    const { sessionId } = await begin()
    const options = [
      { label: 'Once', description: 'then never' },
      { label: 'Never', description: '' },
    ]
    const questions = [{ question: 'How often?', header: 'Often', options }]
    choice = async () => '1'
    model.script({ calls: [{ id: 'c1', name: 'question', input: { questions } }] }, { text: ['Never, then.'] })
    await prompt(sessionId, 'Ask me')
    expect(asked).toMatchObject([
      { toolCall: { title: 'How often?' }, options: [{ name: 'Once' }, { name: 'Never' }, {}] },
    ])
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('Never')
    expect(said('agent_message_chunk')).toBe('Never, then.')
  })

  test('cancels a turn, and what was asked in it is over', async ({ expect }) => {
    const { sessionId } = await begin()
    const shown = gate()
    const never = gate()
    choice = async () => {
      shown.open()
      await never.wait()
      return 'once'
    }
    model.script({ calls: [{ id: 'c1', name: 'write', input: { path: 'later.txt', content: 'x' } }] })
    const running = prompt(sessionId, 'Write it')
    await shown.wait()
    await expect(prompt(sessionId, 'Another')).rejects.toThrow(/being worked on/)
    await editor.agent.notify(ours.session.cancel, { sessionId })
    expect((await running).stopReason).toBe('cancelled')
    never.open()
    await expect(readFile(path.join(project, 'later.txt'))).rejects.toThrow(/ENOENT/)
  })

  test('cancels its prompt that waits for the turn of the page, which goes on', async ({ expect, onTestFinished }) => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
    const ofServer = editorAgent(new AgentClient(server.address, fetch), '0')
    ofServer.connect(ndJsonStream(back.writable, there.readable))
    const second = client({ name: 'second' }).connect(ndJsonStream(there.writable, back.readable))
    await second.agent.request(ours.initialize, { protocolVersion: PROTOCOL_VERSION })
    const hold = gate()
    server.model.script({ text: ['Of the page.'], hold: hold.wait })
    const sessionId = await server.createSession()
    await server.prompt(sessionId, 'From the page')
    await server.model.arrived(1)

    const text = 'From the editor'
    const ended = second.agent.request(ours.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })
    const waiting = async () => (await server.send('GET', `/api/session/${sessionId}/prompt`)).body.data
    await expect.poll(waiting, { timeout: 10_000 }).toMatchObject([{ text }])
    await second.agent.notify(ours.session.cancel, { sessionId })
    expect((await ended).stopReason).toBe('cancelled')
    expect(await waiting()).toEqual([])
    hold.open()
    await server.wait(sessionId)
    expect(await server.messages(sessionId)).toMatchObject([
      { text: 'From the page' },
      { finish: 'stop', content: [{ text: 'Of the page.' }] },
    ])
    second.close()
  })

  test('sends images and files, chooses agent and model, and is told why a model failed', async ({ expect }) => {
    const { sessionId, configOptions } = await begin()
    expect(configOptions).toMatchObject([
      {
        id: 'model',
        currentValue: 'fake/one',
        options: [{ value: 'fake/one' }, { value: 'fake/two', name: 'Second' }],
      },
    ])
    await editor.agent.request(ours.session.setMode, { sessionId, modeId: 'plan' })
    await editor.agent.request(ours.session.setConfigOption, { sessionId, configId: 'model', value: 'fake/two' })
    await writeFile(path.join(project, 'notes.txt'), 'what the file says')
    model.script({ text: ['Seen.'] })
    await editor.agent.request(ours.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at ' },
        { type: 'resource_link', name: 'notes.txt', uri: `${pathToFileURL(path.join(project, 'notes.txt')).href}#L1` },
        { type: 'resource', resource: { uri: 'file:///buffer.txt', text: 'not saved yet', mimeType: 'text/plain' } },
        { type: 'image', data: pixel, mimeType: 'image/png' },
      ],
    })
    const told = JSON.stringify(model.asked.at(-1))
    for (const part of ['"model":"two"', 'You plan only', 'what the file says', 'not saved yet', pixel])
      expect(told).toContain(part)
    model.script({ status: 402, body: { error: { message: 'The credit is used up' } } })
    await expect(prompt(sessionId, 'Again')).rejects.toThrow(/The credit is used up/)
    await expect(editor.agent.request(ours.session.setMode, { sessionId, modeId: 'nobody' })).rejects.toThrow(/nobody/)
    await expect(
      editor.agent.request(ours.session.setConfigOption, { sessionId, configId: 'model', value: 'fake/three' }),
    ).rejects.toThrow(/no model fake\/three/)
  })

  test('finds its sessions again, and is shown what was said and done in them', async ({ expect }) => {
    const { sessionId } = await begin()
    model.script(
      { text: ['I read.'], calls: [{ id: 'c1', name: 'read', input: { path: 'claim.js' } }] },
      { text: ['It is short.'] },
    )
    await prompt(sessionId, 'How long is it?')
    const { sessions } = await editor.agent.request(ours.session.list, { cwd: project })
    expect(sessions[0]).toMatchObject({ sessionId, cwd: project, title: 'How long is it?' })
    updates = []
    await editor.agent.request(ours.session.load, { sessionId, cwd: project, mcpServers: [] })
    expect(said('user_message_chunk')).toBe('How long is it?')
    expect(said('agent_message_chunk')).toBe('I read.It is short.')
    expect(callWith('read')).toMatchObject({ status: 'completed', title: 'read claim.js' })
    updates = []
    const resumed = await editor.agent.request(ours.session.resume, { sessionId, cwd: project })
    expect(resumed.modes?.currentModeId).toBe('build')
    expect(said('agent_message_chunk')).toBe('')
    model.script({ text: ['Three lines.'] })
    await prompt(sessionId, 'Exactly?')
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('It is short.')
    await expect(
      editor.agent.request(ours.session.load, { sessionId: 'ses_gone', cwd: project, mcpServers: [] }),
    ).rejects.toThrow(/not found/i)
  })
})
