/** What a command of the model reaches in the configuration that everybody runs. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'
import { requireReal } from '../../support/real-parts.ts'

const bubblewrap = requireReal('bwrap')
const done: ScriptedTurn = { text: ['done'] }

let server: TestServer
let home: string

beforeEach(async () => {
  server = await startTestServer({
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nowhere',
      LANG: 'C.UTF-8',
      SOME_SERVICE_TOKEN: 'canary-of-the-environment',
      INNOCENT: 'canary-with-an-innocent-name',
    },
  })
  home = path.dirname(server.project)
})

afterEach(() => server.close())

const shell = (command: string, more: Record<string, unknown> = {}): ScriptedTurn => ({
  calls: [{ id: 'c1', name: 'bash', input: { command, ...more } }],
})

async function ran(command: string, more: Record<string, unknown> = {}): Promise<string> {
  const [state] = await runTools(server, shell(command, more), done)
  return state ?? ''
}

describe.skipIf(bubblewrap.isMissing)(`a command nobody was asked about ${bubblewrap.skipNote}`, () => {
  test('does not see the secrets of the server or of its owner', async ({ expect }) => {
    await mkdir(path.join(home, '.ssh'))
    await writeFile(path.join(home, '.ssh', 'id_ed25519'), 'canary-of-the-key')
    await writeFile(path.join(server.dataDir, 'secrets.json'), '{"masterKey":"canary-of-the-data-folder"}')
    await server.write('.env', 'PASSWORD=canary-of-the-project')
    const state = await ran(
      `cat ${server.dataDir}/secrets.json ${home}/.ssh/id_ed25519 ${home}/config/svc.json .env; env; cat /proc/*/environ; ls -a`,
    )

    expect(state).toContain('.env')
    expect(state).not.toContain('canary')
    expect(state).not.toContain('127.0.0.1')
  })

  test('changes nothing that would run later, and nothing outside of the project', async ({ expect }) => {
    await server.write('.git/hooks/pre-commit.sample', '')
    await server.write('.git/config', '[core]\n')
    await server.write('.github/workflows/ci.yml', 'on: push\n')
    await server.write('.mcp.json', '{}')
    await ran(
      `echo evil > .git/hooks/post-commit; echo evil >> .git/config; echo evil > .github/workflows/x.yml
       mv .github moved; mkdir -p .github/workflows; echo evil > .github/workflows/y.yml
       echo evil > .mcp.json; rm .mcp.json; mv .mcp.json y; echo evil > ${home}/planted; echo fine > made.txt`,
    )

    const at = (file: string) => readFile(path.join(server.project, file), 'utf8')
    expect(await at('made.txt')).toBe('fine\n')
    expect(await at('.git/config')).toBe('[core]\n')
    expect(await at('.mcp.json')).toBe('{}')
    expect(await at('.github/workflows/ci.yml')).toBe('on: push\n')
    for (const file of ['.git/hooks/post-commit', '.github/workflows/x.yml', '.github/workflows/y.yml', '../planted']) {
      await expect(at(file), file).rejects.toThrow('ENOENT')
    }
  })
})
