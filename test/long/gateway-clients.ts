/**
 * Programs that bring their own binary or cannot be installed beside ours, unmodified, through the gateway: two coding
 * agents on the command line and one more library. They are installed by version into a folder of the run, without their
 * install scripts, and reach nothing but loopback: their way out leads nowhere.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { metadataStep, reasoningSteps, textSteps } from '../../local/gateway/sandbox/provider-shapes.ts'
import type { Step } from '../../local/gateway/sandbox/provider-wire.ts'
import { type FakeBedrock, startFakeBedrock } from '../support/fake-bedrock.ts'
import { gatewayOnNode } from '../support/gateway-on-node.ts'
import { environmentFor, sonnet, testKey } from '../support/gateway-under-test.ts'

export interface GatewayClientsOptions {
  readonly folder: string
  readonly log: (line: string) => void
}

const packages = [
  '@openai/codex@0.171.0',
  '@anthropic-ai/claude-code@2.1.332',
  '@llamaindex/openai@0.4.23',
  '@llamaindex/core@0.6.23',
  '@llamaindex/env@0.1.31',
]
const programMs = 120_000
const thought = 'The weather has to be looked up.'
const signature = 'c2lnbmVkLWJ5LXRoZS1tb2RlbA=='
const words = 'It rains in Oslo.'
const command = 'echo rain-in-Oslo'

interface Outcome {
  readonly code: number | null
  readonly output: string
}

type Run = (program: string, args: readonly string[], env: Readonly<Record<string, string>>) => Promise<Outcome>

/** Resolves with whether each of them called a tool, had its result understood, and said the last words. */
export async function runGatewayClients({ folder, log }: GatewayClientsOptions): Promise<boolean> {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const installed = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: 'ignore',
  })
  if (installed.status !== 0) {
    log('the clients could not be installed')
    return false
  }
  const bedrock = await startFakeBedrock()
  const gateway = await gatewayOnNode(environmentFor(bedrock))
  const { url, stop } = gateway
  let hasHeld = true
  for (const [name, ask] of Object.entries({ codex, claude, llamaindex })) {
    const failure = await ask({ folder, url, bedrock, run: runIn(folder) })
    log(`${name}: ${failure ?? 'held'}`)
    if (failure !== undefined) hasHeld = false
  }
  await stop()
  await bedrock.close()
  return hasHeld
}

interface Trial {
  readonly folder: string
  readonly url: string
  readonly bedrock: FakeBedrock
  readonly run: Run
}

function runIn(folder: string): Run {
  return (program, args, env) => {
    const nowhere = 'http://127.0.0.1:9'
    const child = spawn(program, args, {
      cwd: mkdtempSync(path.join(folder, 'work-')),
      env: {
        PATH: process.env['PATH'],
        HOME: mkdtempSync(path.join(folder, 'home-')),
        HTTPS_PROXY: nowhere,
        HTTP_PROXY: nowhere,
        NO_PROXY: '127.0.0.1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: programMs,
      killSignal: 'SIGKILL',
    })
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      output += piece
    })
    return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })))
  }
}

/** A signed thought where one was asked for, and a call of a tool, then words: two steps of one turn. */
function script(bedrock: FakeBedrock, tool: string, input: object, isThinking = true): void {
  const contentBlockIndex = 1
  const toolUse = { toolUseId: 'tooluse_weather', name: tool }
  const steps: readonly Step[] = [
    { event: 'messageStart', payload: { role: 'assistant' } },
    ...(isThinking ? reasoningSteps(thought, signature) : []),
    { event: 'contentBlockStart', payload: { contentBlockIndex, start: { toolUse } } },
    {
      event: 'contentBlockDelta',
      payload: { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } },
    },
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
    { event: 'messageStop', payload: { stopReason: 'tool_use' } },
    metadataStep(),
  ]
  bedrock.next({ steps }, { steps: textSteps(words.split(/(?<= )/)) })
}

/** Why a turn did not go as it should; undefined: it did. */
function faultOf(
  { code, output }: Outcome,
  bedrock: FakeBedrock,
  from: number,
  isThinking: boolean,
): string | undefined {
  const bodies = bedrock.calls
    .slice(from)
    .filter(({ target }) => target.startsWith('/model/'))
    .map(({ body }) => JSON.stringify(body))
  if (code !== 0) return `ended with ${code}: ${output.slice(-500)}`
  if (bodies.length !== 2) return `asked ${bodies.length} times: ${output.slice(-500)}`
  if (bodies[1]?.includes('rain-in-Oslo') !== true) return 'the result did not come back'
  if (isThinking && !bodies[1].includes(signature)) return 'the signed thought did not come back'
  return output.includes(words) ? undefined : `other words: ${output.slice(-500)}`
}

/** The names of tools that the last request offered. */
function offered(bedrock: FakeBedrock): readonly string[] {
  const names = JSON.stringify(bedrock.calls.at(-1)?.body ?? {}).matchAll(/"toolSpec":\{"name":"([^"]+)"/g)
  return [...names].map(([, name = '']) => name)
}

async function codex({ folder, url, bedrock, run }: Trial): Promise<string | undefined> {
  const program = path.join(folder, 'node_modules/.bin/codex')
  const provider = `{name="own",base_url="${url}",env_key="OWN_KEY",wire_api="responses"}`
  const args = ['exec', '--skip-git-repo-check', '-m', sonnet, '-c', 'model_provider="own"']
  args.push('-c', `model_providers.own=${provider}`, '-c', 'check_for_update_on_startup=false')
  args.push('-c', 'analytics.enabled=false', '-c', 'model_reasoning_effort="low"')
  const env = { OWN_KEY: testKey, CODEX_HOME: mkdtempSync(path.join(folder, 'codex-')) }
  const greeting = await run(program, [...args, 'who are you?'], env)
  const tool = offered(bedrock).find((name) => /exec_command$|shell/.test(name))
  if (greeting.code !== 0 || tool === undefined) return `said nothing: ${greeting.output.slice(-500)}`
  const from = bedrock.calls.length
  script(bedrock, tool, tool.endsWith('exec_command') ? { cmd: command } : { command: ['sh', '-c', command] })
  return faultOf(await run(program, [...args, 'how is the weather?'], env), bedrock, from, true)
}

async function claude({ folder, url, bedrock, run }: Trial): Promise<string | undefined> {
  const program = path.join(folder, 'node_modules/@anthropic-ai/claude-code-linux-x64/claude')
  const env = {
    ANTHROPIC_BASE_URL: url.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: testKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  const args = ['-p', 'how is the weather?', '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash(echo:*)']
  const from = bedrock.calls.length
  script(bedrock, 'Bash', { command, description: 'Looks at the weather' })
  return faultOf(await run(program, args, env), bedrock, from, true)
}

async function llamaindex({ folder, url, bedrock, run }: Trial): Promise<string | undefined> {
  const file = path.join(folder, 'llamaindex.js')
  writeFileSync(
    file,
    `import { OpenAI } from '@llamaindex/openai'
import { tool } from '@llamaindex/core/tools'
const llm = new OpenAI({ model: ${JSON.stringify(sonnet)}, apiKey: process.env.OWN_KEY, baseURL: process.env.OWN_URL })
const weather = tool(() => 'rain-in-Oslo', { name: 'weather', description: 'The weather',
  parameters: { type: 'object', properties: { place: { type: 'string' } } } })
const messages = [{ role: 'user', content: 'how is the weather?' }]
const first = await llm.exec({ messages, tools: [weather], stream: true })
for await (const _ of first.stream) ;
messages.push(...first.newMessages())
const second = await llm.chat({ messages, tools: [weather], stream: true })
for await (const piece of second) process.stdout.write(piece.delta)
`,
  )
  const from = bedrock.calls.length
  script(bedrock, 'weather', { place: 'Oslo' }, false)
  return faultOf(await run(process.execPath, [file], { OWN_KEY: testKey, OWN_URL: url }), bedrock, from, false)
}
