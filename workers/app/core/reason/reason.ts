/**
 * Why something did not happen, or what came of it, as facts: from where it happens to where a person reads it. Closed:
 * each language has one renderer that the compiler holds against this union, and `docs/reasons.md` lists the kinds for
 * scripts. Facts are ours, the owner's own names, or words of somebody else that passed the redactor (`quote.ts`).
 */

import type { ModelFault } from '../assistant/model-fault.ts'
import type { DefinitionRule } from '../cardigann/definition.ts'
import type { ChannelFault } from '../channel-fault.ts'
import type { CookieRefusal } from '../cookies.ts'
import type { DownloaderFault } from '../downloader-fault.ts'
import type { ChoiceRefusal } from '../media/release-refusal.ts'
import type { BackupTrouble } from '../operating/backup-trouble.ts'
import type { Service, ServiceFault } from '../service-fault.ts'
import type { SiteFault } from '../site-fault.ts'
import type { TemplateFault, TemplateProblem } from '../template-fault.ts'
import type { BrushReason, DownloaderKind, EndAction, FeedItemStatus, MediaType, SignInStatus } from '../vocabulary.ts'

/** A fault of one family, under the family's name. */
type Of<Family extends string, Fault> = Fault extends { readonly kind: infer Kind extends string }
  ? { readonly kind: `${Family}.${Kind}` } & Omit<Fault, 'kind' | 'retryAfterSeconds' | 'detail'>
  : never

type SiteReason = Of<'site', SiteFault> | { readonly kind: 'site.behind_down'; readonly status: number }
type DownloaderReason = Of<'downloader', Exclude<DownloaderFault, { kind: 'not_this_kind' }>> | NotThisKind
interface NotThisKind {
  readonly kind: 'downloader.not_this_kind'
  readonly program: DownloaderKind
}
type ServiceReason = Of<'service', ServiceFault> & { readonly service: Service }
type ChannelReason = Of<'channel', ChannelFault>
type ModelReason = Of<'model', ModelFault> & {
  /** What the service itself said: for the owner's trial alone. */
  readonly quoted?: string
}
type TemplateReason = Of<'template', TemplateProblem> & Pick<TemplateFault, 'part' | 'line'>

/** Which episodes a torrent brings; `season` is all of one. Left out for a film. */
export type Covers = 'season' | { readonly from: number; readonly to: number }

export interface NamedReason {
  readonly name: string
  readonly reason: Reason
}

export interface SiteError {
  /** As it is shown. */
  readonly site: string
  readonly reason: Reason
}

/** `over` is at its end or past it; `too_slow` cannot be complete before it; `unknown` has an end that nobody tells. */
export type FreeEndWhy = 'over' | 'too_slow' | 'unknown'

/** Amounts are bytes. */
type PushReason =
  | { readonly kind: 'push.space_unread' | 'push.capacity_unread' }
  | { readonly kind: 'push.space_low'; readonly left: number; readonly kept: number }
  | { readonly kind: 'push.space_too_little'; readonly left: number; readonly size: number; readonly kept: number }
  | { readonly kind: 'push.capacity_full'; readonly seeding: number; readonly size: number; readonly limit: number }
  | {
      readonly kind:
        | 'push.file_refused'
        | 'push.version_unread'
        | 'push.not_listed'
        | 'push.cut_off'
        | 'push.interrupted'
        | 'push.busy'
    }
  | { readonly kind: 'push.there_already' }
  | { readonly kind: 'push.overruled'; readonly rule: string; readonly decided: FeedItemStatus }
  | { readonly kind: 'push.decided_anew' }
  | FreeEndReason
  | { readonly kind: 'push.download'; readonly reason: Reason }

/** Why a torrent was paused or warned about before its free period ended. */
export interface FreeEndReason {
  readonly kind: 'push.free_ending'
  /** Left out where the torrent is named beside it. */
  readonly title?: string
  readonly paused: boolean
  readonly why: FreeEndWhy
}

type SearchReason =
  /** No site answered. */
  | { readonly kind: 'search.failed'; readonly sites: readonly SiteError[] }
  /** What came of a search for a subscription. */
  | {
      readonly kind: 'subscription.told'
      readonly pushes: readonly { readonly covers?: Covers; readonly reason?: Reason }[]
      readonly refused: readonly { readonly why: ChoiceRefusal; readonly count: number }[]
      readonly sites: readonly SiteError[]
    }
  | { readonly kind: 'subscription.nothing_wanted' | 'subscription.no_sites' | 'subscription.all_there' }
  | { readonly kind: 'subscription.pushed_before' | 'subscription.push_cut' | 'subscription.site_busy' }
  | { readonly kind: 'subscription.not_complete' | 'subscription.never_complete' | 'subscription.never_organised' }
  | { readonly kind: 'subscription.not_active' | 'subscription.busy' }

/** Of what is done to all torrents that match. */
type RunReason =
  | { readonly kind: 'torrent_run.more_match'; readonly count: number; readonly limit: number }
  | { readonly kind: 'torrent_run.too_many'; readonly limit: number }
  | { readonly kind: 'torrent_run.no_way_back' }
  /** Of pages that follow the list. */
  | { readonly kind: 'stream.too_many'; readonly limit: number }
  /** Of scripts to the owner, within an hour. */
  | { readonly kind: 'message.too_many'; readonly limit: number }

type MediaReason =
  | { readonly kind: 'media.no_library'; readonly media: MediaType }
  | { readonly kind: 'media.held_already' | 'media.replaced' | 'media.files_deleted' | 'media.incomplete' }
  | { readonly kind: 'media.not_moved' | 'media.files_busy' | 'media.not_needed' }
  /** What the metadata provider does not have any more. */
  | { readonly kind: 'media.titles_gone'; readonly titles: readonly string[] }
  | { readonly kind: 'media.title_unknown' | 'media.subscribed' | 'media.film_has_no_season' }

/** What took an item of a feed where there is no rule. */
type FeedReason =
  | { readonly kind: 'rss.free_only' }
  /** Where it was pushed to: a rule that only tells of it. */
  | { readonly kind: 'rss.told_only' }
  | { readonly kind: 'announce.own_machine' }

/** Why a channel in which a site says what is new is not heard. */
export type AnnounceReason = { readonly kind: 'channel.unreachable' | 'channel.certificate' | 'channel.credentials' }

/** Why a brush task let a torrent go. */
type BrushReasons = { readonly kind: 'brush.removed'; readonly why: BrushReason }

/** A rule about the ends of torrents was carried out. */
type EndReasons = {
  readonly kind: 'torrent.ended'
  readonly action: Exclude<EndAction, 'keep'>
  readonly rule: string
  readonly title: string
}

/** Why a torrent did not move from one downloader to another. */
type TransferReason =
  | { readonly kind: 'transfer.incomplete' | 'transfer.no_file' | 'transfer.other_file' | 'transfer.stopped' }
  /** The other one found so much of it where it was to lie. */
  | { readonly kind: 'transfer.not_whole'; readonly percent: number }
  | { readonly kind: 'transfer.too_slow' }
  /** Of what another site has of a torrent. */
  | { readonly kind: 'reseed.other_files' }
  | { readonly kind: 'reseed.not_whole'; readonly percent: number }
  /** Words of the service that knows what other sites have. */
  | { readonly kind: 'reseed.refused'; readonly quoted: string }

/** Of a plan for a site's next level. */
type PlanReason =
  | { readonly kind: 'plan.no_figures' | 'plan.no_levels' | 'plan.level_unknown' | 'plan.highest' }
  | { readonly kind: 'plan.too_old' | 'plan.over' | 'plan.not_free' }

type SignInReason =
  | { readonly kind: 'sign_in.done' | 'sign_in.already' | 'sign_in.by_person' | 'sign_in.not_offered' }
  | { readonly kind: 'sign_in.gave_up' | 'sign_in.busy' }
  | { readonly kind: 'sign_in.failed'; readonly reason: Reason }

type AccountReason =
  | { readonly kind: 'account.unauthorized' | 'account.foreign_page' | 'account.unreadable' }
  | { readonly kind: 'account.no_permission'; readonly scope: string; readonly holder: 'device' | 'token' }
  | { readonly kind: 'account.setup_code_wrong' | 'account.no_setup_code' | 'account.password_wrong' }
  | { readonly kind: 'account.current_password_wrong' | 'account.not_set_up' | 'account.too_many_attempts' }
  | { readonly kind: 'account.no_master_key' | 'account.passkey_needs_name' | 'account.passkey_refused' }
  | { readonly kind: 'device.refused' | 'device.unreadable' }
  /** What a browser pushes by itself: refused, not of the form, or not to be opened without the master key. */
  | { readonly kind: 'cookie.push_refused' | 'cookie.no_push' | 'cookie.push_sealed' }
  | { readonly kind: 'cookie.renewed'; readonly sites: readonly string[] }

/** What is kept in lists that have an end, or is found by a name. */
export type Thing =
  | 'address'
  | 'backup'
  | 'brush_task'
  | 'brush_task_on'
  | 'channel'
  | 'chat'
  | 'confirmation'
  | 'conversation'
  | 'definition'
  | 'device'
  | 'doubt'
  | 'downloader'
  | 'downloader_on'
  | 'downloader_usable'
  | 'end_rule'
  | 'feed'
  | 'feed_item'
  | 'feed_on'
  | 'filter_rule'
  | 'gateway_bodies'
  | 'gateway_key'
  | 'gateway_provider'
  | 'gateway_route'
  | 'icon'
  | 'job'
  | 'library'
  | 'media_record'
  | 'passkey'
  | 'profile'
  | 'site'
  | 'site_on'
  | 'site_plan'
  | 'statistics'
  | 'subscription'
  | 'template'
  | 'token'
  | 'tool'
  | 'torrent'
  | 'torrent_run'
  | 'watchlist'
  | 'watchlist_item'
  | 'watchlist_on'

export type BoundedThing =
  | 'brush_task'
  | 'channel'
  | 'chat'
  | 'definition'
  | 'device'
  | 'downloader'
  | 'end_rule'
  | 'feed'
  | 'filter_rule'
  | 'library'
  | 'passkey'
  | 'profile'
  | 'site'
  | 'subscription'
  | 'token'
  | 'torrent'
  | 'watchlist'

export type NamedThing =
  | 'brush_task'
  | 'channel'
  | 'downloader'
  | 'end_rule'
  | 'feed'
  | 'filter_rule'
  | 'library'
  | 'profile'
  | 'site'
  | 'watchlist'

/** What needs the master key. */
export type SealedThing = 'channel' | 'device' | 'downloader' | 'feed' | 'key' | 'site' | 'watchlist'

type KeptReason =
  | { readonly kind: 'none'; readonly what: Thing }
  | { readonly kind: 'none_enabled'; readonly what: 'downloader' }
  | { readonly kind: 'off'; readonly what: 'site' }
  | { readonly kind: 'too_many'; readonly what: BoundedThing; readonly limit: number }
  | { readonly kind: 'name_taken'; readonly what: NamedThing }
  /** The configuration file declares it. */
  | { readonly kind: 'from_file'; readonly what: 'channel' | 'downloader' | 'library' | 'site' }
  | { readonly kind: 'profile_is_default' }
  /** The key was lost or changed: nothing can be sealed. */
  | { readonly kind: 'cannot_seal'; readonly what: SealedThing }
  /** So many entries of a list were read, and there are more. */
  | { readonly kind: 'watchlist.cut'; readonly read: number }
  /** What was sealed cannot be read, and is to be entered again. */
  | { readonly kind: 'cannot_open'; readonly what: 'downloader' | 'site'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'downloader_deleted' | 'torrent_removed' | 'accepted_not_settled' }
  | { readonly kind: 'figures_unreadable' | 'history_unreadable' | 'audit_unavailable' | 'internal' }

type FieldPart = 'field' | 'parameter'

/** What is wrong with what was sent. `field` is a path with dots. */
type InputReason =
  | { readonly kind: 'field.wrong'; readonly field: string; readonly part: FieldPart; readonly rule?: Reason }
  | { readonly kind: 'field.missing'; readonly field: string; readonly part: FieldPart }
  | { readonly kind: 'field.wrong_type'; readonly field: string; readonly rule?: Reason }
  | { readonly kind: 'field.fill_in'; readonly field: string }
  /** A secret is kept for the place it was given for. */
  | { readonly kind: 'field.fill_in_again'; readonly field: string; readonly changed: 'address' | 'address_or_kind' }
  | { readonly kind: 'field.unknown'; readonly fields: readonly string[] }
  | { readonly kind: 'field.once'; readonly field: string }
  | { readonly kind: 'field.only_for'; readonly fields: readonly string[]; readonly type: string }
  | {
      readonly kind:
        | 'body.not_an_object'
        | 'body.not_taken'
        | 'body.empty'
        | 'body.not_json'
        | 'body.too_deep'
        | 'body.broken_off'
    }
  | { readonly kind: 'body.too_large'; readonly limit: number }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'rule.one_of'; readonly values: readonly string[] }
  | { readonly kind: 'rule.at_most' | 'rule.at_least'; readonly limit: number; readonly unit: RuleUnit }
  | { readonly kind: 'rule.each_once' | 'rule.not_a_free_header' | 'rule.header_twice' }
  | { readonly kind: 'rule.not_empty' | 'rule.one_page' | 'rule.kind_stays' | 'rule.not_of_definition' }
  | { readonly kind: 'rule.too_long' | 'rule.time_zone' | 'rule.no_torrent_list' | 'rule.body_only' }
  | {
      readonly kind:
        | 'rule.magnet'
        | 'rule.torrent_file'
        | 'rule.tracker'
        | 'rule.inside'
        | 'rule.public_address'
        | 'rule.one_source'
    }
  | { readonly kind: 'rule.not_below'; readonly field: string }
  | { readonly kind: 'address.incomplete' | 'address.scheme' | 'address.user' | 'address.query' | 'address.fragment' }
  /** A token goes there. */
  | { readonly kind: 'address.https' }
  | { readonly kind: 'proxy.scheme' | 'proxy.broken' | 'proxy.rest' | 'proxy.password_alone' | 'proxy.unsupported' }
  | CookieRefusal
  | { readonly kind: 'path.control' | 'path.relative' | 'path.backslash' | 'path.upwards' | 'path.root' }
  | { readonly kind: 'path.too_long'; readonly limit: number }

/** Of the machine that the service runs on. Paths are its own, and said to the owner alone; times are Unix seconds. */
type MachineReason =
  | { readonly kind: 'machine.disk_full' | 'machine.disk_unwritable'; readonly path?: string }
  | { readonly kind: 'machine.disk_low'; readonly path: string; readonly left: number }
  /** `backup`: the newest one there is. */
  | { readonly kind: 'machine.database_damaged'; readonly path?: string; readonly backup?: string }
  | { readonly kind: 'machine.journal_cut'; readonly path: string; readonly backup?: string }
  | { readonly kind: 'machine.database_silent' }
  | {
      readonly kind: 'backup.failed' | 'backup.not_made' | 'backup.not_sent' | 'backup.not_whole'
      readonly trouble: BackupTrouble
    }
  | { readonly kind: 'backup.busy' }
  | { readonly kind: 'machine.clock_behind' | 'machine.clock_ahead'; readonly now: number; readonly seen: number }
  | { readonly kind: 'machine.network_lost'; readonly since: number }

/** What notices say beside their reasons. */
type NewsPart =
  /** Nothing of a film. */
  | { readonly kind: 'news.covers'; readonly covers?: Covers }
  /** Season 0 for a film. */
  | { readonly kind: 'news.title'; readonly title: string; readonly season: number }
  | { readonly kind: 'news.sign_in'; readonly status: Exclude<SignInStatus, 'pending'> }

export type RuleUnit = 'number' | 'characters' | 'items' | 'bytes'

/** Of a tracker definition that the owner brings. The path has dots, and is empty for the whole. */
type DefinitionReason =
  | { readonly kind: 'definition.unreachable' | 'definition.in_use' }
  | { readonly kind: 'definition.wrong'; readonly rule: DefinitionRule; readonly path: string; readonly line?: number }

type AssistantReason =
  | { readonly kind: 'assistant.busy' | 'assistant.unavailable' | 'assistant.disabled' | 'assistant.decided' }
  | { readonly kind: 'gateway.unavailable' }
  | { readonly kind: 'assistant.too_many'; readonly limit: number }
  | { readonly kind: 'assistant.not_audited' | 'assistant.same_torrent_twice' }
  | { readonly kind: 'assistant.unread' | 'assistant.asked_in_vain' }
  /** What does not look as it is cannot be agreed to. */
  | { readonly kind: 'assistant.unshowable'; readonly what: 'category' | 'tags' }
  | { readonly kind: 'run.interrupted' | 'run.steps' | 'run.no_answer' | 'run.cut' | 'run.output_limit' }

/** What is said to who writes to the bot. */
type ChatReason =
  | { readonly kind: 'chat.cut_off' | 'chat.button_over' | 'chat.not_allowed' | 'chat.no_words' | 'chat.unreadable' }
  | { readonly kind: 'chat.no_bot' | 'chat.off' | 'chat.no_https' }

type TunnelReason =
  | { readonly kind: 'tunnel.broken' | 'tunnel.header' }
  | { readonly kind: 'tunnel.path'; readonly limit: number }
  | { readonly kind: 'tunnel.too_many'; readonly limit: number }
  | { readonly kind: 'tunnel.body'; readonly limit: number }

export type Reason =
  | SiteReason
  | DownloaderReason
  | ServiceReason
  | ChannelReason
  | ModelReason
  | TemplateReason
  | ChatReason
  | PushReason
  | SearchReason
  | MediaReason
  | RunReason
  | BrushReasons
  | EndReasons
  | TransferReason
  | PlanReason
  | FeedReason
  | SignInReason
  | AccountReason
  | KeptReason
  | InputReason
  | DefinitionReason
  | AssistantReason
  | TunnelReason
  | MachineReason
  | NewsPart
  /** Of several of a kind, each with its own. */
  | { readonly kind: 'several'; readonly of: readonly NamedReason[] }
  /** Of one thing, one after another. */
  | { readonly kind: 'each'; readonly reasons: readonly Reason[] }
  /** Words that are not ours, or were written before reasons were facts. */
  | { readonly kind: 'quoted'; readonly words: string }

export type ReasonKind = Reason['kind']
/** Of one kind; several kinds may share their facts. */
export type ReasonOf<Kind extends ReasonKind> = Kind extends string ? FactsOf<Reason, Kind> : never
type FactsOf<One, Kind> = One extends { readonly kind: infer Kinds }
  ? Kind extends Kinds
    ? Omit<One, 'kind'> & { readonly kind: Kind }
    : never
  : never

/** What a language says of each kind, without a mark at its end. */
export type Renderer = { readonly [Kind in ReasonKind]: (reason: ReasonOf<Kind>) => string }

/** A renderer as one function. */
export function renderWith(renderer: Renderer): (reason: Reason) => string {
  return (reason) => (renderer[reason.kind] as (one: Reason) => string)(reason)
}
