/** What the host of the Worker script asks of a runtime: workerd in a process of its own, or this process. */
import type { Result } from '#shared/kernel/result.ts'
import type { Network } from '#shared/network/ip-address.ts'
import type { HostOffice } from '../operating/host-office.ts'
import type { StartFault } from '../operating/start-faults.ts'
import type { MigratedDatabase } from './database-migrations.ts'
import type { HostLock } from './host-lock.ts'
import type { HostSecrets } from './secrets-file.ts'

/** A database as the host looks into it before it serves. */
export interface HostedDatabase extends MigratedDatabase {
  prepare(sql: string): HostedStatement
}

interface HostedStatement {
  bind(...values: string[]): HostedStatement
  all<Row = Record<string, unknown>>(): Promise<{ results: Row[] }>
  first<Value>(column: string): Promise<Value | null>
  run(): Promise<unknown>
}

export interface RuntimeSettings {
  readonly dataFolder: string
  readonly address: string
  readonly extraHosts: readonly string[]
  readonly publicUrls: readonly string[]
  readonly trustedProxies: readonly Network[]
  /** The wrangler.toml of the script to host. */
  readonly configFile: string
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: HostSecrets
  readonly lock: HostLock
  /** What the script may ask of this host. */
  readonly office: HostOffice
  readonly log: (line: string) => void
}

/** A port that is taken; who connects waits until somebody serves. */
export interface OpenedDoor {
  readonly port: number
  /** On another address of this machine too; left out where the runtime cannot tell who calls from there. */
  alsoListen?(address: string): Promise<Result<void, 'busy' | 'forbidden' | 'unknown'>>
  start(settings: RuntimeSettings): Promise<Result<HostedRuntime, StartFault>>
  close(): Promise<void>
}

export interface HostedRuntime {
  /** Undefined for a script without one. */
  readonly database: { readonly opened: HostedDatabase; readonly migrationsFolder: string } | undefined
  readonly gaveUp: Promise<string>
  /** The database is ready: the script is loaded, and those who wait are served. */
  serve(): Promise<void>
  close(): Promise<void>
}

export type OpenDoor = (port: number) => Promise<Result<OpenedDoor, 'busy' | 'forbidden'>>

/** Values that must not show in the log, judged by the names of their settings; short ones would blank ordinary text. */
export function secretsAmong(variables: Readonly<Record<string, string>>, charactersMin: number): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => /KEY|SECRET|TOKEN|PASSWORD|HEADERS/.test(name) && value.length >= charactersMin)
    .map(([, value]) => value)
}
