/** Agent server and viewer as `npm start` brings them up, on a data folder of their own and with nothing set. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startServe, until } from '../support/process-host.ts'

export interface DefaultTools {
  /** Everything lies below it: `data`, the folder that it was started in, the owner's configuration. */
  readonly room: string
  readonly dataFolder: string
  readonly pid: number
  readonly agent: string
  readonly viewer: string
  /** All it printed. */
  readonly said: string
  readonly credential: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** `configuration` is the owner's, of the agent server: at most where its model is. */
export async function startDefaultTools(
  configuration?: Record<string, unknown>,
  flags: readonly string[] = [],
): Promise<DefaultTools> {
  const room = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'attack-')))
  const dataFolder = path.join(room, 'data')
  const folder = path.join(room, 'opened')
  mkdirSync(path.join(room, 'config/svc'), { recursive: true })
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'main.ts'), 'export const main = 1\n')
  if (configuration !== undefined) {
    writeFileSync(path.join(room, 'config/svc/svc.json'), JSON.stringify(configuration))
  }
  const host = startServe(['--data', dataFolder, ...flags], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: room, XDG_CONFIG_HOME: path.join(room, 'config') },
  })
  await until(() => host.stdout().includes('Ready in') || host.child.exitCode !== null)
  if (host.child.exitCode !== null) throw new Error(`${host.stdout()}${host.stderr()}`)
  const { addresses } = JSON.parse(readFileSync(path.join(dataFolder, 'addresses.json'), 'utf8'))
  const password = readFileSync(path.join(dataFolder, 'tools.password'), 'utf8').trim()
  return {
    room,
    dataFolder,
    pid: host.pid,
    agent: addresses.agent,
    viewer: addresses.viewer,
    said: host.stdout(),
    credential: { authorization: `Basic ${btoa(`svc:${password}`)}` },
    async close() {
      host.child.kill('SIGINT')
      await host.exit
      rmSync(room, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
