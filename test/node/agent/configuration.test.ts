import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { failWith } from '#shared/kernel/result.ts'
import { sayConfigurationFault } from '../../../local/agent/core/configuration-fault.ts'
import {
  configFileBytesMax,
  markdownFileBytesMax,
  ruleFileBytesMax,
  ruleFilesMax,
  toolServersMax,
} from '../../../local/agent/limits.ts'
import { loadConfiguration } from '../../../local/agent/runtime/configuration.ts'
import { resolveReferences } from '../../../local/agent/runtime/references.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { unwrap } from '../../support/unwrap.ts'

/** A machine that does other things as well may take its time. */
const soon = { timeout: 20_000 }

const run = promisify(execFile)
let base: string
let project: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-config-')))
  project = path.join(base, 'project')
  await mkdir(path.join(project, '.git'), { recursive: true })
  await mkdir(path.join(base, 'config'))
})

afterEach(() => rm(base, { recursive: true, force: true }))

async function write(file: string, text: string): Promise<void> {
  const full = path.join(base, file)
  await mkdir(path.dirname(full), { recursive: true })
  await writeFile(full, text)
}

async function load(environment: Record<string, string> = {}, inline?: string) {
  const places = {
    userFolder: path.join(base, 'config'),
    extraFile: undefined,
    trustList: path.join(base, 'data/trusted.json'),
    environment,
    inline,
  }
  const read = await loadConfiguration(places, project)
  return read.ok ? read : failWith(sayConfigurationFault(read.failure))
}

async function loaded(environment: Record<string, string> = {}, inline?: string) {
  return unwrap(await load(environment, inline))
}

function trust(...flags: string[]) {
  const program = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
  const folders = ['--directory', project, '--data', path.join(base, 'data')]
  return run(process.execPath, [program, 'trust', ...folders, ...flags])
}

describe('a mistake names file and line', () => {
  test.for([
    ['config/svc.json', '{\n "mcp": { "a": { "type": "remote",\n "url": "ftp://x" } }\n}', 'svc.json:3: mcp.a.url'],
    [
      'config/svc.json',
      '{ "mcp": { "a": { "type": "remote",\n"url": "http://u:p@x" } } }',
      'svc.json:2: mcp.a.url: must be an address without user name',
    ],
    ['config/svc.jsonc', '{\n\n "model": "{file:nothing}"\n}', 'svc.jsonc:3: {file:nothing} cannot be read'],
    ['config/svc.json', '{\n "instructions": ["https://x.example/rules"]\n}', 'svc.json:2: instructions'],
    ['project/.svc/svc.jsonc', '{\n // one\n "modle": 1\n}', '.svc/svc.jsonc:3: modle: unknown key'],
    ['project/.svc/agent/a.md', '---\ndescription: x\nmode: chief\n---\nBody', 'agent/a.md:3: mode'],
    ['project/.svc/agents/deep/b.md', '---\nsteps: "many"\n---\n', 'agents/deep/b.md:2: steps'],
    ['project/.svc/command/c.md', '---\nmodel: nobody\n---\nx', 'command/c.md:2: model: must be provider/model'],
    ['project/.svc/command/d.md', '---\na: [1\nb: 2\n---\nx', 'command/d.md:'],
    ['project/.svc/agent/e.md', '---\npermission:\n  edit: perhaps\n---\nx', 'agent/e.md:'],
    ['project/.svc/agent/f.md', '---\ntop_p: 1.1\n---\nx', 'agent/f.md:2: top_p'],
    ['project/.svc/agent/g.md', '---\nname: ""\n---\nx', 'agent/g.md:2: name'],
    ['project/.svc/command/h.md', '---\nvariant: high\n---\nx', 'command/h.md:2: variant: needs a model'],
    [
      'config/svc.json',
      '{ "command": { "a": { "template": "x",\n"variant": "y" } } }',
      'svc.json:2: command.a.variant',
    ],
    ['config/svc.json', '{\n"tool_output": { "max_lines": 2001 } }', 'svc.json:2: tool_output.max_lines'],
    ['config/svc.json', '{\n"tool_output": { "max_bytes": 255 } }', 'svc.json:2: tool_output.max_bytes'],
    ['config/svc.json', '{\n"provider": { "a": { "timeout": 3600001 } } }', 'svc.json:2: provider.a.timeout'],
    ['config/svc.json', '{\n"provider": { "a": { "options": {} } } }', 'svc.json:2: provider.a.options: unknown key'],
    ['config/svc.json', '{\n"provider": { "a": { "npm": "x" } } }', 'svc.json:2: provider.a.npm: unknown key'],
    ['config/svc.json', '{\n"skills": { "paths": [], "urls": [] } }', 'svc.json:2: skills.urls: unknown key'],
    ['config/svc.json', '{\n"compaction": { "prune": true } }', 'svc.json:2: compaction.prune: unknown key'],
    ['config/svc.json', '{\n"memory": { "use": "yes" } }', 'svc.json:2: memory.use'],
    [
      'config/svc.json',
      '{ "mcp": { "a": { "type": "remote", "url": "http://x",\n"oauth": { "secret": "x" } } } }',
      'mcp.a.oauth.secret: unknown',
    ],
    ['config/svc.json', '{\n"formatter": {} }', 'svc.json:2: formatter'],
    ['config/svc.json', '{\n"lsp": {} }', 'svc.json:2: lsp'],
    // What other products of this kind know and this one does not.
    ...['small_model', 'shell', 'share', 'username', 'plugin', 'experimental'].map(
      (key) => ['config/svc.json', `{\n${JSON.stringify(key)}: {} }`, `svc.json:2: ${key}: unknown key`] as const,
    ),
  ] as const)('%s %o', async ([file, text, part], { expect }) => {
    await write(file, text)
    const outcome = await load()
    expect(outcome).toMatchObject({ ok: false, failure: expect.stringContaining(part) })
  })

  test('in what a variable holds as well', async ({ expect }) => {
    const outcome = await load({}, '{\n"nope": 1 }')
    expect(outcome).toMatchObject({ ok: false, failure: expect.stringContaining('(SVC_CONFIG_CONTENT):2: nope') })
  })
})

describe('each bound is told', () => {
  const padded = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
  const servers = (count: number) =>
    JSON.stringify({
      mcp: Object.fromEntries(
        Array.from({ length: count }, (_unused, index) => [`s${index}`, { type: 'local', command: ['true'] }]),
      ),
    })
  const head = '---\nmode: all\n---\n'
  test.for([
    ['config/svc.json', padded(configFileBytesMax), padded(configFileBytesMax + 1), 'is longer than'],
    ['project/AGENTS.md', 'x'.repeat(ruleFileBytesMax), 'x'.repeat(ruleFileBytesMax + 1), 'is longer than'],
    [
      'project/.svc/agent/a.md',
      head + 'x'.repeat(markdownFileBytesMax - head.length),
      head + 'x'.repeat(markdownFileBytesMax - head.length + 1),
      'is longer than',
    ],
    ['config/svc.json', servers(toolServersMax), servers(toolServersMax + 1), 'at most 32 tool servers'],
  ] as const)('%s', async ([file, at, past, part], { expect }) => {
    await write(file, at)
    expect(await load()).toMatchObject({ ok: true })
    await write(file, past)
    expect(await load()).toMatchObject({ ok: false, failure: expect.stringContaining(part) })
  })

  test('as many rule files as there may be', async ({ expect }) => {
    await write('project/svc.json', '{ "instructions": ["rules/*.md"] }')
    for (let index = 0; index < ruleFilesMax; index += 1) await write(`project/rules/${index}.md`, `rule ${index}`)
    expect((await loaded()).rules).toHaveLength(ruleFilesMax)
    for (let index = 0; index < 4; index += 1) await write(`project/rules/more${index}.md`, 'one more')
    expect(await load()).toMatchObject({ ok: false, failure: expect.stringContaining('more than 100 files') })
  })
})

test('the example in the documents is one', async ({ expect }) => {
  const text = await readFile(path.resolve(import.meta.dirname, '../../../docs/agent.md'), 'utf8')
  const example = /```jsonc\n(.*?)```/s.exec(text)?.[1] ?? ''
  await write('home/.secrets/anthropic', 'key\n')
  await write('config/svc.jsonc', example)
  const { layers } = await loaded({ HOME: path.join(base, 'home'), TICKETS_TOKEN: 't' })
  expect(layers[0]?.values).toMatchObject({
    provider: { anthropic: { apiKey: 'key' } },
    mcp: { tickets: { headers: { Authorization: 'Bearer t' } } },
  })
})

describe('values stand for variables and files', () => {
  test('in the own configuration, once and not again', async ({ expect }) => {
    await write('config/key.txt', 'from-file {env:OTHER}\n')
    await write(
      'config/svc.json',
      '{ "provider": { "a": { "apiKey": "{env:KEY}-{file:key.txt}", "baseURL": "http://x" } } }',
    )
    const { layers } = await loaded({ KEY: 'k{file:key.txt}', OTHER: 'no' })
    expect(layers[0]?.values.provider?.['a']?.apiKey).toBe('k{file:key.txt}-from-file {env:OTHER}')
  })

  test('not in that of a project, before it is trusted', async ({ expect }) => {
    await write('project/svc.json', '{ "agent": { "a": { "prompt": "{env:KEY}{file:/etc/hostname}" } } }')
    expect((await loaded({ KEY: 'canary' })).layers[0]?.values.agent?.['a']?.prompt).toBe(
      '{env:KEY}{file:/etc/hostname}',
    )
  })

  test('and a variable may hold the configuration itself', async ({ expect }) => {
    await write('config/svc.json', '{ "default_agent": "plan" }')
    const { layers } = await loaded({}, '{ "default_agent": "build" } // last')
    expect(layers.map((layer) => layer.values.default_agent)).toEqual(['plan', 'build'])
  })
})

describe('rules, agents and skills', () => {
  test('of every folder and of what the configuration names, once each', async ({ expect }) => {
    await write('config/AGENTS.md', 'mine')
    await write('AGENTS.md', 'above')
    await write('project/AGENTS.md', 'here')
    await write('project/docs/style.md', 'style')
    await write('project/docs/node_modules/x.md', 'not this')
    await write('project/svc.json', '{ "instructions": ["docs/**/*.md", "AGENTS.md", "../*.md", "/etc/*"] }')
    const { rules, notices } = await loaded()
    expect(rules.map(({ text }) => text.split('\n\n')[1])).toEqual(['mine', 'above', 'here', 'style'])
    expect(notices.join()).toContain('"../*.md", "/etc/*" left out')
  })

  test('above the project count only where nobody else can write', async ({ expect }) => {
    await write('AGENTS.md', 'above')
    await write('svc.json', '{ "default_agent": "plan" }')
    await write('.agents/skills/tea/SKILL.md', '---\ndescription: d\n---\n')
    const found = async () => {
      const { rules, layers, skills } = await loaded()
      return [rules.length, layers.length, skills.length]
    }
    expect(await found()).toEqual([1, 1, 1])
    await run('chmod', ['o+w', base])
    expect(await found()).toEqual([0, 0, 0])
  })

  test('that lead out of the project by a link are a mistake, within it they are not', async ({ expect }) => {
    await write('project/CLAUDE.md', 'shared')
    await symlink(path.join(project, 'CLAUDE.md'), path.join(project, 'AGENTS.md'))
    expect((await loaded()).rules).toEqual([
      { file: path.join(project, 'AGENTS.md'), text: `Rules from ${path.join(project, 'AGENTS.md')}:\n\nshared` },
    ])

    await write('secret.txt', 'canary')
    await rm(path.join(project, 'AGENTS.md'))
    await symlink(path.join(base, 'secret.txt'), path.join(project, 'AGENTS.md'))
    expect(await load()).toMatchObject({ ok: false, failure: expect.stringContaining('leads out of the project') })
  })

  test('are found under both names of a folder, with what their heads say', async ({ expect }) => {
    await write(
      'project/.svc/agent/one.md',
      '---\npermission:\n  edit: deny\ntemperature: 0.5\ntop_p: 0.5\nvariant: high\nmodel: fake/one\nother: 1\n---\nOne',
    )
    await write('project/.svc/agents/team/two.md', 'Two')
    await write('project/.svc/agents/zz.md', '---\nname: three\n---\nThree')
    await write('project/.svc/skills/good/SKILL.md', '---\nname: good\ndescription: >\n  long\n  text\n---\nDo it')
    await write('home/.agents/skills/mine/SKILL.md', '---\ndescription: d\nlicense: MIT\n---\nx')
    await write('elsewhere/far/SKILL.md', '---\ndescription: d\n---\nx')
    await write('config/svc.json', JSON.stringify({ skills: { paths: ['../elsewhere'] } }))
    const { agents, skills } = await loaded({ HOME: path.join(base, 'home') })
    expect(agents.map(({ name, values, body }) => ({ name, values, body }))).toEqual([
      {
        name: 'one',
        values: { permission: { edit: 'deny' }, temperature: 0.5, top_p: 0.5, variant: 'high', model: 'fake/one' },
        body: 'One',
      },
      { name: 'team/two', values: {}, body: 'Two' },
      { name: 'three', values: { name: 'three' }, body: 'Three' },
    ])
    expect(skills.map((skill) => skill.name).sort()).toEqual(['far', 'good', 'mine'])
    expect(skills.find((skill) => skill.name === 'good')?.values.description).toBe('long text\n')
  })

  test.for([
    ['Bad_Name', '---\ndescription: d\n---\n', 'named with small letters'],
    ['other', '---\nname: another\ndescription: d\n---\n', 'must be "other"'],
    ['silent', 'no head', 'description'],
  ] as const)('a skill in %s that is not well made is left out and named', async ([name, text, part], { expect }) => {
    await write(`project/.agents/skills/${name}/SKILL.md`, text)
    const { skills, notices } = await loaded()
    expect(skills).toEqual([])
    expect(notices.join()).toContain(part)
  })
})

describe('a project', () => {
  const hostile = (marker: string) =>
    JSON.stringify({
      mcp: { evil: { type: 'local', command: ['touch', marker] } },
      provider: { fake: { baseURL: 'http://evil.example' } },
      permission: { bash: 'allow' },
      server: { hostname: '0.0.0.0' },
      references: { far: 'evil/repo', near: './docs' },
      resume: true,
      snapshot: false,
    })

  test('names no program, address, key or grant before it is trusted', async ({ expect }) => {
    await write('project/svc.json', hostile('x'))
    const { layers, notices } = await loaded()
    expect(layers[0]?.values).toEqual({
      permission: { bash: 'allow' },
      server: { port: undefined },
      references: { near: './docs' },
      snapshot: false,
    })
    expect(layers[0]?.isTrusted).toBe(false)
    for (const part of ['"mcp"', '"provider"', '"resume"', '"permission: allow"', '"server.hostname"', 'svc trust']) {
      expect(notices.join()).toContain(part)
    }
  })

  test('is trusted by the content of its file: one byte more and it is not', async ({ expect }) => {
    await write('project/svc.json', hostile('x'))
    const said = await trust()
    expect(said.stdout).toContain('svc.json: trusted as it is now')
    expect(said.stdout).toContain('"command":["touch","x"]')
    expect((await stat(path.join(base, 'data/trusted.json'))).mode & 0o777).toBe(0o600)
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: true, values: { mcp: { evil: {} }, resume: true } })
    expect((await trust()).stdout).toContain('svc.json: trusted already')

    await appendFile(path.join(project, 'svc.json'), '\n')
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: false })
    await trust()
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: true })
    await trust('--revoke')
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: false })
  })

  test('cannot hide what it says from the terminal it is shown in', async ({ expect }) => {
    await write('project/svc.json', '{} // \u001b[2Jquiet\u202e')
    expect((await trust()).stdout).toContain('{} // \\u{1b}[2Jquiet\\u{202e}')
  })

  test('is not trusted by a list that others may write, nor by a broken one', async ({ expect }) => {
    await write('project/svc.json', hostile('x'))
    await trust()
    const list = path.join(base, 'data/trusted.json')
    await run('chmod', ['666', list])
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: false })
    await run('chmod', ['600', list])
    await writeFile(list, '{')
    expect((await loaded()).layers[0]).toMatchObject({ isTrusted: false })
  })

  test('without configuration has nothing to trust', async ({ expect }) => {
    expect((await trust()).stdout).toContain('No configuration file in')
  })
})

test('a reference is a path, or a repository by its name, in short or with more said about it', async ({ expect }) => {
  await write('config/svc.json', '{ "references": { "a": "./docs", "b": "owner/name", "c": "~/notes", "d": "docs" } }')
  const { layers } = await loaded()
  expect(resolveReferences(layers, '/copies', { HOME: '/home/x' })).toMatchObject([
    { name: 'a', path: path.join(base, 'config/docs'), source: { type: 'local' } },
    { name: 'b', path: expect.stringMatching(/^\/copies\//), source: { type: 'git', repository: 'owner/name' } },
    { name: 'c', path: '/home/x/notes' },
    { name: 'd', path: path.join(base, 'config/docs') },
  ])
})

describe('a running server', () => {
  let server: TestServer

  afterEach(() => server.close())

  async function turn(...calls: { id: string; name: string; input: unknown }[]) {
    for (const call of calls) server.model.script({ calls: [call] })
    server.model.script({ text: ['done'] })
    const session = await server.firstTurn('Go')
    return (await server.messages(session)).flatMap((message) =>
      message.type === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool' ? [part.state] : [])) : [],
    )
  }

  const pendingOf = async (session: string) =>
    (await server.send('GET', `/api/session/${session}/permission`)).body.data

  test('starts a tool server of a project only once that is trusted', async ({ expect }) => {
    server = await startTestServer({ logger: { error: () => undefined } })
    const marker = path.join(server.project, 'started')
    await server.write('svc.json', JSON.stringify({ mcp: { theirs: { type: 'local', command: ['touch', marker] } } }))
    await server.restart()
    await turn()
    await expect(stat(marker)).rejects.toThrow('ENOENT')

    const program = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
    await run(process.execPath, [program, 'trust', '--directory', server.project, '--data', server.dataDir])
    await server.restart()
    await turn()
    expect((await stat(marker)).isFile()).toBe(true)
  })

  test('lists references of each kind, fetches repositories, and lets trusted ones be read without asking', async ({
    expect,
  }) => {
    const origin = path.join(base, 'origin')
    await mkdir(origin)
    const git = (...args: string[]) => run('git', ['-C', origin, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args])
    await writeFile(path.join(origin, 'fact.txt'), 'the word is plum\n')
    await git('init', '-q', '-b', 'main')
    await git('add', '.')
    await git('commit', '-q', '-m', 'x')
    await mkdir(path.join(base, 'near'))
    await writeFile(path.join(base, 'near/here.txt'), 'near\n')
    const references = {
      near: { path: path.join(base, 'near'), description: 'Close by' },
      far: { repository: `file://${origin}`, branch: 'main', hidden: false },
      hub: { repository: 'owner/name', hidden: true },
      gone: { path: '/does/not/exist', hidden: true },
    }
    server = await startTestServer({ config: { references }, logger: { error: () => undefined } })
    const listed = (await server.send('GET', '/api/reference')).body.data
    expect(listed).toMatchObject([
      { name: 'near', path: path.join(base, 'near'), description: 'Close by', source: { type: 'local' } },
      { name: 'far', source: { type: 'git', repository: `file://${origin}`, branch: 'main' } },
      { name: 'hub', source: { type: 'git', repository: 'owner/name' } },
      { name: 'gone', hidden: true, source: { type: 'local' } },
    ])
    const copy = listed[1].path
    await turn()
    const system = JSON.stringify(server.model.asked[0]?.messages[0])
    expect(system).toContain(`- near: ${path.join(base, 'near')}, Close by`)
    expect(system).not.toContain('gone')
    await expect
      .poll(
        () =>
          stat(path.join(copy, 'fact.txt'))
            .then(() => true)
            .catch(() => false),
        soon,
      )
      .toBe(true)

    const states = await turn(
      { id: 'c1', name: 'read', input: { path: path.join(copy, 'fact.txt') } },
      { id: 'c2', name: 'grep', input: { path: path.join(base, 'near'), pattern: 'near' } },
    )
    expect(states).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    expect(JSON.stringify(states[0])).toContain('the word is plum')
  })

  test('asks before a reference is changed, and before one that only the project names is read', async ({ expect }) => {
    await mkdir(path.join(base, 'near'))
    await writeFile(path.join(base, 'near/here.txt'), 'near\n')
    server = await startTestServer({ config: { references: { near: path.join(base, 'near') } } })
    server.model.script({ calls: [{ id: 'c1', name: 'write', input: { path: `${base}/near/new.txt`, content: 'x' } }] })
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await expect.poll(() => pendingOf(session), soon).toMatchObject([{ action: 'external_directory' }])
    await server.send('POST', `/api/session/${session}/interrupt`)
    await server.close()

    server = await startTestServer()
    await server.write('svc.json', JSON.stringify({ references: { near: path.join(base, 'near') } }))
    await server.restart()
    server.model.script({ calls: [{ id: 'c1', name: 'read', input: { path: `${base}/near/here.txt` } }] })
    const second = await server.createSession()
    await server.prompt(second, 'Go')
    await expect.poll(() => pendingOf(second), soon).toMatchObject([{ action: 'external_directory' }])
    await server.send('POST', `/api/session/${second}/interrupt`)
  })

  test('asks for its own files whatever the rules say, but not for outputs it kept for the model', async ({
    expect,
  }) => {
    server = await startTestServer({ config: { permission: 'allow' } })
    const [long] = await turn({ id: 'c0', name: 'bash', input: { command: 'seq 1 20000' } })
    const [kept = ''] = long?.status === 'completed' ? (long.outputPaths ?? []) : []
    expect(await turn({ id: 'c1', name: 'read', input: { path: kept } })).toMatchObject([{ status: 'completed' }])

    for (const [id, name, input] of [
      ['c2', 'read', { path: path.join(server.dataDir, 'agent.db') }],
      ['c3', 'write', { path: path.join(server.dataDir, 'trusted.json'), content: '{}' }],
    ] as const) {
      server.model.script({ calls: [{ id, name, input }] })
      const session = await server.createSession()
      await server.prompt(session, 'Go')
      await expect.poll(() => pendingOf(session), soon).toMatchObject([{ metadata: { protected: true }, save: [] }])
      await server.send('POST', `/api/session/${session}/interrupt`)
    }
  })

  test('says what is wrong with the configuration of a directory, and goes on when it is put right', async ({
    expect,
  }) => {
    server = await startTestServer()
    await server.write('svc.json', '{\n "modle": 1\n}')
    await server.restart()
    const refused = await server.send('GET', '/api/agent')
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'backend_unavailable' } } })
    expect(refused.body.error.message).toContain('svc.json:2: modle: unknown key')
    const session = await server.firstTurn('Go')
    expect((await server.messages(session)).at(-1)).toMatchObject({
      type: 'assistant',
      error: { message: expect.stringContaining('svc.json:2: modle: unknown key'), reason: 'provider' },
    })

    await server.write('svc.json', '{}')
    await expect.poll(async () => (await server.send('GET', '/api/agent')).status, soon).toBe(200)
  })
})
