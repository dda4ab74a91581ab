import type { Clock } from '#shared/kernel/clock.ts'
import type { SiteAnnounces } from './contract/site-announces.ts'
import type { SiteRules } from './contract/site-rules.ts'
import type { LostSecret } from './core/sealed-text.ts'
import type { ApiTokens, CredentialReader, Devices, KnownBrowsers, OwnerAccount, Passkeys } from './ports/account.ts'
import type { AssistantService, ChatModel } from './ports/assistant.ts'
import type { AuditLog } from './ports/audit-log.ts'
import type { BrushTasks } from './ports/brush.ts'
import type { Catalogue } from './ports/catalogue.ts'
import type { ChatHook, Chats } from './ports/chats.ts'
import type { DownloaderFleet, DownloaderStore, TorrentService } from './ports/downloaders.ts'
import type { EndRules, TorrentEnds } from './ports/ends.ts'
import type { Feeds, FilterRules, RuleDisks, RuleOwned, RulesText } from './ports/feeds.ts'
import type { GatewayService } from './ports/gateway.ts'
import type { Jobs } from './ports/jobs.ts'
import type { Libraries, MediaHistory } from './ports/library.ts'
import type { Channels, MessageTemplates, OwnerMessages } from './ports/messages.ts'
import type { InterfaceDocument, MachineService, OperatingStore } from './ports/operating.ts'
import type { FreeStandings, HitAndRunStore, PushForesight, PushRecords, PushService } from './ports/pushes.ts'
import type { Reseeds } from './ports/reseeds.ts'
import type { Background, Identifiers, Logger, Telemetry } from './ports/runtime.ts'
import type { SecretBox } from './ports/secrets.ts'
import type { OwnerLocaleReader, OwnerSettings } from './ports/settings.ts'
import type { CookieService } from './ports/site-cookies.ts'
import type { DefinitionService, OwnDefinitions } from './ports/site-definitions.ts'
import type { SitePlans } from './ports/site-plans.ts'
import type { LoginReminderList, SiteFigures, SiteFleet, SiteSignIns, SiteStore } from './ports/sites.ts'
import type { QualityProfiles, SubscriptionSearch, Subscriptions, TitleStandings } from './ports/subscriptions.ts'
import type { TorrentHistory } from './ports/torrent-history.ts'
import type { TorrentRuns } from './ports/torrent-runs.ts'
import type { Transfers } from './ports/transfers.ts'
import type { Tunnel } from './ports/tunnel.ts'
import type { Watchlists, WatchlistTrials } from './ports/watchlists.ts'

/** Everything the routes need, wired once in compose.ts. */
export interface AppDeps {
  readonly cookieService: CookieService
  readonly clock: Clock
  /** Ends early, without a fault, when the signal does. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly identifiers: Identifiers
  readonly logger: Logger
  /** Absent where the owner named no collector. */
  readonly telemetry?: Telemetry | undefined
  readonly background: Background
  readonly credentials: CredentialReader
  readonly apiTokens: ApiTokens
  readonly audit: AuditLog
  readonly secrets: SecretBox
  /** What was sealed with a key that is not at hand. */
  readonly lostSecrets: () => Promise<LostSecret[]>
  /** Goes on with the key at hand. False without one. */
  readonly adoptKey: () => Promise<boolean>
  readonly downloaders: DownloaderStore
  readonly fleet: DownloaderFleet
  readonly torrentService: TorrentService
  readonly torrentRuns: TorrentRuns
  readonly torrentHistory: TorrentHistory
  readonly owner: OwnerAccount
  readonly passkeys: Passkeys
  readonly knownBrowsers: KnownBrowsers
  readonly sites: SiteStore
  readonly ownDefinitions: OwnDefinitions
  readonly definitionService: DefinitionService
  readonly siteFigures: SiteFigures
  readonly siteFleet: SiteFleet
  readonly hitAndRuns: Pick<HitAndRunStore, 'ofSite'>
  readonly freeStandings: (site: string) => Promise<FreeStandings>
  /** What a site of that definition asks of its members, as far as it is known. */
  readonly siteRulesOf: (definition: string) => SiteRules
  /** Undefined where nothing is known of a channel. */
  readonly siteAnnouncesOf: (definition: string) => SiteAnnounces | undefined
  readonly siteSignIns: SiteSignIns
  readonly loginReminders: LoginReminderList
  readonly jobs: Jobs
  readonly pushRecords: PushRecords
  readonly pushService: PushService
  readonly pushForesight: PushForesight
  readonly settings: OwnerSettings
  readonly catalogue: Catalogue
  readonly titleStandings: TitleStandings
  readonly subscriptions: Subscriptions
  readonly subscriptionSearch: SubscriptionSearch
  readonly qualityProfiles: QualityProfiles
  readonly templates: MessageTemplates
  readonly ownerMessages: OwnerMessages
  readonly channels: Channels
  readonly chats: Chats
  readonly chatHook: ChatHook
  readonly libraries: Libraries
  readonly mediaHistory: MediaHistory
  readonly brush: BrushTasks
  readonly watchlists: Watchlists
  readonly watchlistTrials: WatchlistTrials
  readonly feeds: Feeds
  readonly filterRules: FilterRules
  readonly rulesText: RulesText
  readonly ruleDisks: RuleDisks
  readonly ruleOwned: RuleOwned
  readonly endRules: EndRules
  readonly torrentEnds: TorrentEnds
  readonly transfers: Transfers
  readonly reseeds: Reseeds
  readonly sitePlans: SitePlans
  readonly devices: Devices
  readonly tunnel: Tunnel

  readonly assistant: AssistantService
  readonly chatModel: ChatModel
  readonly locale: OwnerLocaleReader
  /** Whether the host has an outgoing side that sends calls through a site's proxy. */
  readonly canUseProxies: boolean
  /** Origins of our own pages beside the one a request was sent to. */
  readonly publicOrigins: readonly string[]
  /** The addresses of the service that have a path; see `basePathAt`. */
  readonly basedAt: readonly string[]
  /** Origins of other people's pages that may use the App API with a token. */
  readonly apiOrigins: readonly string[]
  readonly interfaceDocument: InterfaceDocument
  readonly version: string
  readonly gatewayService: GatewayService
  readonly operatingStore: OperatingStore
  readonly machine: MachineService
}
