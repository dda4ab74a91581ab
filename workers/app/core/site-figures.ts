/** The figures of an account: which there are, where each was read, and which of them are not to be believed. */

export const figureNames = [
  'level',
  'uploaded',
  'downloaded',
  'ratio',
  'bonus',
  'bonus_per_hour',
  'seeding',
  'leeching',
  'seeding_size',
  'unread_messages',
  'hnr_unsatisfied',
] as const
export type FigureName = (typeof figureNames)[number]

/** Where a figure stands: a page of the site, the head of its row where it has one, and the words or field beside it. */
interface FigureSource {
  readonly page: string
  readonly row?: string
  readonly label?: string
  /** What the owner said of it: holds while the page says what it said then. */
  readonly word?: OwnersWord
}

interface OwnersWord {
  /** What the page said. */
  readonly read: number
  /** What is right: the same, or what was known before. */
  readonly value: number
  readonly atUnix: number
}

/**
 * Why a figure is doubtful: outside of what can be; told differently in two places; not the sum of what it counts; not
 * what follows from other figures; grown or shrunk as none does.
 */
export const doubtRules = ['range', 'places', 'sum', 'others', 'growth'] as const
type DoubtRule = (typeof doubtRules)[number]

export interface FigureDoubt {
  readonly figure: FigureName
  readonly rule: DoubtRule
  /** What was known before it became doubtful. Left out where nothing was. */
  readonly before?: number
}

/** The account as read. What a site does not tell is absent, and never zero. */
export interface SiteUser {
  readonly username: string
  readonly level?: string
  readonly uploadedBytes?: number
  /** Billed: what the site counts toward the ratio. */
  readonly downloadedBytes?: number
  readonly ratio?: number
  readonly bonus?: number
  readonly bonusPerHour?: number
  readonly seeding?: number
  readonly leeching?: number
  readonly seedingSizeBytes?: number
  readonly unreadMessages?: number
  readonly hnrUnsatisfied?: number
  /** Facts beside the figures, which levels ask for. */
  readonly joinedAtUnix?: number
  readonly seedingPoints?: number
  /** Shown as such, and kept out of sums and decisions. Left out for none. */
  readonly doubts?: readonly FigureDoubt[]
  readonly sources?: FigureSources
}
type FigureSources = Readonly<Partial<Record<FigureName, FigureSource>>>

type NumberName = Exclude<FigureName, 'level'>
type NumberField = Exclude<keyof SiteUser, 'username' | 'level' | 'doubts' | 'sources'>

const fields: Readonly<Record<NumberName, NumberField>> = {
  uploaded: 'uploadedBytes',
  downloaded: 'downloadedBytes',
  ratio: 'ratio',
  bonus: 'bonus',
  bonus_per_hour: 'bonusPerHour',
  seeding: 'seeding',
  leeching: 'leeching',
  seeding_size: 'seedingSizeBytes',
  unread_messages: 'unreadMessages',
  hnr_unsatisfied: 'hnrUnsatisfied',
}

function figureOf(user: SiteUser, name: FigureName): number | string | undefined {
  return name === 'level' ? user.level : user[fields[name]]
}

function isDoubtful(user: SiteUser, name: FigureName): boolean {
  return user.doubts?.some(({ figure }) => figure === name) ?? false
}

/** What sums and decisions may use: undefined for what is absent or doubtful. */
export function knownNumber(user: SiteUser, name: NumberName): number | undefined {
  return isDoubtful(user, name) ? undefined : user[fields[name]]
}

/** Every figure there is: its value where it is told, where it was read, why it is doubtful, and what the owner said. */
export function triedFigures(user: SiteUser): ({
  figure: FigureName
  value?: number | string
  doubt?: DoubtRule
  before?: number
  read?: number
  said_at?: number
} & Partial<Omit<FigureSource, 'word'>>)[] {
  return figureNames.map((figure) => {
    const value = figureOf(user, figure)
    const { rule, before } = user.doubts?.find((one) => one.figure === figure) ?? {}
    const { word, ...place } = user.sources?.[figure] ?? {}
    return {
      figure,
      ...(value === undefined ? {} : { value }),
      ...place,
      ...(rule === undefined ? {} : { doubt: rule }),
      ...(before === undefined ? {} : { before }),
      ...(word === undefined ? {} : { read: word.read, said_at: word.atUnix }),
    }
  })
}

export function absentFigures(user: SiteUser): FigureName[] {
  return figureNames.filter((name) => figureOf(user, name) === undefined)
}

export type ReadFigure = readonly [name: FigureName, value: number | string | undefined, source: FigureSource]

/** Puts an account together. Of what stands in several places the first one that is there counts. */
export function userOf(
  username: string,
  read: readonly ReadFigure[],
  doubts: readonly (FigureDoubt | undefined)[] = [],
): SiteUser {
  const values: Record<string, number | string> = {}
  const sources: Partial<Record<FigureName, FigureSource>> = {}
  for (const [name, value, source] of read) {
    if (value === undefined || value === '' || sources[name] !== undefined) continue
    values[name === 'level' ? 'level' : fields[name]] = value
    sources[name] = source
  }
  const user: SiteUser = { ...values, username, sources }
  const own = doubts.filter((doubt) => doubt !== undefined)
  return own.length === 0 ? user : { ...user, doubts: own }
}

const gib = 1024 ** 3

/** Inclusive. Beyond it is no account's figure: a misread cell, another unit, an identifier. */
export const figureRanges: Readonly<Record<NumberName, readonly [min: number, max: number]>> = {
  uploaded: [0, Number.MAX_SAFE_INTEGER - 1],
  downloaded: [0, Number.MAX_SAFE_INTEGER - 1],
  ratio: [0, 1e7],
  bonus: [0, 1e12],
  bonus_per_hour: [0, 1e6],
  seeding: [0, 1e6],
  leeching: [0, 1e5],
  seeding_size: [0, Number.MAX_SAFE_INTEGER - 1],
  unread_messages: [0, 1e6],
  hnr_unsatisfied: [0, 1e5],
}

/** More than any one torrent holds. */
const torrentBytesMax = 64 * 1024 * gib
/** What a site rounds, and what happens between two of its pages. */
const ratioShareMax = 0.05
const ratioSlack = 0.011

/** A ratio that is another figure's quotient for every reader but this one was misread, or counts something else. */
function followsFromOthers(user: SiteUser): FigureDoubt[] {
  const { uploadedBytes, downloadedBytes, ratio, seeding, seedingSizeBytes } = user
  const doubts: FigureDoubt[] = []
  // Below a gibibyte what pages round away weighs too much.
  if (ratio !== undefined && uploadedBytes !== undefined && (downloadedBytes ?? 0) >= gib) {
    const expected = uploadedBytes / (downloadedBytes ?? 1)
    if (Math.abs(ratio - expected) > ratioSlack + ratioShareMax * expected)
      doubts.push({ figure: 'ratio', rule: 'others' })
  }
  if (seeding !== undefined && seedingSizeBytes !== undefined) {
    const isPossible = seeding === 0 ? seedingSizeBytes === 0 : seedingSizeBytes > 0
    if (!isPossible || seedingSizeBytes > seeding * torrentBytesMax)
      doubts.push({ figure: 'seeding_size', rule: 'others' })
  }
  return doubts
}

/** Sites that leave their ratio out leave it to the reader. */
function withRatio(user: SiteUser): SiteUser {
  const [uploaded, downloaded] = [knownNumber(user, 'uploaded'), knownNumber(user, 'downloaded')]
  if (user.ratio !== undefined || uploaded === undefined || downloaded === undefined || downloaded === 0) return user
  const page = user.sources?.downloaded?.page
  return {
    ...user,
    ratio: uploaded / downloaded,
    sources: { ...user.sources, ...(page === undefined ? {} : { ratio: { page, label: 'uploaded ÷ downloaded' } }) },
  }
}

/** What a page says of the account by itself. */
export function judgedUser(read: SiteUser): SiteUser {
  const user = withRatio(read)
  const names = Object.keys(fields) as NumberName[]
  const outside = names.flatMap((figure): FigureDoubt[] => {
    const value = user[fields[figure]]
    const [min, max] = figureRanges[figure]
    return value === undefined || (Number.isFinite(value) && value >= min && value <= max)
      ? []
      : [{ figure, rule: 'range' }]
  })
  return withDoubts(user, [...outside, ...followsFromOthers(user)])
}

/** Ten gigabits each second, and beyond that what sites give away at once. */
const bytesPerSecondMax = 1.25e9
const bytesAtOnceMax = 2 * 1024 * gib
const bonusAtOnceMax = 1e5

/**
 * What a figure became since it was read last. A jump is doubted once: when the next reading says the same, it is what
 * the site says.
 */
export function judgedGrowth(
  user: SiteUser,
  before: (SiteUser & { readonly fetchedAtUnix: number }) | undefined,
  nowUnix: number,
): SiteUser {
  // Another account is not compared.
  if (before === undefined || before.username !== user.username) return user
  const seconds = Math.max(0, nowUnix - before.fetchedAtUnix)
  const moved = (['uploaded', 'downloaded'] as const).filter((figure) => {
    const [was, is] = [before[fields[figure]], user[fields[figure]]]
    if (was === undefined || is === undefined) return false
    return is - was > bytesAtOnceMax + bytesPerSecondMax * seconds || (was > gib && is < was / 2)
  })
  const { bonus } = user
  const isPoured =
    bonus !== undefined && before.bonus !== undefined && bonus - before.bonus > before.bonus + bonusAtOnceMax
  const doubts = [...moved, ...(isPoured ? ['bonus' as const] : [])]
  return withDoubts(
    user,
    doubts.map((figure) => ({ figure, rule: 'growth' })),
  )
}

/**
 * What the owner said of a figure goes on while the page says the same, and what was known before a figure became
 * doubtful stays beside it.
 */
export function heldToOwner(user: SiteUser, before: SiteUser | undefined): SiteUser {
  if (before === undefined || before.username !== user.username) return user
  const doubts = user.doubts?.map((doubt): FigureDoubt => {
    if (doubt.figure === 'level') return doubt
    const earlier = before.doubts?.find(({ figure }) => figure === doubt.figure)
    const known = earlier === undefined ? knownNumber(before, doubt.figure) : earlier.before
    return known === undefined ? doubt : { ...doubt, before: known }
  })
  let held: SiteUser = doubts === undefined ? user : { ...user, doubts }
  for (const name of Object.keys(fields) as NumberName[]) {
    const word = before.sources?.[name]?.word
    if (word !== undefined && user[fields[name]] === word.read) held = asSaid(held, name, word)
  }
  return held
}

/** Undefined where the figure is not doubtful, is another one than the owner saw, or has nothing before it. */
export function saidByOwner(
  user: SiteUser,
  { figure, value, is }: { readonly figure: FigureName; readonly value: number; readonly is: 'right' | 'before' },
  nowUnix: number,
): SiteUser | undefined {
  const doubt = user.doubts?.find((one) => one.figure === figure)
  if (figure === 'level' || doubt === undefined || user[fields[figure]] !== value) return undefined
  const right = is === 'right' ? value : doubt.before
  return right === undefined ? undefined : asSaid(user, figure, { read: value, value: right, atUnix: nowUnix })
}

function asSaid(user: SiteUser, figure: NumberName, word: OwnersWord): SiteUser {
  const { doubts = [], ...rest } = user
  const others = doubts.filter((one) => one.figure !== figure)
  const place = user.sources?.[figure]
  return {
    ...rest,
    [fields[figure]]: word.value,
    ...(place === undefined ? {} : { sources: { ...user.sources, [figure]: { ...place, word } } }),
    ...(others.length === 0 ? {} : { doubts: others }),
  }
}

function withDoubts(user: SiteUser, found: readonly FigureDoubt[]): SiteUser {
  const added = found.filter(({ figure }) => !isDoubtful(user, figure))
  return added.length === 0 ? user : { ...user, doubts: [...(user.doubts ?? []), ...added] }
}

/** The same figure in two places, which were read some seconds apart. Undefined when they agree, or one is absent. */
export function placesDiffer(
  figure: FigureName,
  one: number | undefined,
  other: number | undefined,
  slack: { readonly share: number; readonly amount: number },
): FigureDoubt | undefined {
  if (one === undefined || other === undefined) return undefined
  const isSame = Math.abs(one - other) <= slack.amount + slack.share * Math.max(Math.abs(one), Math.abs(other))
  return isSame ? undefined : { figure, rule: 'places' }
}
