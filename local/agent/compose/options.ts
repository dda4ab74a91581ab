import type { Clock } from '#shared/kernel/clock.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import type { BasicCredentials } from '../http/basic-credentials.ts'
import type { Logger } from '../ports.ts'
import type { CodeSenses } from '../runtime/code-senses.ts'
import type { ConfigurationPlaces } from '../runtime/configuration.ts'
import type { StreamBounds } from '../runtime/event-streams.ts'
import type { SandboxStatus } from '../runtime/sandbox-port.ts'
import type { WebFetch } from '../runtime/tools/web-tool.ts'

/** What the program that starts this has of the other families. */
export interface HostParts {
  /** The index of code, where there is one to ask. */
  readonly codeSenses?: CodeSenses | undefined
  /** What models cost and take, beside what their providers list. */
  readonly prices?: (() => Promise<PriceList>) | undefined
}

/** What there is without a listener, too. */
export interface AgentOptions extends HostParts {
  readonly dataDir: string
  /** Secrets of the program that started this one lie there: the model asks for each file, the routes show none. */
  readonly withheldFolder?: string | undefined
  /** The active directory. */
  readonly directory: string
  readonly version: string
  readonly places: ConfigurationPlaces
  /** Variables for provider keys, and what shells of the model inherit. The server's own credentials are not in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly resumeAtStart?: boolean
  /** Whether scheduled prompts begin here; not in a command that ends with its own. */
  readonly keepsSchedules?: boolean
  /** How long after its start it checks the database, and keeps a copy for the day on which that is damaged; never without. */
  readonly goodCopyAfterMs?: number
  /** Where the built page lies; without it there is none. */
  readonly pagesFolder?: string | undefined
  readonly clock?: Clock
  readonly logger?: Logger
  readonly streamBounds?: Partial<StreamBounds>
  readonly modelAttemptsMax?: number
  readonly modelQuietMsMax?: number
  readonly languageDiagnoseMsMax?: number
  readonly scheduleLookMs?: number
  readonly toolServerIdleMs?: number
  readonly toolServerRetryMs?: number
  readonly databaseBytesMax?: number
  readonly modelFetch?: typeof fetch
  readonly webFetch?: WebFetch
  readonly sandbox?: () => Promise<SandboxStatus>
}

export interface AgentServerOptions extends AgentOptions {
  readonly hostname: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly credentials: BasicCredentials | undefined
  /** A browser signs in by an address that is printed once; only on a loopback address. */
  readonly hasBrowserAuth?: boolean
  readonly resolveHost: (hostname: string) => Promise<readonly string[]>
  readonly headersMsMax?: number
  readonly requestMsMax?: number
  readonly keepAliveMs?: number
}
