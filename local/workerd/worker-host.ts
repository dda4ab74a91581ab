/** Hosts the Worker script on this machine: the runtime, its data folder, its secrets and its supervision. */

import { hash } from 'node:crypto'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Network } from '#shared/network/ip-address.ts'
import {
  keyNameOf,
  keyNameSource,
  type LostSecret,
  lostQueries,
  sealedStart,
} from '../../workers/app/core/sealed-text.ts'
import { sayBackupFileFault } from '../backup/backup-fault.ts'
import type { Bucket } from '../backup/bucket.ts'
import { finishRestore } from '../backup/finish-restore.ts'
import { BackupKeeper } from '../backup/keeper.ts'
import type { Declaration } from '../configuration/declared.ts'
import { lastUse } from '../operating/clock.ts'
import { checkDatabases } from '../operating/databases.ts'
import { HostOffice } from '../operating/host-office.ts'
import { LogFile, logFolderOf } from '../operating/log-file.ts'
import { NetworkWatch } from '../operating/network.ts'
import { releaseMadeAtUnix, releaseVersion } from '../operating/release.ts'
import { damageFault, diskFault, type StartFault, warnings } from '../operating/start-faults.ts'
import { drainMs } from '../runtime/limits.ts'
import { openDataFolder } from './data-folder.ts'
import { applyMigrations } from './database-migrations.ts'
import { type HostLock, takeHostLock } from './host-lock.ts'
import type { HostedDatabase, HostedRuntime, OpenDoor, OpenedDoor, RuntimeSettings } from './hosted-runtime.ts'
import type { LocalName } from './local-name.ts'
import { addressesFor, hostOf } from './network-addresses.ts'
import { setOwnerPassword } from './owner-password.ts'
import { defaultRuntime, type RuntimeKind } from './runtime-kind.ts'
import {
  type HostSecrets,
  makeCode,
  makeMasterKey,
  makeSecrets,
  readSecrets,
  secretsPath,
  writeSecrets,
} from './secrets-file.ts'

export interface WorkerHostOptions {
  /** Its own choice where nothing is said. */
  readonly runtime?: RuntimeKind
  readonly dataFolder: string
  /** 0 means any free one. */
  readonly port: number
  readonly extraHosts: readonly string[]
  /** Where browsers find this service from outside; the first one is for printed links. */
  readonly publicUrls: readonly string[]
  /** Whose word about callers counts. */
  readonly trustedProxies: readonly Network[]
  /** Beside the loopback one: an address of this machine, or all of a family. */
  readonly listen?: string
  /** By which it is found on the networks it listens on: `NAME.local`. */
  readonly localName?: string
  /** By itself: before migrations and daily. Not where nothing is said. */
  readonly areBackupsMade?: boolean
  /** Holds the password of an owner who has none yet. */
  readonly ownerPasswordFile?: string
  /** Seals the backups that are made here. */
  readonly backupPassPhrase?: string
  /** Where they are sent as well. */
  readonly bucket?: { readonly opened: Bucket; readonly address: string }
  /** What the configuration file declares beside settings. */
  readonly declaration?: Declaration
  readonly isNewSetupLinkAsked: boolean
  readonly isNewMasterKeyAsked: boolean
  /** The wrangler.toml of the script to host. */
  readonly configFile: string
  /** Settings of the script that are not secrets of this machine: the gateway's, from the environment. */
  readonly variables: Readonly<Record<string, string>>
  readonly log: (line: string) => void
  /** What is logged is kept in the data folder as well, in so many files of so many MiB; nowhere where nothing is said. */
  readonly logs?: { readonly files: number; readonly mebibytes: number }
}

export interface WorkerHost {
  readonly address: string
  /** By which others on the same network reach it. */
  readonly networkAddresses: readonly string[]
  readonly dataFolder: string
  /** Present while the owner has no password yet, or when a new one was asked for. */
  readonly setupLink: string | undefined
  /** What clients of the gateway sign in with; undefined when the settings name a store that holds it. */
  readonly gatewayKey: string | undefined
  /** Whether this start made it. */
  readonly isGatewayKeyNew: boolean
  /** Prints a line, and keeps it where lines are kept. */
  readonly log: (line: string) => void
  /** Settles with the reason when the runtime cannot be kept running. */
  readonly gaveUp: Promise<string>
  close(): Promise<void>
}

export async function startWorkerHost(options: WorkerHostOptions): Promise<Result<WorkerHost, StartFault>> {
  const folder = openDataFolder(options.dataFolder)
  if (!folder.ok) return folder
  const fault = diskFault(folder.value)
  if (fault !== undefined) return failWith(fault)
  const lock = await takeHostLock({ dataFolder: folder.value, log: options.log })
  if (!lock.ok) return lock
  const kept = openLog(options, folder.value)
  const started = await startLocked({ ...options, log: kept.log }, folder.value, lock.value)
  if (!started.ok) {
    kept.close()
    lock.value.release()
    return started
  }
  const close = async () => {
    await started.value.close()
    kept.close()
  }
  return succeed({ ...started.value, log: kept.log, close })
}

/** Nobody else writes there: the caller holds the lock of the folder. */
function openLog({ log, logs }: WorkerHostOptions, dataFolder: string): Pick<WorkerHost, 'log'> & { close(): void } {
  if (logs === undefined || logs.files === 0) return { log, close: () => undefined }
  const file = new LogFile({
    folder: logFolderOf(dataFolder),
    bytesMax: logs.mebibytes * 1024 ** 2,
    filesMax: logs.files,
    now: () => Date.now(),
  })
  return {
    log(line) {
      log(line)
      file.write(line)
    },
    close: () => file.close(),
  }
}

async function startLocked(
  options: WorkerHostOptions,
  dataFolder: string,
  lock: HostLock,
): Promise<Result<Omit<WorkerHost, 'log'>, StartFault>> {
  const open = await doorOf(options.runtime ?? defaultRuntime)
  const opened = await open(options.port)
  if (!opened.ok) return failWith({ kind: 'port', port: options.port, why: opened.failure })
  const started = await startBehind(opened.value, options, dataFolder, lock)
  if (!started.ok) await opened.value.close()
  return started
}

/** Each is loaded only where it is used: the one alone is as large as the rest of the host. */
async function doorOf(runtime: RuntimeKind): Promise<OpenDoor> {
  if (runtime === 'node') return (await import('../runtime/node-host.ts')).openNodeDoor
  return (await import('./workerd-runtime.ts')).openWorkerdDoor
}

async function startBehind(
  door: OpenedDoor,
  options: WorkerHostOptions,
  dataFolder: string,
  lock: HostLock,
): Promise<Result<Omit<WorkerHost, 'log'>, StartFault>> {
  const address = `http://127.0.0.1:${door.port}`
  const kept = readSecrets(dataFolder)
  if (!kept.ok) return kept
  const secrets = settleSecrets(kept.value, options)
  if (finishRestore(dataFolder) !== undefined) options.log('Ended a restore that had been cut off')
  const others = options.listen === undefined ? [] : addressesFor(options.listen)
  const named = options.localName === undefined ? [] : [`${options.localName}.local:${door.port}`]
  const hosts = [...named, ...others.map((one) => hostOf(one, door.port))]
  const networkAddresses = hosts.map((host) => `http://${host}`)
  const opened = openOffice(options, dataFolder, [...options.publicUrls, ...networkAddresses])
  if (!opened.ok) return opened
  const office = opened.value
  const extraHosts = [...options.extraHosts, ...hosts]
  const started = await startRuntime(door, { ...options, extraHosts, dataFolder, address, lock, secrets, office })
  if (!started.ok) return started
  const runtime = started.value
  const prepared = await prepare(options, runtime, office.backups, kept.value, secrets.MASTER_KEY)
  const unheardOf = prepared.ok ? faultInListening(others, door, options, prepared.value) : undefined
  if (unheardOf !== undefined) {
    await runtime.close()
    return failWith(unheardOf)
  }
  if (!prepared.ok) {
    await runtime.close()
    return prepared
  }
  if (runtime.database !== undefined) office.migrated(runtime.database.migrationsFolder)
  for (const warning of warnings(office.report().problems)) options.log(`${warning}.`)
  if (secrets !== kept.value) writeSecrets(dataFolder, secrets)
  try {
    await runtime.serve()
  } catch (error) {
    await runtime.close()
    return failWith(didNotStart(error))
  }
  const isPasswordDue = !prepared.value.hasOwner && options.ownerPasswordFile !== undefined
  const unset = isPasswordDue
    ? await setOwnerPassword(address, secrets.SETUP_CODE, options.ownerPasswordFile)
    : undefined
  const undeclared = unset ?? (await declare(options, address, secrets.MASTER_KEY, prepared.value))
  const unheard = undeclared ?? (await listenTo(others, door))
  if (unheard !== undefined) {
    await runtime.close()
    return failWith(unheard)
  }
  const name = options.localName === undefined ? undefined : await answerFor(options.localName, others, options.log)
  if (options.areBackupsMade === true) office.backups.start()
  const isLinkDue = options.isNewSetupLinkAsked || (!prepared.value.hasOwner && !isPasswordDue)
  return succeed({
    address,
    networkAddresses,
    dataFolder,
    setupLink: isLinkDue ? `${options.publicUrls[0] ?? address}/#/setup?code=${secrets.SETUP_CODE}` : undefined,
    gatewayKey: keyInUse(options.variables, secrets),
    isGatewayKeyNew: kept.value === undefined && keyInUse(options.variables, secrets) === secrets.API_KEY,
    gaveUp: runtime.gaveUp,
    async close() {
      office.backups.stop()
      office.network.close()
      // What is under way is answered first: without its databases it would be told of a fault, and may have taken effect.
      const closed = door.close()
      await Promise.race([closed, delay(drainMs, undefined, { ref: false })])
      await Promise.all([closed, runtime.close(), name?.close()])
      office.ended()
      lock.release()
    },
  })
}

/** Only who asked for a name pays for what answers for it. */
async function answerFor(name: string, addresses: readonly string[], log: (line: string) => void): Promise<LocalName> {
  const { answerForName } = await import('./local-name.ts')
  return answerForName({ name, addresses, log })
}

/** Answers why it could not be done. What became of single entries is told, and keeps nothing from starting. */
async function declare(
  { declaration, log }: WorkerHostOptions,
  origin: string,
  masterKey: string,
  { hasDeclared }: Prepared,
): Promise<StartFault | undefined> {
  if (declaration === undefined && !hasDeclared) return undefined
  const { applyDeclaration, describeItem, fileToken, nothingDeclared } = await import('../configuration/apply.ts')
  const applying = { origin, token: fileToken(masterKey), isDryRun: false }
  const applied = await applyDeclaration(declaration ?? nothingDeclared, applying)
  if (!applied.ok) return { kind: 'not_declared', fault: applied.failure }
  for (const item of applied.value) log(`Configuration file: ${describeItem(item)}`)
  return undefined
}

/** Nobody of the network meets a service whose password anybody may set. */
function faultInListening(
  addresses: readonly string[],
  door: OpenedDoor,
  { listen, localName, isNewSetupLinkAsked, ownerPasswordFile }: WorkerHostOptions,
  { hasOwner }: Prepared,
): StartFault | undefined {
  if (listen === undefined) return localName === undefined ? undefined : { kind: 'name_needs_listen' }
  if (door.alsoListen === undefined) return { kind: 'listen_needs_node' }
  if ((!hasOwner && ownerPasswordFile === undefined) || isNewSetupLinkAsked) return { kind: 'listen_needs_password' }
  return addresses.length === 0 && listen !== '127.0.0.1' ? { kind: 'no_network_address', address: listen } : undefined
}

/** Answers why not. */
async function listenTo(
  addresses: readonly string[],
  { port, alsoListen }: OpenedDoor,
): Promise<StartFault | undefined> {
  for (const address of addresses) {
    const heard = await alsoListen?.(address)
    if (heard === undefined || heard.ok) continue
    return heard.failure === 'unknown'
      ? { kind: 'no_such_address', address }
      : { kind: 'network_port', port, address, why: heard.failure }
  }
  return undefined
}

/** Looks through the databases before anybody opens them. */
function openOffice(
  options: WorkerHostOptions,
  dataFolder: string,
  addresses: readonly string[],
): Result<HostOffice, StartFault> {
  const usedAtUnix = lastUse(dataFolder)
  const { damages, cutJournals, unchecked } = checkDatabases(dataFolder)
  const backups = new BackupKeeper({
    dataFolder,
    version: releaseVersion,
    passPhrase: options.backupPassPhrase,
    now: () => Date.now(),
    log: options.log,
    ...(options.bucket === undefined ? {} : { bucket: options.bucket.opened }),
  })
  const fault = damageFault(damages, dataFolder, backups.newest())
  if (fault !== undefined) return failWith(fault)
  if (unchecked > 0) options.log(`Databases that were too large to be checked at this start: ${unchecked}`)
  return succeed(
    new HostOffice({
      dataFolder,
      runtime: options.runtime ?? defaultRuntime,
      damages,
      cutJournals,
      addresses,
      network: new NetworkWatch({ now: () => Date.now() }),
      clock: { usedAtUnix, madeAtUnix: releaseMadeAtUnix() },
      backups,
      areBackupsMade: options.areBackupsMade === true,
      ...(options.bucket === undefined ? {} : { bucket: options.bucket.address }),
      now: () => Date.now(),
    }),
  )
}

async function startRuntime(door: OpenedDoor, settings: RuntimeSettings): Promise<Result<HostedRuntime, StartFault>> {
  try {
    return await door.start(settings)
  } catch (error) {
    return failWith(didNotStart(error))
  }
}

function didNotStart(error: unknown): StartFault {
  return { kind: 'not_started', cause: causeOf(error) }
}

function keyInUse(variables: Readonly<Record<string, string>>, secrets: HostSecrets): string | undefined {
  const set = (name: string) => variables[name] ?? variables[`APP_${name}`]
  if (set('API_KEY_PARAM_NAME') !== undefined || set('API_KEY_SECRET_ARN') !== undefined) return undefined
  return set('API_KEY') ?? secrets.API_KEY
}

function settleSecrets(kept: HostSecrets | undefined, options: WorkerHostOptions): HostSecrets {
  if (kept === undefined) return makeSecrets()
  if (!options.isNewSetupLinkAsked && !options.isNewMasterKeyAsked) return kept
  return {
    ...kept,
    ...(options.isNewSetupLinkAsked ? { SETUP_CODE: makeCode() } : {}),
    ...(options.isNewMasterKeyAsked ? { MASTER_KEY: makeMasterKey() } : {}),
  }
}

interface Prepared {
  readonly hasOwner: boolean
  /** An earlier start had a file that declared something. */
  readonly hasDeclared: boolean
}

/** Migrates the database and looks whether what it holds fits the secrets of this start. */
async function prepare(
  options: WorkerHostOptions,
  runtime: HostedRuntime,
  backups: BackupKeeper,
  kept: HostSecrets | undefined,
  masterKey: string,
): Promise<Result<Prepared, StartFault>> {
  try {
    if (runtime.database === undefined) return succeed({ hasOwner: false, hasDeclared: false })
    const { opened: database, migrationsFolder } = runtime.database
    const migrated = await applyMigrations(database, migrationsFolder, options.log, (steps) =>
      options.areBackupsMade === true ? keepBefore(backups, steps, options.log) : Promise.resolve(succeed(undefined)),
    )
    if (!migrated.ok) return migrated
    const hasRows = async (table: string, rows = ''): Promise<boolean> => {
      const exists = await database
        .prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name = ?")
        .bind(table)
        .first<number>('count')
      if (exists !== 1) return false
      return (await database.prepare(`SELECT 1 AS found FROM ${table} ${rows} LIMIT 1`).first('found')) !== null
    }
    if (await hasRows('key_check')) {
      if (kept === undefined && !options.isNewMasterKeyAsked)
        return failWith({ kind: 'key_lost', file: secretsPath(path.resolve(options.dataFolder)) })
      const lost = await lostWith(database, masterKey)
      if (options.isNewMasterKeyAsked) {
        await database.prepare('DELETE FROM key_check').run()
        options.log('Made a new master key.')
      }
      for (const line of describeLost(lost, options.isNewMasterKeyAsked)) options.log(line)
    }
    return succeed({
      hasOwner: await hasRows('owner'),
      hasDeclared: await hasRows('settings', "WHERE name = 'declared'"),
    })
  } catch (error) {
    return failWith(didNotStart(error))
  }
}

async function keepBefore(
  backups: BackupKeeper,
  steps: readonly string[],
  log: (line: string) => void,
): Promise<Result<void, StartFault>> {
  const made = await backups.make('before_migration')
  if (made.ok) {
    log(`Kept everything as it was in ${path.join(backups.shelf.folder, made.value.name)}`)
    return succeed(undefined)
  }
  const cause = made.failure.kind === 'failed' ? sayBackupFileFault(made.failure.trouble) : 'another one is being made'
  return failWith({ kind: 'no_backup', step: steps[0] ?? '', cause })
}

async function lostWith(database: HostedDatabase, masterKey: string): Promise<LostSecret[]> {
  const start = sealedStart(keyNameOf(hash('sha256', keyNameSource(Buffer.from(masterKey, 'base64')))))
  const lost: LostSecret[] = []
  for (const { kind, sql } of lostQueries) {
    const { results } = await database.prepare(sql).bind(start).all<{ name: string }>()
    lost.push(...results.map(({ name }) => ({ kind, name })))
  }
  return lost
}

const lostNames = {
  downloader: 'passwords of downloaders',
  site: 'cookies and keys of sites',
  channel: 'addresses and tokens of channels',
  service: 'keys of services',
  device: 'pairings of devices',
  feed: 'addresses of feeds',
} as const satisfies Record<LostSecret['kind'], string>

/** Names come from a form: on one line, and without control characters. */
function describeLost(lost: readonly LostSecret[], isKeyNew: boolean): string[] {
  if (lost.length === 0) return []
  const lines = Object.entries(lostNames).flatMap(([kind, what]) => {
    const names = lost.filter((one) => one.kind === kind).map(({ name }) => name.replace(/\p{Cc}/gu, ' '))
    return names.length === 0 ? [] : [`  ${what}: ${names.join(', ')}`]
  })
  const wayOut = isKeyNew
    ? 'Enter or pair each of them again on the console.'
    : 'Put the old secrets.json back, or go on with this key on the console and enter or pair each of them again.'
  return [
    'The master key is not the one that sealed these, so they are lost:',
    ...lines,
    `The owner's password, passkeys and API tokens are not affected. ${wayOut}`,
  ]
}
