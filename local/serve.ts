/** Starts the tools of this machine and, with `--workers`, hosts the Worker script; stays up until it is told to end. */
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { succeed } from '#shared/kernel/result.ts'
import { installationRoot } from '../bin/installation.mjs'
import packageFacts from '../package.json' with { type: 'json' }
import { printAddresses, type ServedAddress, writeAddresses } from './addresses-file.ts'
import { offerGateway, type ServedGateway } from './agent-gateway.ts'
import { sayBucketStartFault, sayPassPhraseFault } from './backup/backup-fault.ts'
import { readPassPhrase } from './backup/pass-phrase.ts'
import { readDeclaration } from './configuration/declared.ts'
import { sayDeclarationFault, saySettingsFault } from './configuration/settings-fault.ts'
import { makeToolPassword, type ToolPassword } from './doors/password.ts'
import { hasProvider } from './gateway/has-provider.ts'
import type { Sandbox } from './gateway/sandbox/start-sandbox.ts'
import { agentDataFolder, loopbackTools, openTool } from './loopback-tools.ts'
import { sayStartFault, storageFault } from './operating/start-faults.ts'
import { parseServeFlags, type ServeFlags, serveUsage } from './serve-flags.ts'
import { openDataFolder } from './workerd/data-folder.ts'
import { gatewayVariables } from './workerd/gateway-variables.ts'
import { phoneCode } from './workerd/phone-code.ts'

const closers: (() => Promise<void>)[] = []
let ending: Promise<never> | undefined

function log(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * All at once: a terminal's Ctrl+C reaches the children too, and none of them may look as if it had died by itself. A
 * second signal while that goes on changes nothing.
 */
function end(exitCode: number, reason?: string): Promise<never> {
  ending ??= (async () => {
    if (reason !== undefined) process.stderr.write(`${reason}\n`)
    await Promise.all(closers.map((close) => close()))
    return process.exit(exitCode)
  })()
  return ending
}

/** Everything that was started so far is ended first, so that a refused start leaves nothing behind. */
function refuse(line: string): Promise<never> {
  return end(1, line)
}

async function serve(flags: ServeFlags): Promise<void> {
  const folder = openDataFolder(flags.dataFolder)
  if (!folder.ok) return refuse(sayStartFault(folder.failure))
  const dataFolder = folder.value
  const served: ServedAddress[] = []
  const notes: string[] = []
  const workers = flags.hasWorkers ? await serveWorkers(flags, dataFolder, served, notes) : undefined
  const gateway = workers?.gateway
  const environment =
    gateway === undefined ? process.env : offerGateway(gateway, process.env, agentDataFolder(dataFolder))
  const password = flags.hasToolAuth ? makeToolPassword(dataFolder, process.env) : undefined
  const signIns: ServedAddress[] = []
  for (const tool of loopbackTools.filter(({ name }) => !flags.without.includes(name))) {
    const { port, isAsked } = flags.ports[tool.portFlag]
    const { isIndexKept } = flags
    const opened = await openTool(tool, {
      port,
      isPortAsked: isAsked,
      dataFolder,
      environment,
      password,
      isIndexKept,
      log: workers?.log ?? log,
    })
    if (!opened.ok) return refuse(sayStartFault(opened.failure))
    closers.push(() => opened.value.close())
    served.push({ name: tool.name, address: opened.value.address })
    const { signInAddress } = opened.value
    if (signInAddress !== undefined) signIns.push({ name: tool.name, address: signInAddress })
  }
  notes.push(...entranceNotes(password, signIns, flags))
  const file = writeAddresses(dataFolder, served)
  closers.push(async () => file.remove())
  log(
    [
      '',
      printAddresses(served),
      '',
      ...notes,
      `Ready in ${Math.round(process.uptime() * 1000)} ms. Ctrl+C ends it.`,
    ].join('\n'),
  )
  // Otherwise it is written at the end alone, and a service may run for months and then lose its power.
  flushCompileCache()
}

/** Who can come in to agent server and viewer, and how. */
function entranceNotes(
  password: ToolPassword | undefined,
  signIns: readonly ServedAddress[],
  { without }: ServeFlags,
): readonly string[] {
  if (without.length === loopbackTools.length) return []
  if (password === undefined) {
    const may = without.includes('agent') ? 'read this folder’s source' : 'run commands as you, in the agent server,'
    return [`OPEN (--no-auth): every user of this machine may ${may} without a password.`, '']
  }
  const where = password.file === undefined ? 'the one you set (SVC_SERVER_PASSWORD)' : `kept in ${password.file}`
  return [
    'Sign a browser in to the tools of this machine, once for each (they start when they are first asked):',
    printAddresses(signIns),
    `Programs: user ${password.username}, password ${where}.`,
    '',
  ]
}

/** Only who has one pays for what asks it. */
async function bucketOf({ away }: ServeFlags, passPhrase: string | undefined) {
  if (away.address === undefined) return succeed(undefined)
  const { openBucket } = await import('./backup/compose.ts')
  return openBucket(away, process.env, passPhrase)
}

/** Only who has no provider pays for what stands in for one. */
async function openSandbox(variables: Readonly<Record<string, string>>): Promise<Sandbox> {
  const { startSandbox } = await import('./gateway/sandbox/start-sandbox.ts')
  return startSandbox(variables['AWS_REGION'])
}

/** Answers where the gateway is, and what is told lines from now on. */
async function serveWorkers(
  flags: ServeFlags,
  dataFolder: string,
  served: ServedAddress[],
  notes: string[],
): Promise<{ readonly gateway: ServedGateway; readonly log: (line: string) => void }> {
  const { startWorkerHost } = await import('./workerd/worker-host.ts')
  const variables = gatewayVariables(process.env)
  const passPhrase = readPassPhrase(undefined, process.env)
  if (!passPhrase.ok) return refuse(sayPassPhraseFault(passPhrase.failure))
  const bucket = await bucketOf(flags, passPhrase.value)
  if (!bucket.ok) return refuse(sayBucketStartFault(bucket.failure))
  const declared = await readDeclaration(flags.declares, process.env)
  if (!declared.ok) return refuse(sayDeclarationFault(declared.failure))
  const sandbox = flags.isSandboxAllowed && !hasProvider(variables) ? await openSandbox(variables) : undefined
  if (sandbox !== undefined) closers.push(() => sandbox.close())
  const host = await startWorkerHost({
    runtime: flags.runtime,
    dataFolder,
    port: flags.ports.port.port,
    extraHosts: flags.extraHosts,
    ...(flags.listen === undefined ? {} : { listen: flags.listen }),
    ...(flags.localName === undefined ? {} : { localName: flags.localName }),
    publicUrls: flags.publicUrls,
    trustedProxies: flags.trustedProxies,
    areBackupsMade: flags.areBackupsMade,
    logs: flags.logs,
    ...(flags.ownerPasswordFile === undefined ? {} : { ownerPasswordFile: flags.ownerPasswordFile }),
    ...(passPhrase.value === undefined ? {} : { backupPassPhrase: passPhrase.value }),
    ...(bucket.value === undefined || flags.away.address === undefined
      ? {}
      : { bucket: { opened: bucket.value, address: flags.away.address } }),
    ...(declared.value === undefined ? {} : { declaration: declared.value }),
    isNewSetupLinkAsked: flags.isNewSetupLinkAsked,
    isNewMasterKeyAsked: flags.isNewMasterKeyAsked,
    configFile: path.join(installationRoot, 'wrangler.toml'),
    variables: {
      ...variables,
      ...sandbox?.variables,
      ...(flags.timeZone === undefined ? {} : { TIME_ZONE: flags.timeZone }),
      ...(flags.areMetricsOpen ? { METRICS_OPEN: 'yes' } : {}),
      ...(flags.apiOrigins.length === 0 ? {} : { API_ORIGINS: flags.apiOrigins.join(' ') }),
    },
    log,
  })
  if (!host.ok) return refuse(sayStartFault(host.failure))
  closers.push(() => host.value.close())
  void host.value.gaveUp.then((reason) => end(1, reason))
  served.push({ name: 'console', address: `${host.value.address}/` })
  served.push({ name: 'app-api', address: `${host.value.address}/api/app/v1` })
  const gatewayAddress = `${host.value.address}${process.env['API_ROUTE_PREFIX'] ?? '/api/v1'}`
  served.push({ name: 'gateway', address: gatewayAddress })
  if (flags.publicUrls.length > 0) {
    notes.push('From outside:', ...flags.publicUrls.map((url) => `  ${url}/`), '')
  }
  if (host.value.networkAddresses.length > 0) {
    const addresses = host.value.networkAddresses.map((address) => `  ${address}/`)
    notes.push('On this network, without TLS: whoever is on it may read along:', ...addresses, '')
    const [first] = host.value.networkAddresses
    // What reads a log has no camera.
    if (process.stdout.isTTY && first !== undefined) notes.push(...(await phoneCode(`${first}/`)), '')
  }
  if (host.value.setupLink !== undefined)
    notes.push('Set the owner’s password of the console:', `  ${host.value.setupLink}`, '')
  const { gatewayKey, isGatewayKeyNew } = host.value
  if (gatewayKey !== undefined && isGatewayKeyNew) {
    notes.push('Key of the model gateway (kept in secrets.json):', `  ${gatewayKey}`, '')
  }
  if (sandbox !== undefined) {
    notes.push(
      'SANDBOX: no credentials of a model provider are set (AWS_…), so a stand-in answers for the models:',
      '  it says back what it is told, and its answers say that it is no model. --no-sandbox goes without.',
      '',
    )
  }
  const gateway = { address: gatewayAddress, key: gatewayKey, isSandboxed: sandbox !== undefined }
  return { gateway, log: host.value.log }
}

const flags = parseServeFlags(process.argv.slice(2), process.env)
if (!flags.ok) {
  process.stderr.write(`${saySettingsFault(flags.failure)}\n`)
  process.exit(2)
}
if (flags.value.isHelpAsked) {
  log(serveUsage(process.env))
  process.exit(0)
}
if (flags.value.isVersionAsked) {
  log(packageFacts.version)
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
// Started by the bootstrap: when that one dies without a word, this channel closes.
process.on('disconnect', () => void end(0))
try {
  await serve(flags.value)
} catch (error) {
  const fault = storageFault(error, path.resolve(flags.value.dataFolder))
  if (fault === undefined) throw error
  await refuse(sayStartFault(fault))
}
