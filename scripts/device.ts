/** A paired device on the command line: pairs, keeps its key in a file of the owner's, and asks the App API. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createTunnelCaller, type PairedDevice, type Post, pairDevice, TunnelRefusal } from './tunnel-client.ts'

const usage = `Usage: node scripts/device.mjs pair URL CODE [--name NAME]
       node scripts/device.mjs get|post|put|delete PATH [BODY]

PATH lies below /api/app/v1, such as /meta. What is answered goes to standard output.

  --file FILE   where the device's key is kept (default .data/device.json)
  --name NAME   how the device is called on the console (default: command line)
  --help        this text`

interface DeviceFile {
  readonly url: string
  readonly device: PairedDevice
}

function postTo(url: string): Post {
  return async (way, bytes) => {
    const response = await fetch(`${url}/api/tunnel/v1${way}`, { method: 'POST', body: bytes })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
}

function read(file: string): DeviceFile {
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function pair(file: string, address: string, code: string, name: string): Promise<number> {
  const url = address.replace(/\/+$/, '')
  const before = existsSync(file) ? read(file) : undefined
  // Another service is told a key of its own.
  const { device, answer } = await pairDevice(postTo(url), code, name, before?.url === url ? before.device : undefined)
  mkdirSync(path.dirname(file), { recursive: true })
  const kept: DeviceFile = { url, device }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  process.stdout.write(`Paired as ${answer.name} (${answer.device_id}) with ${answer.scopes.join(', ')}\n`)
  return 0
}

async function ask(file: string, method: string, below: string, body: string | undefined): Promise<number> {
  const { url, device } = read(file)
  const request = createTunnelCaller(postTo(url), device)
  const sent =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(body) }
  const answer = await request({ method, path: `/api/app/v1${below}`, ...sent })
  process.stdout.write(answer.body)
  if (process.stdout.isTTY) process.stdout.write('\n')
  if (answer.status >= 400) process.stderr.write(`${answer.status}\n`)
  return answer.status >= 400 ? 1 : 0
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { file: { type: 'string' }, name: { type: 'string' }, help: { type: 'boolean' } },
  })
  const file = values.file ?? '.data/device.json'
  const [command = '', first, second] = positionals
  if (values.help === true) process.stdout.write(`${usage}\n`)
  else if (command === 'pair' && first !== undefined && second !== undefined)
    return pair(file, first, second, values.name ?? 'command line')
  else if (['get', 'post', 'put', 'delete'].includes(command) && first?.startsWith('/') === true)
    return ask(file, command.toUpperCase(), first, second)
  else {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  return 0
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (cause) {
  const text = cause instanceof TunnelRefusal ? `${cause.status} ${cause.message}` : String(cause)
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
