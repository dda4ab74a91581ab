/** `svc`: the command line of the agent server. What takes time to load is loaded once the flags are known. */
import { randomBytes } from 'node:crypto'
import { fstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { parseArgs } from 'node:util'
import packageFacts from '../package.json' with { type: 'json' }
import { dataFolderOf } from './agent/data-folder.mjs'
import { promptTextBytesMax } from './agent/limits.ts'
import { sayAgentStartFault } from './agent/start-fault.ts'

const usage = `svc [--session ID | --continue] [--data DIR] [--directory DIR]

Works in the terminal: what is written is done, and what the rules ask about is asked there. /help says which keys and
commands there are. Through the server that holds the data folder, where one runs.

svc serve [--hostname HOST] [--port N] [--data DIR] [--directory DIR] [--browser-auth]
          [--withhold DIR]

Starts the agent server. Without flags the configuration keys server.hostname and server.port apply;
without those it listens on 127.0.0.1 and a free port. SVC_SERVER_PASSWORD turns on Basic authentication
(user name SVC_SERVER_USERNAME, "svc" when unset) and is needed for any address that is not loopback.
With --browser-auth, on a loopback address alone, an address is printed that signs one browser in, for 30 days.
Files below the folder of --withhold are shown like the server's own data: to nobody over HTTP, and to the model only
after a yes.

svc run [PROMPT] [--session ID | --continue] [--model PROVIDER/MODEL] [--agent NAME] [--file FILE]… [--format text|json]
        [--allow ACTION]… [--yes] [--data DIR] [--directory DIR]

One prompt, and what is piped in after it; the answer goes to standard output, everything else to standard error. What
the rules would ask about is refused, but for the actions of --allow (edit, bash, …) or, with --yes, everything. Through
the server that holds the data folder, where one runs. Ends with 0 when it is done, 1 when it failed, 2 when it was called
wrongly, 3 when something was asked that nobody answered, 130 when it was interrupted.

svc acp [--data DIR] [--directory DIR]

For editors, which start it: speaks the Agent Client Protocol over standard input and output.

svc trust [--revoke] [--data DIR] [--directory DIR]

Lets the configuration files of the project, as they are now, name programs, addresses and keys and allow what your own
may. Before that such lines are left out. --revoke takes it back.

svc mcp [login NAME | logout NAME] [--data DIR] [--directory DIR]

The tool servers of the folder: which can be used, and which ask for a sign-in. login opens the browser (SVC_BROWSER names
another one, none leaves it to you) and waits until it came back.

svc doctor [--data DIR] [--directory DIR]

Says which sandbox the model's commands run in, or why there is none, and what else the server would work with. Ends
with 1 when something is amiss.

svc --version says which version this is.`

/** By then everything that is loaded ahead of its use is there. */
const compiledKeptAfterMs = 1_000
/** Of the loop's time: a server that nobody asks for anything uses less, one that answers more. */
const idleUtilizationMax = 0.05

function refuse(line: string, code = 1): never {
  process.stderr.write(`${line}\n`)
  process.exit(code)
}

/**
 * A variable that was deleted can still be read by every child in /proc. The program therefore replaces itself by one
 * whose environment never held the password; a file that only the owner can read carries it across.
 */
function hideCredentials(folder: string): void {
  const password = process.env['SVC_SERVER_PASSWORD'] ?? ''
  if (password === '' || typeof process.execve !== 'function') return
  const file = path.join(folder, `start-${randomBytes(12).toString('hex')}`)
  const username = process.env['SVC_SERVER_USERNAME']
  const credentials = JSON.stringify({ password, ...(username === undefined ? {} : { username }) })
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, credentials, { mode: 0o600, flag: 'wx' })
  } catch {
    refuse(`The data folder ${folder} cannot be written`)
  }
  const environment: Record<string, string> = { SVC_SERVER_CREDENTIALS_FILE: file }
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !name.startsWith('SVC_SERVER_')) environment[name] = value
  }
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment)
}

const flagOptions = {
  hostname: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  directory: { type: 'string' },
  'browser-auth': { type: 'boolean' },
  withhold: { type: 'string' },
  revoke: { type: 'boolean' },
  session: { type: 'string' },
  continue: { type: 'boolean' },
  model: { type: 'string' },
  agent: { type: 'string' },
  file: { type: 'string', multiple: true },
  format: { type: 'string' },
  allow: { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** Besides `data` and `directory`, which all of them take. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  serve: ['hostname', 'port', 'browser-auth', 'withhold'],
  run: ['session', 'continue', 'model', 'agent', 'file', 'format', 'allow', 'yes'],
  '': ['session', 'continue'],
  acp: [],
  trust: ['revoke'],
  mcp: [],
  doctor: [],
}

function readFlags() {
  try {
    return parseArgs({ allowPositionals: true, options: flagOptions })
  } catch (error) {
    return refuse(error instanceof Error ? (error.message.split('\n')[0] ?? usage) : usage, 2)
  }
}

type Flags = ReturnType<typeof readFlags>['values']

/** What a file or another program gives; nothing of a terminal. Undefined when it is more than a prompt may hold. */
async function readPiped(): Promise<string | undefined> {
  const facts = fstatSync(0)
  if (!facts.isFIFO() && !facts.isFile() && !facts.isSocket()) return ''
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > promptTextBytesMax) return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}

function folderOf(named: string | undefined): string {
  try {
    return realpathSync(named ?? process.cwd())
  } catch {
    return refuse(`There is no folder ${named}`, 2)
  }
}

async function runOnce(values: Flags, words: readonly string[], dataDir: string): Promise<never> {
  const { exitCodes, runPrompt } = await import('./agent/run-command.ts')
  const { format = 'text' } = values
  if (format !== 'text' && format !== 'json') refuse('--format takes text or json', exitCodes.usage)
  hideCredentials(dataDir)
  const piped = await readPiped()
  if (piped === undefined) return refuse(`Standard input is longer than ${promptTextBytesMax} bytes`, exitCodes.usage)
  const text = [words.join(' '), piped].filter((part) => part.trim() !== '').join('\n\n')
  if (text === '') refuse('svc run needs a prompt, as words or on standard input', exitCodes.usage)
  const directory = folderOf(values.directory)
  const agent = await open(dataDir, directory)
  const interrupt = new AbortController()
  // The second one does not wait for the turn to end.
  process.on('SIGINT', () => (interrupt.signal.aborted ? process.exit(exitCodes.interrupted) : interrupt.abort()))
  process.on('SIGTERM', () => interrupt.abort())
  // Whoever reads the answer may leave, as `head` does.
  process.stdout.on('error', () => interrupt.abort())
  const code = await runPrompt(
    agent.client,
    {
      text,
      directory,
      format,
      session: values.session,
      isContinued: values.continue,
      agent: values.agent,
      model: values.model,
      files: values.file?.map((file) => path.resolve(file)),
      allowed: values.yes === true ? true : new Set(values.allow),
    },
    {
      write: (piece) => void process.stdout.write(piece),
      note: (line) => void process.stderr.write(`${line}\n`),
    },
    interrupt.signal,
  )
  await agent.close()
  await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit(code)
}

/** What the agent server has from the other families. */
async function hostParts(dataDir: string) {
  const { createCodeSenses } = await import('./code-senses.ts')
  const folders = { setting: process.env['VIEWER_DIR'], own: path.join(dataDir, 'code-index') }
  const prices = async () => (await import('./model-prices.ts')).modelPrices()
  return { codeSenses: createCodeSenses(folders), prices }
}

async function open(dataDir: string, directory: string) {
  const { openAgent } = await import('./agent/open-agent.ts')
  const agent = await openAgent({ dataDir, directory }, process.env, await hostParts(dataDir))
  return agent.ok ? agent.value : refuse(sayAgentStartFault(agent.failure))
}

async function workInTerminal(values: Flags, dataDir: string): Promise<never> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    return refuse(`svc works in a terminal; svc run takes a prompt without one.\n\n${usage}`, 2)
  hideCredentials(dataDir)
  const directory = folderOf(values.directory)
  const agent = await open(dataDir, directory)
  const { showTerminal } = await import('./agent/terminal-command.ts')
  const problem = await showTerminal(agent.client, {
    directory,
    session: values.session,
    isContinued: values.continue,
    environment: process.env,
  })
  await agent.close()
  return problem === undefined ? process.exit(0) : refuse(problem, 2)
}

async function serveOneEditor(values: Flags, dataDir: string): Promise<never> {
  hideCredentials(dataDir)
  const agent = await open(dataDir, folderOf(values.directory))
  const { serveEditor } = await import('./agent/acp-command.ts')
  const gone = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  await Promise.race([serveEditor(agent.client), gone])
  await agent.close()
  process.exit(0)
}

async function manageServers(values: Flags, words: readonly string[], dataDir: string): Promise<never> {
  hideCredentials(dataDir)
  const [verb, name, ...others] = words
  const isKnown = verb === undefined || ((verb === 'login' || verb === 'logout') && name !== undefined)
  if (!isKnown || others.length > 0) return refuse(usage, 2)
  const directory = folderOf(values.directory)
  const agent = await open(dataDir, directory)
  const { manageToolServers } = await import('./agent/mcp-command.ts')
  const { openBrowser } = await import('./open-browser.ts')
  const { createInterface } = await import('node:readline')
  const input = createInterface({ input: process.stdin })
  const code = await manageToolServers(agent.client, words, {
    directory,
    write: (line) => void process.stdout.write(`${line}\n`),
    // Whoever has no browser here has the address.
    open: (address) => openBrowser(address, process.env['SVC_BROWSER'], () => undefined),
    lines: input,
  })
  input.close()
  await agent.close()
  process.exit(code)
}

async function main(): Promise<void> {
  const { values, positionals } = readFlags()
  if (values.help === true) {
    process.stdout.write(`${usage}\n`)
    return
  }
  if (values.version === true) {
    process.stdout.write(`${packageFacts.version}\n`)
    return
  }
  const [command = '', ...words] = positionals
  const known = flagsOf[command]
  if (known === undefined || (words.length > 0 && command !== 'run' && command !== 'mcp')) return refuse(usage, 2)
  if (values.session !== undefined && values.continue === true) refuse('--session and --continue exclude each other', 2)
  const foreign = Object.keys(values).find((name) => !['data', 'directory', ...known].includes(name))
  if (foreign !== undefined) refuse(`${`svc ${command}`.trimEnd()} takes no --${foreign}`, 2)
  const dataFolder = path.resolve(values.data ?? dataFolderOf(process.env))
  if (command === '') return workInTerminal(values, dataFolder)
  if (command === 'run') return runOnce(values, words, dataFolder)
  if (command === 'mcp') return manageServers(values, words, dataFolder)
  if (command === 'acp') return serveOneEditor(values, dataFolder)
  if (command === 'trust') {
    const { trustProject } = await import('./agent/trust-command.ts')
    const lines = await trustProject({
      directory: folderOf(values.directory),
      dataDir: dataFolder,
      isRevoked: values.revoke === true,
    })
    process.stdout.write(`${lines.join('\n')}\n`)
    return
  }
  if (command === 'doctor') {
    const { examine } = await import('./agent/doctor-command.ts')
    const { checkToolServer } = await import('./agent/runtime/check-tool-server.ts')
    const { findSandbox } = await import('./agent/adapters/find-sandbox.ts')
    const searchPath = process.env['PATH'] ?? ''
    const { placesOf } = await import('./agent/start-options.ts')
    const { lines, isSound } = await examine({
      directory: path.resolve(values.directory ?? process.cwd()),
      dataDir: dataFolder,
      searchPath,
      sandbox: await findSandbox(searchPath, process.platform),
      places: placesOf(process.env, dataFolder),
      checkServer: (name, configuration) =>
        checkToolServer(name, configuration, { dataDir: dataFolder, version: packageFacts.version }),
    })
    process.stdout.write(`${lines.join('\n')}\n`)
    process.exitCode = isSound ? 0 : 1
    return
  }
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(/^\d{1,5}$/.test(values.port ?? '') && port <= 65_535)) {
    refuse('--port takes a number from 0 to 65535', 2)
  }
  hideCredentials(dataFolder)
  // While this process is small: to begin another one copies it.
  const { useStarter } = await import('./starter/start-program.ts')
  process.once('exit', await useStarter())
  const { serve } = await import('./agent/serve.ts')
  const flags = {
    hostname: values.hostname,
    port,
    dataDir: dataFolder,
    withheldFolder: values.withhold,
    directory: values.directory,
    hasBrowserAuth: values['browser-auth'],
  }
  const server = await serve(flags, process.env, await hostParts(dataFolder))
  if (!server.ok) return refuse(sayAgentStartFault(server.failure))
  // A server that is killed has no end at which this would be written. It is written in one go, so not while anybody asks for something.
  let lastLook = performance.eventLoopUtilization()
  const keepingCompiled = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(lastLook)
    lastLook = performance.eventLoopUtilization()
    if (utilization > idleUtilizationMax || server.value.isBusy()) return
    clearInterval(keepingCompiled)
    flushCompileCache()
  }, compiledKeptAfterMs).unref()
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    server.value.close().then(
      () => process.exit(0),
      (error: unknown) => refuse(String(error)),
    )
  }
  // A program that started it and sees nobody use it asks so: what runs is not ended by that.
  process.on('SIGUSR2', () => {
    if (server.value.isBusy()) process.stdout.write('svc is busy\n')
    else stop()
  })
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

await main()
