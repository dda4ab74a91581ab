/** Reasons in English, without a mark at the end. */
import type { ChoiceRefusal } from '../media/release-refusal.ts'
import { backupTroubleInEnglish } from '../operating/backup-trouble.ts'
import type { Service } from '../service-fault.ts'
import type { BrushReason, DownloaderSkill, EndAction, FeedItemStatus } from '../vocabulary.ts'
import { gib, utc } from './gib.ts'
import {
  type BoundedThing,
  type Covers,
  type FreeEndWhy,
  type NamedReason,
  type NamedThing,
  type Reason,
  type ReasonOf,
  type Renderer,
  type RuleUnit,
  renderWith,
  type SealedThing,
  type SiteError,
  type Thing,
} from './reason.ts'
import { searchGroups } from './search-groups.ts'

const programs = {
  qbittorrent: 'qBittorrent',
  transmission: 'Transmission',
  deluge: 'Deluge',
  rtorrent: 'rTorrent',
} as const
const skills: Readonly<Record<DownloaderSkill, string>> = {
  category: 'a category',
  tags: 'tags',
  limits: 'limits of one torrent',
  queue: 'a place in the queue',
  low_priority: 'a low priority of files',
  rename: 'another name of a torrent',
  rename_file: 'another name of a file',
  super_seeding: 'super-seeding',
  sequential: 'downloading in order',
  first_last: 'first and last pieces first',
  add_tracker: 'another tracker',
  change_tracker: 'a tracker in place of another',
  remove_tracker: 'the removal of a tracker',
  export: 'giving the torrent file out',
}

const siteParts: Readonly<Record<ReasonOf<'site.broken'>['part'], string>> = {
  page: 'The page is not whole, or not what was expected',
  json: 'The site did not answer with the JSON that was expected',
  xml: 'The site did not answer with the XML that was expected',
  list: 'The page has no list of torrents; the site may have been rebuilt',
  account: 'The page has no figures of the account; the site may have been rebuilt',
  sign_in: 'The page of the sign-in is not understood; the site may have been rebuilt',
  torrent: 'The site did not answer with a torrent file',
}

const services: Readonly<
  Record<Service, Readonly<Record<'name' | 'notSetUp' | 'notFound' | 'refused' | 'broken', string>>>
> = {
  metadata: {
    name: 'The metadata provider',
    notSetUp: 'The key of the metadata provider is not set up yet',
    notFound: 'The metadata provider has no such address; check the one in the settings',
    refused: 'The metadata provider does not accept the key',
    broken: 'The metadata provider answered with something else than what was asked for',
  },
  images: {
    name: 'The image server',
    notSetUp: 'The address of images is not set up yet',
    notFound: 'There is no such image',
    refused: 'The image server refused the request',
    broken: 'The image server answered with something that is no image',
  },
  releases: {
    name: 'The list of releases',
    notSetUp: 'The list of releases is not set up yet, so updates cannot be checked',
    notFound: 'There is no list of releases at this address; check the settings',
    refused: 'The list of releases refused the request',
    broken: 'The list of releases is something else than what was asked for',
  },
  list: {
    name: 'The watchlist',
    notSetUp: 'The watchlist is not set up yet',
    notFound: 'There is no such watchlist, or it is not public',
    refused: 'The service of the watchlist does not let us in; check the key, and whether the list is public',
    broken: 'What is there is no watchlist',
  },
  reseed: {
    name: 'The reseed service',
    notSetUp: 'The token of the reseed service is not set up yet',
    notFound: 'The reseed service has no such address; check the one that is set',
    refused: 'The reseed service does not accept the token',
    broken: 'The reseed service answered with something else than what was asked for',
  },
}

export const choiceRefusals: Readonly<Record<ChoiceRefusal, string>> = {
  other_title: 'another title or season',
  not_wanted: 'nothing that is missing',
  site: 'a site that is not wanted',
  leaked: 'filmed off a screen',
  resolution: 'another resolution',
  source: 'another source',
  words: 'other words',
  size: 'too large or too small',
  seeders: 'too few seeders',
  not_free: 'not known to be free',
  hit_and_run: 'with hit and run',
}

const freeEndWhys: Readonly<Record<FreeEndWhy, string>> = {
  over: 'The free period is ending or over, and it is not complete',
  too_slow: 'It cannot be complete before the free period ends',
  unknown: 'The site does not tell when the free period ends, so it counts as ending now',
}

function overruled(rule: string, decided: FeedItemStatus): string {
  if (decided === 'failed') return 'after it could not be pushed'
  if (rule === '') return 'although it was not known to be free and there are no rules'
  if (decided === 'skipped') return `although the rule “${rule}” refuses it`
  if (decided === 'told') return `although the rule “${rule}” only tells of it`
  return `although no rule took it; “${rule}” came nearest`
}

const brushReasons: Readonly<Record<BrushReason, string>> = {
  incomplete: 'It was not complete in time',
  free_over: 'It is not free any more, and was not complete',
  seeding: 'It was seeded for long enough',
  ratio: 'It reached its ratio',
  uploaded: 'It uploaded enough',
  idle: 'It uploaded nothing for long',
}

const endActions: Readonly<Record<Exclude<EndAction, 'keep'>, string>> = {
  remove_with_files: 'Removed with its files',
  remove: 'Removed, its files left',
  pause: 'Paused',
}

const missing: Readonly<Record<Thing, string>> = {
  address: 'There is nothing at this address',
  backup: 'There is no such backup',
  brush_task: 'This brush task does not exist any more',
  brush_task_on: 'This brush task does not exist, or is off',
  channel: 'This channel does not exist any more',
  chat: 'This chat is not paired any more',
  confirmation: 'There is no such action to decide on',
  conversation: 'This conversation does not exist any more',
  definition: 'There is no such definition',
  device: 'This device does not exist any more',
  downloader: 'This downloader does not exist any more',
  downloader_on: 'This downloader does not exist, or is off',
  downloader_usable: 'There is no downloader that is on',
  end_rule: 'This rule does not exist any more',
  feed: 'This feed does not exist any more',
  feed_item: 'This is not remembered any more',
  feed_on: 'This feed does not exist, or is off',
  filter_rule: 'This rule does not exist any more',
  gateway_bodies: 'Nothing is kept of this request any more',
  gateway_key: 'There is no such gateway key',
  gateway_provider: 'There is no such gateway provider',
  gateway_route: 'There is no such gateway route or change',
  icon: 'This site has no icon',
  job: 'There is no such job',
  library: 'This library does not exist any more',
  media_record: 'This record does not exist any more',
  passkey: 'This passkey does not exist any more',
  profile: 'This quality profile does not exist any more',
  site: 'This site does not exist any more',
  site_on: 'This site does not exist, or is off',
  site_plan: 'There is no such plan for this site',
  doubt: 'This figure is not doubtful any more, or has changed since it was shown',
  statistics: 'This site does not exist, or has no figures to refresh',
  subscription: 'This subscription does not exist any more',
  template: 'There is no such event',
  token: 'This token does not exist any more',
  tool: 'There is no such tool',
  torrent: 'The downloader does not have this torrent',
  torrent_run: 'There is no such action on many torrents',
  watchlist: 'This watchlist does not exist any more',
  watchlist_item: 'There is no such entry, or it is decided already',
  watchlist_on: 'There is no such watchlist, or it is switched off',
}

const bounded: Readonly<Record<BoundedThing, string>> = {
  brush_task: 'brush tasks at most',
  channel: 'channels at most',
  chat: 'paired chats at most',
  device: 'devices at most; revoke those that are not used',
  downloader: 'downloaders at most',
  definition: 'definitions at most',
  end_rule: 'rules at most',
  feed: 'feeds at most',
  filter_rule: 'rules at most',
  library: 'libraries at most',
  passkey: 'passkeys at most; delete those that are not used',
  profile: 'quality profiles at most',
  site: 'sites at most',
  subscription: 'subscriptions at most',
  token: 'tokens at most; revoke those that are not used',
  torrent: 'torrents at most',
  watchlist: 'watchlists at most',
}

const named: Readonly<Record<NamedThing, string>> = {
  brush_task: 'brush task',
  channel: 'channel',
  downloader: 'downloader',
  end_rule: 'rule',
  feed: 'feed',
  filter_rule: 'rule',
  library: 'library',
  profile: 'quality profile',
  site: 'site',
  watchlist: 'watchlist',
}

const sealed: Readonly<Record<SealedThing, string>> = {
  channel: 'the address and token can be neither read nor stored',
  device: 'no device can be paired',
  downloader: 'the password cannot be stored',
  feed: 'the address of the feed cannot be stored',
  key: 'the key cannot be stored',
  site: 'the cookie or key cannot be stored',
  watchlist: 'the address and key of the watchlist cannot be stored',
}

const units: Readonly<Record<RuleUnit, string>> = {
  number: '',
  characters: ' characters',
  items: ' items',
  bytes: ' bytes',
}
const parts = { field: 'Field', parameter: 'Parameter' } as const
const templateParts = { title: 'title', text: 'text' } as const

function lost(state: 'missing' | 'changed', what: string, again = ''): string {
  return state === 'missing'
    ? `The master key is lost: ${what} cannot be read`
    : `The master key was changed: ${what} cannot be read${again}`
}

function ruled(rule: Reason | undefined): string {
  return rule === undefined ? '' : `: ${lowered(say(rule))}`
}

/** As it stands behind a colon; names that begin with capitals keep them. */
function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
}

function inTemplate({ part, line }: { readonly part: 'title' | 'text'; readonly line: number }, what: string): string {
  return `Line ${line} of the ${templateParts[part]}: ${what}`
}

function meant(near: string | undefined): string {
  return near === undefined ? '' : `; perhaps ${near} is meant`
}

function coversText(covers: Covers): string {
  if (covers === 'season') return 'Whole season'
  return covers.from === covers.to ? `Episode ${covers.from}` : `Episodes ${covers.from}–${covers.to}`
}

function searchRun({ pushes, refused, sites }: ReasonOf<'subscription.told'>): string {
  const made = pushes.filter(({ reason }) => reason === undefined)
  const covers = made.flatMap((push) => (push.covers === undefined ? [] : [coversText(push.covers)]))
  const said: string[] = []
  if (made.length > 0)
    said.push(
      `${made.length} ${made.length === 1 ? 'torrent' : 'torrents'} pushed${covers.length === 0 ? '' : `: ${covers.join(', ')}`}`,
    )
  for (const { covers: what, reason } of pushes) {
    if (reason !== undefined)
      said.push(`${what === undefined ? 'A torrent' : coversText(what)} could not be pushed: ${say(reason)}`)
  }
  if (pushes.length === 0) said.push(noneFits(refused))
  return [...said, ...sites.map(siteError)].join('; ')
}

function noneFits(refused: ReasonOf<'subscription.told'>['refused']): string {
  const total = refused.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return 'No torrent found'
  const reasons = refused.map(({ why, count }) => `${count} ${choiceRefusals[why]}`)
  return `Nothing suitable among ${total} ${total === 1 ? 'result' : 'results'}: ${reasons.join(', ')}`
}

function siteError({ site, reason }: SiteError): string {
  return `${site}: ${say(reason)}`
}

function namedReason({ name, reason }: NamedReason): string {
  return `${name}: ${say(reason)}`
}

function modelStatus(status: number): string {
  if (status === 401 || status === 403) return 'The model service refused the key'
  if (status === 404) return 'The model service has no such address or model'
  if (status === 429) return 'The model service is busy, or its quota is used up'
  if (status >= 500) return `The model service failed (${status})`
  if (status >= 300 && status < 400) return 'The model service sends to another address'
  return `The model service does not accept the request (${status})`
}

function withQuoted(said: string, words: string | undefined): string {
  return words === undefined || words === '' ? said : `${said}: ${words}`
}

const signIns: Readonly<Record<ReasonOf<'news.sign_in'>['status'], string>> = {
  signed: 'signed in',
  already: 'signed in before',
  failed: 'sign-in failed',
  unsupported: 'no sign-in there',
}

const definitionRules: Readonly<Record<ReasonOf<'definition.wrong'>['rule'], string>> = {
  yaml: 'not valid YAML',
  shape: 'not built as it should be',
  missing: 'something that must be there is missing',
  unknown_field: 'a field that is not known',
  filter: 'a filter that is not known',
  arguments: 'the arguments of the filter are not right',
  pattern: 'a regular expression that is not understood',
  template: 'a template that is not understood',
  date_layout: 'a layout of dates that is not understood',
  selector: 'a selector that is not understood',
  address: 'not an http or https address',
  value: 'a value that is not allowed',
  too_many: 'too many entries',
  too_large: 'too long',
}

const closedAccounts = {
  disabled: 'The site has disabled the account',
  parked: 'The account is parked on the site',
  either: 'The account is disabled or parked on the site',
} as const

const renderer: Renderer = {
  'definition.unreachable': () => 'There is no definition to be had at this address, or it is too large',
  'definition.in_use': () => 'Sites are made from this definition: remove them first',
  'definition.wrong': ({ rule, path, line }) => {
    const place = [line === undefined ? '' : `line ${line}`, path === '' ? '' : `(${path})`].filter((one) => one !== '')
    return `${place.length === 0 ? '' : `${place.join(' ')}: `}${definitionRules[rule]}`
  },

  'site.login_expired': () => 'The login has expired',
  'site.sign_in_refused': () => 'The site refused what it was signed in with: check the answers in its settings',
  'site.challenge': () => 'The site asks for a check that only a person can pass',
  'site.address_banned': () => 'The site has banned the address that this service calls from',
  'site.account_closed': ({ state }) => closedAccounts[state],
  'site.maintenance': () => 'The site is closed for maintenance',
  'site.person_needed': () =>
    'Signing in asks for a captcha: sign in with your browser and give the cookie in the settings of the site',
  'site.no_definition': () => 'The definition of this site is gone, or does not hold any more: add it again',
  'site.rate_limited': () => 'The site limits how often it is asked',
  'site.unreachable': () => 'The site cannot be reached',
  'site.proxy_unreachable': () => 'The proxy of the site cannot be reached',
  'site.proxy_refused': () => 'The proxy refused the user name or password',
  'site.proxy_unsupported': () => 'A proxy works on your own machine only',
  'site.certificate': () => 'The certificate of the site is not valid',
  'site.timeout': () => 'The site answered too late',
  'site.too_large': () => 'The site sent more than is read',
  'site.redirected': () => 'The site sends to another address',
  'site.broken': ({ part }) => siteParts[part],
  'site.search_first': () => 'The site gave no torrent file',
  'site.refused': () => 'The site refused the request',
  'site.behind_down': ({ status }) => `The site is down behind the service that shields it (HTTP status ${status})`,
  'site.status': ({ status }) => `The site answered with HTTP status ${status}`,
  'site.no_credentials': () => 'No cookie or key is stored',
  'site.secrets': ({ state }) => lost(state, 'the stored cookie or key', '; enter it again'),
  'site.unsupported': () => 'This kind of site cannot do that',
  'site.no_feed': () =>
    'The site tells programs no address of a feed: paste it from its pages, or read its newest list',
  'site.cookie_needed': () => 'The address stands on pages of the site, which a cookie opens and a key does not',
  'site.busy': () => 'The same is being done already',
  'site.interrupted': () => 'The connection to the site broke off',

  'downloader.credentials': () => 'Wrong user name or password',
  'downloader.banned': () => 'It refuses this service: the address is not on its list, or banned after failed sign-ins',
  'downloader.host_refused': () => 'It does not accept this host name; look at its host whitelist',
  'downloader.unreachable': () => 'It cannot be reached',
  'downloader.timeout': () => 'It did not answer in time',
  'downloader.certificate': () =>
    'No encrypted connection: its certificate is not trusted, or its name does not resolve',
  'downloader.not_this_kind': ({ program }) =>
    `The program there does not look like ${programs[program]}; check type and address`,
  'downloader.too_large': () => 'It answered with too much',
  'downloader.rejected': () => 'It refused the request',
  'downloader.unsupported': ({ skill }) => `Its program does not know ${skills[skill]}`,
  'downloader.labels_off': () => 'Its Label plugin is off: turn it on in the preferences of Deluge',
  'downloader.label_letters': () => 'A label of Deluge has the letters a to z, digits, _ and - only',
  'downloader.no_daemon': () => 'Its web page answers, but no daemon is connected to it',
  'downloader.status': ({ status }) => `It answered with HTTP status ${status}`,
  'downloader.secrets': ({ state }) => lost(state, 'the stored password', '; enter it again'),
  'downloader.interrupted': () => 'The connection to it was cut; try again',

  'service.not_set_up': ({ service }) => services[service].notSetUp,
  'service.not_found': ({ service }) => services[service].notFound,
  'service.refused': ({ service }) => services[service].refused,
  'service.rate_limited': ({ service }) =>
    `${services[service].name} limits how often it is asked. Try again in a moment`,
  'service.busy': ({ service }) =>
    `Too many are asking ${lowered(services[service].name)} at once. Try again in a moment`,
  'service.unreachable': ({ service }) =>
    `${services[service].name} cannot be reached. Check the address, and whether it needs a proxy`,
  'service.certificate': ({ service }) =>
    `The certificate of ${lowered(services[service].name)} is not valid or not trusted`,
  'service.timeout': ({ service }) => `${services[service].name} did not answer in time`,
  'service.too_large': ({ service }) => `${services[service].name} sent more than is read`,
  'service.redirected': ({ service }) =>
    `${services[service].name} sends to another address; check the one in the settings`,
  'service.broken': ({ service }) => services[service].broken,
  'service.status': ({ service, status }) => `${services[service].name} answered with HTTP status ${status}`,
  'service.proxy_unreachable': () => 'The proxy cannot be reached; check its address',
  'service.proxy_refused': () => 'The proxy refused the user name or password',
  'service.proxy_unsupported': () => 'A proxy works on your own machine only; take it out of the settings',
  'service.secrets': ({ state }) => lost(state, 'the stored key or proxy', '; enter it again'),
  'service.interrupted': () => 'The connection inside Wharf was cut; try again',

  'channel.credentials': () => 'The token or key is not accepted',
  'channel.rejected': () => 'The message is not accepted; check the chat and the expected form',
  'channel.not_found': () => 'Nobody takes messages at this address; check address and token',
  'channel.rate_limited': () => 'Too many messages for the receiver',
  'channel.unreachable': () => 'It cannot be reached',
  'channel.timeout': () => 'It did not answer in time',
  'channel.certificate': () => 'No encrypted connection: its certificate is not trusted, or its name does not resolve',
  'channel.redirected': () => 'It points to another address; enter the final one',
  'channel.not_a_bot': () => 'What answers there does not look like a bot’s interface; check the address',
  'channel.foreign': () => 'What answers there is not this service; check the address',
  'channel.too_large': () => 'It answered with too much',
  'channel.status': ({ status }) => `It answered with HTTP status ${status}`,
  'channel.secrets': ({ state }) => lost(state, 'the stored address and token', '; enter them again'),

  'model.disabled': () => 'The assistant was turned off',
  'model.secrets': ({ state }) => lost(state, 'the key of the model'),
  'model.no_gateway': () => 'The gateway of this installation has no usable key',
  'model.unreachable': () => 'The model service cannot be reached',
  'model.timeout': () => 'The model service did not answer in time',
  'model.refused': ({ status, quoted }) => withQuoted(modelStatus(status), quoted),
  'model.not_chat': () => 'The model service does not answer as one for chats does',
  'model.too_large': () => 'The model service answered with too much',
  'model.cut': () => 'The answer of the model service broke off',
  'model.failed': ({ quoted }) => withQuoted('The model service reported an error in its answer', quoted),
  'model.filtered': () => 'The model refused to answer this',
  'model.stopped': () => 'Stopped',

  'template.not_closed': (fault) => inTemplate(fault, 'a tag has no end'),
  'template.unknown_tag': (fault) => inTemplate(fault, `there is no tag ${fault.name}`),
  'template.unknown_filter': (fault) => inTemplate(fault, `there is no filter ${fault.name}${meant(fault.near)}`),
  'template.unknown_variable': (fault) => inTemplate(fault, `there is no variable ${fault.name}${meant(fault.near)}`),
  'template.list_as_text': (fault) => inTemplate(fault, 'a list cannot be written as it is; go through it with for'),
  'template.tag_too_long': (fault) => inTemplate(fault, 'this tag is too long'),
  'template.text_too_long': (fault) => inTemplate(fault, 'the template is too long'),
  'template.output_too_long': (fault) => inTemplate(fault, 'it makes too long a text'),
  'template.too_much_work': (fault) => inTemplate(fault, 'it takes too many steps'),
  'template.syntax': (fault) => inTemplate(fault, 'it is not written right'),

  'push.space_unread': () => 'The free space of the downloader could not be read',
  'push.capacity_unread': () => 'What is seeded on the site could not be read',
  'push.space_low': ({ left, kept }) =>
    `Too little space: ${gib(left)} are left beside what is unfinished, ${gib(kept)} are kept free`,
  'push.space_too_little': ({ left, size, kept }) =>
    `Too little space: ${gib(left)} are left, the torrent has ${gib(size)}, ${gib(kept)} are kept free`,
  'push.capacity_full': ({ seeding, size, limit }) =>
    `The seeding capacity of the site is full: ${gib(seeding)} are seeded, the torrent has ${gib(size)}, the limit is ${gib(limit)}`,
  'push.file_refused': () =>
    'The downloader does not take this torrent file: it is damaged, or of a format its version does not know',
  'push.version_unread': () =>
    'The downloader cannot read this torrent file: it has a part of version 2, which this version of the program does not know. Transmission does from 4.0 on',
  'push.not_listed': () => 'The downloader took it, but does not list it yet',
  'push.cut_off': () => 'The push was cut off; the downloader does not have the torrent',
  'push.interrupted': () => 'The push was cut off; its task says what came of it',
  'push.busy': () => 'Other torrents of this site are being pushed; try again later',
  'push.there_already': () => 'The downloader has this torrent already',
  'push.overruled': ({ rule, decided }) => `By hand, ${overruled(rule, decided)}`,
  'push.decided_anew': () => 'It was decided about anew meanwhile: look at it again',
  'push.free_ending': ({ title, paused, why }) =>
    `${freeEndWhys[why]}; ${paused ? 'paused' : 'not paused'}${title === undefined ? '' : `: ${title}`}`,
  'push.download': ({ reason }) => `The torrent file could not be downloaded: ${say(reason)}`,

  'search.failed': ({ sites }) =>
    `The search failed: ${searchGroups(sites, say)
      .map(({ said, names }) => `${said} (${names.join(', ')})`)
      .join('; ')}`,
  'subscription.told': searchRun,
  'subscription.nothing_wanted': () => 'Nothing to look for at the moment',
  'subscription.no_sites': () => 'There is no site to search',
  'subscription.all_there': () => 'Everything is there',
  'subscription.pushed_before': () => 'It was pushed before',
  'subscription.push_cut': () => 'The push was cut off',
  'subscription.site_busy': () => 'Another torrent of the site is being pushed',
  'subscription.not_complete': () => 'It was not downloaded completely',
  'subscription.never_complete': () => 'It was not complete after seven days',
  'subscription.never_organised': () => 'It did not come into the library within seven days',
  'subscription.not_active': () => 'Only what is followed is searched for',
  'subscription.busy': () => 'It is being searched for already',

  'torrent_run.more_match': ({ count, limit }) =>
    `${count} torrents match now, more than the ${limit} agreed to; nothing was done`,
  'torrent_run.too_many': ({ limit }) => `At most ${limit} actions on many torrents run at once; wait for one to end`,
  'stream.too_many': ({ limit }) => `At most ${limit} pages are kept up to date at once`,
  'message.too_many': ({ limit }) => `Scripts send at most ${limit} messages an hour`,
  'torrent_run.no_way_back': () => 'This action cannot be taken back, or is not over yet',
  'media.no_library': ({ media }) =>
    `There is no folder for ${media === 'movie' ? 'films' : 'series'}; it was left where it is`,
  'media.held_already': () => 'The library has the same or better; it was left where it is',
  'media.replaced': () => 'Something better took its place',
  'media.files_deleted': () => 'The torrent was deleted with its files',
  'media.incomplete': () => 'The downloader does not have all of it yet',
  'media.not_moved': () => 'The downloader did not move the files. Check the folder and its permissions',
  'media.files_busy': () => 'The downloader checks or moves this torrent',
  'media.not_needed': () => 'Only what failed or was left can be organised again',
  'media.titles_gone': ({ titles }) =>
    `The metadata provider does not have it, or not this season: ${titles.join(', ')}`,
  'media.title_unknown': () => 'The metadata provider does not have it, or not this season',
  'media.subscribed': () => 'It is subscribed already',
  'media.film_has_no_season': () => 'A film has no seasons',

  'rss.free_only': () => 'Free torrents',
  'rss.told_only': () => 'nothing, the rule only tells of it',
  'announce.own_machine': () => 'Channels need your own machine',
  'brush.removed': ({ why }) => brushReasons[why],
  'transfer.incomplete': () => 'It is not complete: only what is whole is moved',
  'transfer.no_file': () =>
    'Its torrent file is not to be had: its downloader hands none out, and it was not pushed from a site here',
  'transfer.other_file': () => 'The torrent file that was found is of another torrent',
  'transfer.stopped': () => 'Stopped; it stays where it was',
  'transfer.not_whole': ({ percent }) =>
    `The other downloader found ${percent} % of it in its folder, and must find all; it stays where it was`,
  'transfer.too_slow': () => 'The check did not end in time; it stays where it was',
  'reseed.other_files': () => 'What the site has of it has other files',
  'reseed.not_whole': ({ percent }) =>
    `The downloader found ${percent} % of it on the disk, and must find all; it was taken out again`,
  'reseed.refused': ({ quoted }) => `The reseed service says: ${quoted}`,
  'plan.no_figures': () => 'The account at the site was not read yet',
  'plan.no_levels': () => 'What the levels of this site ask for is not known',
  'plan.level_unknown': () => 'The level that the site shows is none of those that are known',
  'plan.highest': () => 'Nobody rises from this level',
  'plan.too_old': () => 'The plan is too old, and has to be made anew',
  'plan.over': () => 'The plan is over',
  'plan.not_free': () => 'By the list of the site it is free no more, or not for long',
  'torrent.ended': ({ action, rule, title }) => `${endActions[action]} by the rule “${rule}”: ${title}`,

  'sign_in.done': () => 'Signed in',
  'sign_in.already': () => 'Signed in before today',
  'sign_in.by_person': () => 'Signing in at the site needs a person',
  'sign_in.not_offered': () => 'This site cannot be signed in at by itself',
  'sign_in.gave_up': () => 'Signing in did not finish in several tries',
  'sign_in.busy': () => 'The site is being signed in at, or its login checked',
  'sign_in.failed': ({ reason }) => `The sign-in failed: ${say(reason)}`,

  'account.unauthorized': () => 'A valid token or a sign-in is needed',
  'account.foreign_page': () => 'Requests from other web sites are refused',
  'account.unreadable': () => 'The token cannot be checked at the moment',
  'account.no_permission': ({ holder, scope }) => `The ${holder} lacks the permission ${scope}`,
  'account.setup_code_wrong': () => 'The set-up link is wrong or was used before',
  'account.no_setup_code': () => 'There is no set-up link that can be used',
  'account.password_wrong': () => 'Wrong password',
  'account.current_password_wrong': () => 'The present password is wrong',
  'account.not_set_up': () => 'There is no password yet; open the set-up link first',
  'account.too_many_attempts': () => 'Too many tries; try again later',
  'account.no_master_key': () => 'There is no master key',
  'account.passkey_needs_name': () => 'Passkeys work only on a page that was opened by a name, or by localhost',
  'account.passkey_refused': () => 'The passkey was not accepted; try again',
  'device.refused': () => 'The request is not accepted; begin a new session',
  'device.unreadable': () => 'The device cannot be checked at the moment',

  none: ({ what }) => missing[what],
  none_enabled: () => 'No downloader is on',
  off: () => 'The site is off',
  too_many: ({ what, limit }) => `There can be ${limit} ${bounded[what]}`,
  from_file: ({ what }) => `The configuration file declares this ${named[what]}; change it there`,
  name_taken: ({ what }) => `Another ${named[what]} has this name`,
  profile_is_default: () => 'It is the default; another profile has to become that first',
  'watchlist.cut': ({ read }) => `The list is longer than is read of one: only its first ${read} entries count`,
  cannot_seal: ({ what }) => `The master key is lost or was changed: ${sealed[what]}`,
  cannot_open: ({ what, state }) =>
    lost(state, what === 'site' ? 'the stored cookie or key' : 'the stored password', '; enter it again'),
  downloader_deleted: () => 'The downloader was deleted',
  torrent_removed: () => 'The torrent was removed from the downloader',
  accepted_not_settled: () => 'The downloader accepted it; it does not show yet',
  figures_unreadable: () => 'The figures of the sites cannot be read at the moment',
  history_unreadable: () => 'The history of figures cannot be read at the moment',
  audit_unavailable: () => 'The log of actions cannot be written at the moment, so nothing was done',
  'machine.disk_full': ({ path }) =>
    `The disk${holding(path)} is full, so nothing can be stored. Free some space on it; no restart is needed`,
  'machine.disk_unwritable': ({ path }) =>
    `The disk${holding(path)} cannot be written. Mount it writable, and give it to the user that Wharf runs as`,
  'machine.disk_low': ({ path, left }) =>
    `Only ${gib(left)} are left on the disk${holding(path)}. Free some space before it is full`,
  'machine.database_damaged': ({ path, backup }) =>
    `The database${path === undefined ? '' : ` ${path}`} is damaged. Stop Wharf and put a backup back${backup === undefined ? '' : `; the newest is ${backup}`}`,
  'machine.journal_cut': ({ path, backup }) =>
    `What was written into the database ${path} last is lost: its journal is damaged. All before it is there. If something is missing, put a backup back${backup === undefined ? '' : `; the newest is ${backup}`}`,
  'machine.database_silent': () => 'The database does not answer. The log of Wharf has the details',
  'machine.clock_behind': ({ now, seen }) =>
    `The clock of this machine is wrong: it shows ${utc(now)}, and this service has been used at ${utc(seen)}. Set the clock; sign-ins and times are right again then`,
  'machine.clock_ahead': ({ now, seen }) =>
    `The clock of this machine may be wrong: it shows ${utc(now)}, and this service was last used at ${utc(seen)}. Set the clock if that is not so`,
  'machine.network_lost': ({ since }) =>
    `This machine has reached nobody on the network since ${utc(since)}. Look at its connection and its name server; Wharf goes on by itself when they are back`,
  'backup.failed': ({ trouble }) => `The backup could not be made or read: ${backupTroubleInEnglish(trouble)}`,
  'backup.not_made': ({ trouble }) =>
    `The daily backup could not be made: ${backupTroubleInEnglish(trouble)}. It is tried again within the hour`,
  'backup.not_sent': ({ trouble }) =>
    `Backups could not be sent to the bucket: ${backupTroubleInEnglish(trouble)}. They are kept here, and sent again within the hour`,
  'backup.not_whole': ({ trouble }) => `The backup cannot be used: ${backupTroubleInEnglish(trouble)}`,
  'backup.busy': () => 'Another backup is being made or read; wait for it',
  internal: () => 'Wharf made a mistake. Its log has the details',

  'field.wrong': ({ field, part, rule }) => `${parts[part]} ${field} is not right${ruled(rule)}`,
  'field.missing': ({ field, part }) => `${parts[part]} ${field} is missing`,
  'field.wrong_type': ({ field, rule }) => `Field ${field} is of the wrong type${ruled(rule)}`,
  'field.fill_in': ({ field }) => `Fill in field ${field}`,
  'field.fill_in_again': ({ field, changed }) =>
    `The ${changed === 'address' ? 'address' : 'address or kind'} changed; fill in field ${field} again`,
  'field.unknown': ({ fields }) => `The request has unknown fields: ${fields.join(', ')}`,
  'field.once': ({ field }) => `Parameter ${field} may stand once only`,
  'field.only_for': ({ fields, type }) =>
    `${fields.length === 1 ? 'Field' : 'Fields'} ${fields.join(' and ')} ${fields.length === 1 ? 'is' : 'are'} for channels of type ${type} only`,
  'body.not_an_object': () => 'The body has to be a JSON object',
  'body.not_taken': () => 'This takes no body',
  'body.empty': () => 'The body is missing',
  'body.not_json': () => 'The body is not valid JSON',
  'body.too_deep': () => 'The body is nested too deeply',
  'body.broken_off': () => 'The body broke off',
  'body.too_large': ({ limit }) => `The body has more than ${limit / 1024 ** 2} MiB`,
  method: ({ allowed }) => `This address takes ${allowed.join(', ')} only`,
  'rule.one_of': ({ values }) => `It can be ${values.join(', ')}`,
  'rule.at_most': ({ limit, unit }) => `At most ${limit}${units[unit]}`,
  'rule.at_least': ({ limit, unit }) => `At least ${limit}${units[unit]}`,
  'rule.each_once': () => 'must name each of them exactly once',
  'rule.not_empty': () => 'It may not be empty',
  'rule.one_page': () => 'A search has one page only',
  'rule.kind_stays': () => 'The kind of a channel cannot be changed',
  'rule.not_of_definition': () => 'It is not that of the definition',
  'rule.too_long': () => 'It is too long',
  'rule.not_a_free_header': () => 'One of the names cannot be a header of your own',
  'rule.header_twice': () => 'A header can be given once only',
  'rule.magnet': () => 'It is no magnet link with one info hash',
  'rule.tracker': () => 'It is no address of a tracker: http, https, udp, ws or wss',
  'rule.inside': () => 'It has to be a name or a path inside the torrent',
  'rule.torrent_file': () => 'It is no whole torrent file',
  'rule.public_address': () => 'It has to be an http or https address with a public host name',
  'rule.one_source': () => 'Exactly one of magnet, address and file has to be given',
  'rule.time_zone': () => 'There is no such time zone',
  'rule.no_torrent_list': () => 'This kind of site has no list of torrents',
  'rule.body_only': () => 'This event has no title',
  'rule.not_below': ({ field }) => `It may not be below ${field}`,
  'address.incomplete': () => 'The address is not whole or not written right; one is like http://192.168.1.2:8080',
  'address.scheme': () => 'An address begins with http:// or https://',
  'address.user': () => 'User name and password do not belong into the address; fill them in on their own',
  'address.query': () => 'What follows ? or # does not belong into the address',
  'address.https': () => 'The address must begin with https://, as a token is sent there',
  'address.fragment': () => 'What follows # does not belong into the address',
  'proxy.scheme': () => 'The address of a proxy begins with http:// or https://',
  'proxy.broken': () =>
    'The address of the proxy is not written right; one is like http://user:password@127.0.0.1:7890',
  'proxy.rest': () => 'Nothing may follow the port of a proxy',
  'proxy.password_alone': () => 'The address of the proxy has a password without a user name',
  'proxy.unsupported': () => 'A proxy works on your own machine only, not at the edge',
  'cookie.unreadable': () =>
    'It is in no known form; paste a Cookie header, the JSON of an extension, or a cookies.txt in the Netscape form',
  'cookie.none_fits': ({ host }) => `There is no cookie for ${host} in it`,
  'cookie.expired': ({ host }) => `The cookies for ${host} in it have all expired; sign in again and export them anew`,
  'cookie.too_long': ({ limit }) => `The cookies of this site are longer than ${limit} characters together`,
  'cookie.push_refused': () =>
    'The push is not taken; compare UUID and password in the extension, or make new ones in the settings',
  'cookie.no_push': () => 'This is no push of cookies',
  'cookie.push_sealed': () =>
    'The master key is lost or another one, so the push cannot be read; make a new password in the settings',
  'cookie.renewed': ({ sites }) => `Cookies were renewed: ${sites.join(', ')}`,
  'path.control': () => 'It may not have control characters',
  'path.relative': () => 'It has to be a whole path on the machine of the downloader',
  'path.backslash': () => 'It may not have backslashes',
  'path.upwards': () => 'It may not have . or ..',
  'path.root': () => 'It may not be the root',
  'path.too_long': ({ limit }) => `At most ${limit} bytes`,

  'assistant.busy': () => 'This conversation is being answered; wait for its end, or stop it',
  'gateway.unavailable': () => 'The model gateway did not answer in a way that can be read',
  'assistant.unavailable': () => 'The assistant is not there at the moment; the message was not taken',
  'assistant.disabled': () => 'The assistant is not turned on, or has no model',
  'assistant.decided': () => 'This action was decided already',
  'assistant.too_many': ({ limit }) => `The assistant is answering ${limit} questions; try again later`,
  'assistant.not_audited': () => 'The log of actions cannot be written at the moment, so nothing was decided',
  'assistant.unread': () => 'The list of conversations cannot be read at the moment',
  'assistant.asked_in_vain': () => 'Too many conversations were asked for that are not there; try again shortly',
  'assistant.same_torrent_twice': () => 'A torrent is named twice',
  'assistant.unshowable': ({ what }) =>
    `The ${what === 'category' ? 'category has' : 'tags have'} characters that cannot be shown as they are`,
  'run.interrupted': () => 'Wharf restarted while it answered',
  'run.steps': () => 'The limit of steps of one answer was reached',
  'run.no_answer': () => 'The model gave no answer',
  'run.cut': () => 'The answer was too long and was cut',
  'run.output_limit': () => 'The model reached its limit, so the answer may not be whole',

  'chat.cut_off': () =>
    'The service restarted while it was at this message. What came of it is not known, and it is not repeated: look how things are',
  'chat.button_over': () => 'This button was used already, or its time is over',
  'chat.not_allowed': () => 'This chat may not use that command',
  'chat.no_words': () => 'Words to look for have to follow the command',
  'chat.unreadable': () => 'The service gave no readable answer',
  'chat.no_bot': () => 'This channel is no bot',
  'chat.off': () => 'The bot has to receive messages first',
  'chat.no_https': () =>
    'Messages can be sent here only where the console is open under https, or PUBLIC_URL names an https address',

  'tunnel.broken': () => 'The request in the tunnel is not whole, or has something unknown in it',
  'tunnel.header': () => 'The request in the tunnel has a header that is not allowed',
  'tunnel.path': ({ limit }) => `A path has ${limit} bytes at most`,
  'tunnel.too_many': ({ limit }) => `A session has ${limit} requests at once at most`,
  'tunnel.body': ({ limit }) => `The content has more than ${limit} bytes`,

  'news.covers': ({ covers }) => (covers === undefined ? '' : coversText(covers)),
  'news.title': ({ title, season }) => (season === 0 ? title : `${title}, season ${season}`),
  'news.sign_in': ({ status }) => signIns[status],

  several: ({ of }) => of.map(namedReason).join('; '),
  each: ({ reasons }) => reasons.map(say).join('; '),
  quoted: ({ words }) => words,
}

const say = renderWith(renderer)

export const inEnglish: (reason: Reason) => string = say

function holding(path: string | undefined): string {
  return path === undefined ? '' : ` that holds ${path}`
}
