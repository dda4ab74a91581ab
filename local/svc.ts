/** `svc serve`: the agent server of one directory, until it is told to stop. `svc trust`: what a project may configure. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from '@hono/zod-openapi'
import packageFacts from '../package.json' with { type: 'json' }
import { startAgentServer } from './agent/compose.ts'
import { dataFolderOf, describeStartFailure, resolveStart } from './agent/start-options.ts'
import { trustProject } from './agent/trust-command.ts'

const usage = `svc serve [--hostname HOST] [--port N] [--data DIR] [--directory DIR]

Starts the agent server. Without flags the configuration keys server.hostname and server.port apply;
without those it listens on 127.0.0.1 and a free port. SVC_SERVER_PASSWORD turns on Basic authentication
(user name SVC_SERVER_USERNAME, "svc" when unset) and is needed for any address that is not loopback.

svc trust [--revoke] [--data DIR] [--directory DIR]

Lets the configuration files of the project, as they are now, name programs, addresses and keys and allow what your own
may. Before that such lines are left out. --revoke takes it back.`

/** Where the credentials lie while this program starts anew with an environment that does not hold them. */
const handOver = 'SVC_SERVER_CREDENTIALS_FILE'
const handedOver = z.object({ password: z.string(), username: z.string().optional() })

function refuse(line: string, code = 1): never {
  process.stderr.write(`${line}\n`)
  process.exit(code)
}

/**
 * A variable that was deleted can still be read by every child in /proc. The program therefore replaces itself by one
 * whose environment never held the password.
 */
function hideCredentials(): void {
  const password = process.env['SVC_SERVER_PASSWORD'] ?? ''
  if (password === '' || typeof process.execve !== 'function') return
  const folder = dataFolderOf(process.env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `start-${randomBytes(12).toString('hex')}`)
  const username = process.env['SVC_SERVER_USERNAME']
  writeFileSync(file, JSON.stringify({ password, ...(username === undefined ? {} : { username }) }), {
    mode: 0o600,
    flag: 'wx',
  })
  const environment: Record<string, string> = { [handOver]: file }
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('SVC_SERVER_')) environment[name] = value
  }
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment)
}

function takeCredentials(): Record<string, string | undefined> {
  const file = process.env[handOver]
  if (file === undefined) return process.env
  const environment: Record<string, string | undefined> = { ...process.env }
  delete environment[handOver]
  const { password, username } = handedOver.parse(JSON.parse(readFileSync(file, 'utf8')))
  rmSync(file)
  return { ...environment, SVC_SERVER_PASSWORD: password, SVC_SERVER_USERNAME: username }
}

function readFlags() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        hostname: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        directory: { type: 'string' },
        revoke: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    return refuse(error instanceof Error ? (error.message.split('\n')[0] ?? usage) : usage, 2)
  }
}

async function main(): Promise<void> {
  const { values, positionals } = readFlags()
  if (values.help === true) {
    process.stdout.write(`${usage}\n`)
    return
  }
  const [command] = positionals
  if (positionals.length !== 1 || (command !== 'serve' && command !== 'trust')) refuse(usage, 2)
  if (command === 'trust') {
    const lines = await trustProject({
      directory: realpathSync(values.directory ?? process.cwd()),
      dataDir: values.data === undefined ? dataFolderOf(process.env) : path.resolve(values.data),
      isRevoked: values.revoke === true,
    })
    process.stdout.write(`${lines.join('\n')}\n`)
    return
  }
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(/^\d{1,5}$/.test(values.port ?? '') && port <= 65_535)) {
    refuse('--port takes a number from 0 to 65535', 2)
  }
  hideCredentials()
  const resolved = await resolveStart(
    { hostname: values.hostname, port, dataDir: values.data, directory: values.directory },
    takeCredentials(),
    packageFacts.version,
  )
  if (!resolved.ok) refuse(resolved.failure)
  for (const notice of resolved.value.notices) process.stderr.write(`${notice}\n`)
  chmodSafely(resolved.value.dataDir)
  let server: Awaited<ReturnType<typeof startAgentServer>>
  try {
    server = await startAgentServer(resolved.value)
  } catch (error) {
    return refuse(describeStartFailure(error, resolved.value.port))
  }
  const isOpen = resolved.value.credentials === undefined
  const warning = isOpen ? 'No password is set: every user of this machine can reach the server.\n' : ''
  process.stdout.write(`svc listening on ${server.address}\n${warning}`)
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    server.close().then(
      () => process.exit(0),
      (error: unknown) => refuse(String(error)),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function chmodSafely(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch {
    refuse(`The data folder ${folder} cannot be written`)
  }
}

await main()
