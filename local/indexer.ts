/** The command line of the code index. Here, and nowhere deeper, the process and its environment are looked at. */
import { randomBytes } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { keptFolder } from '../bin/kept-folder.mjs'
import packageFacts from '../package.json' with { type: 'json' }
import type { AnswerOptions, CommandWorld, ReviewOptions, ViewOptions } from './indexer/commands/run.ts'
import { checkedIndexes } from './indexer/store/checked-indexes.ts'
import type { Senses } from './viewer/senses.ts'

/** By then a browser that was opened has asked for its page. */
const loadedAheadAfterMs = 1_000

const stop = new AbortController()
const isTerminal = process.stderr.isTTY === true
const output = {
  line: (text: string) => void process.stdout.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
  ...(isTerminal ? { progress: (text: string) => void process.stderr.write(`\r\u001b[K${text}`) } : {}),
}
const kept = keptFolder(process.env, os.homedir())
const checked = kept === undefined ? undefined : checkedIndexes(path.join(kept, 'checked'))
const world: CommandWorld = {
  output,
  cwd: process.cwd(),
  version: packageFacts.version,
  nowMs: Date.now(),
  signal: stop.signal,
  checked,
  environment: process.env,
  view: serveUntilStopped,
  answer: answerUntilStopped,
  review: reviewOnce,
}

// A reader that has seen enough (`indexer files | head`) closes the pipe: that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second one ends it where it stands: an index is published whole or not at all.
    if (stop.signal.aborted) process.exit(130)
    stop.abort()
  })
}

async function serveUntilStopped(options: ViewOptions): Promise<number> {
  const { existingPlace } = await import('./indexer/commands/index-places.ts')
  const { sayPortFault } = await import('./listen/loopback-port.ts')
  const { startViewer } = await import('./viewer/serve-viewer.ts')
  const place = existingPlace({ cwd: process.cwd(), folderSetting: process.env['VIEWER_DIR'] }, options.path)
  const started = await startViewer({
    place,
    port: options.port,
    isReadOnly: options.isReadOnly,
    isWatchWanted: !isOn(process.env['VIEWER_NO_WATCH']),
    proof: isOn(process.env['VIEWER_NO_PROVE']) ? undefined : {},
    checked,
    report: (message) => output.error(message),
  })
  if (!started.ok) {
    output.error(sayPortFault(started.failure))
    return 1
  }
  const { address, readAhead, loadAhead, close } = started.value
  output.line(`code viewer of ${path.basename(place.root)} (${place.root})`)
  output.line(`  ${address}`)
  output.line('  only this machine can reach it; every user of this machine can')
  if (options.isBrowserOpened) {
    const { openBrowser } = await import('./open-browser.ts')
    openBrowser(address, process.env['VIEWER_BROWSER'], () => output.error(`open ${address} in a browser`))
  }
  setImmediate(readAhead)
  // A viewer that is killed has no end at which compiled code would be written.
  setTimeout(() => void loadAhead().then(flushCompileCache), loadedAheadAfterMs).unref()
  await untilStopped()
  await close()
  return 0
}

async function answerUntilStopped({ path: given, http }: AnswerOptions): Promise<number> {
  const { findIndexRoot, indexPlace, refuseRoot } = await import('./indexer/store/index-folder.ts')
  const { composeSenses } = await import('./viewer/compose.ts')
  const from = path.resolve(given ?? '.')
  const refusal = refuseRoot(from)
  if (refusal !== undefined) {
    output.error(refusal)
    return 1
  }
  const folder = process.env['VIEWER_DIR']
  const find = () => {
    const root = findIndexRoot(from, folder)
    return root === undefined || refuseRoot(root) !== undefined ? undefined : indexPlace(root, folder)
  }
  const senses = composeSenses(find, checked)
  if (http !== undefined) return await answerOverHttp(senses, http.port)
  const { serveSenses } = await import('./viewer/serve-senses.ts')
  await serveSenses(senses, {
    input: process.stdin,
    output: process.stdout,
    version: packageFacts.version,
    signal: stop.signal,
    report: (message) => output.error(message),
  })
  return 0
}

async function answerOverHttp(senses: Senses, port: number | undefined): Promise<number> {
  const { sayPortFault } = await import('./listen/loopback-port.ts')
  const { serveSensesOverHttp } = await import('./viewer/serve-senses-http.ts')
  const { sensesPort, sensesTokenCharsMin } = await import('./viewer/limits.ts')
  const chosen = process.env['VIEWER_MCP_TOKEN'] ?? ''
  if (chosen !== '' && (chosen.length < sensesTokenCharsMin || !/^[\x21-\x7e]+$/.test(chosen))) {
    output.error(`VIEWER_MCP_TOKEN has at least ${sensesTokenCharsMin} characters, none of them a space`)
    return 1
  }
  const token = chosen === '' ? randomBytes(32).toString('base64url') : chosen
  const started = await serveSensesOverHttp(senses, {
    port: port ?? sensesPort,
    isPortAsked: port !== undefined,
    ...{ token, version: packageFacts.version, report: (message: string) => output.error(message) },
  })
  if (!started.ok) {
    output.error(sayPortFault(started.failure))
    return 1
  }
  output.line(`tools of the index at ${started.value.address}`)
  // One that the owner chose is not repeated: what is printed may be kept in a log.
  output.line(chosen === '' ? `  Authorization: Bearer ${token}` : '  Authorization: Bearer and VIEWER_MCP_TOKEN')
  output.line('  only programs of this machine that have the token are answered')
  await untilStopped()
  await started.value.close()
  return 0
}

async function untilStopped(): Promise<void> {
  if (stop.signal.aborted) return
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }))
}

async function reviewOnce({ path: given, range, format }: ReviewOptions): Promise<number> {
  const { existingPlace } = await import('./indexer/commands/index-places.ts')
  const { composeReview } = await import('./viewer/compose.ts')
  const { review, sharedReview } = await import('./viewer/review.ts')
  const { reviewSarif, reviewText } = await import('./viewer/core/review-forms.ts')
  const place = existingPlace({ cwd: process.cwd(), folderSetting: process.env['VIEWER_DIR'] }, given)
  const ports = composeReview(place, checked, path.resolve(given ?? '.'))
  const { version } = packageFacts
  const found =
    format === 'html'
      ? sharedReview(ports, range, { project: path.basename(place.root), version })
      : review(ports, range)
  if (!found.ok) {
    const { message, hint } = found.failure
    output.error(hint === undefined ? message : `${message}; ${hint}`)
    return 1
  }
  const { value } = found
  if (typeof value === 'string') output.line(value)
  else if (format === 'text') output.line(reviewText(value))
  else output.line(JSON.stringify(format === 'json' ? value : reviewSarif(value, version), null, 2))
  return 0
}

function isOn(setting: string | undefined): boolean {
  return setting !== undefined && setting !== '' && setting !== '0' && setting !== 'false'
}

// What takes time to load is loaded after this line, from what the last start compiled (bin/indexer.mjs).
const { runCommand } = await import('./indexer/commands/run.ts')
process.exitCode = await runCommand(process.argv.slice(2), world)
