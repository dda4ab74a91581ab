/** What Gazelle's interface tells of an account: what its pages show on top, the member's page, and the counts beside it. */
import { z } from '@hono/zod-openapi'
import type { SiteReading } from '../../../core/site.ts'
import { type ReadFigure, userOf } from '../../../core/site-figures.ts'
import { plainText, readSize, readTime, toldCount, toldNumber } from '../../../core/site-numbers.ts'
import { siteTextCharactersMax } from '../../../limits.ts'

const figure = z.union([z.number(), z.string()]).nullish()
const time = z.string().nullish()

export const ownIndex = z.object({
  id: z.union([z.number(), z.string()]),
  username: z.string().min(1),
  /** They open downloads for who is signed in by a cookie. */
  authkey: z.string().nullish(),
  passkey: z.string().nullish(),
  userstats: z.object({
    uploaded: figure,
    downloaded: figure,
    ratio: figure,
    class: z.string().nullish(),
    bonusPoints: figure,
    bonusPointsPerHour: figure,
  }),
  notifications: z.object({ messages: figure }).nullish(),
})
/** The fork for games has gold for a bonus, and points that its levels ask for. */
export const memberPage = z.object({
  stats: z.object({ lastAccess: time, joinedDate: time, gold: figure }).nullish(),
  personal: z.object({ hnrs: figure }).nullish(),
  community: z.object({ seeding: figure, leeching: figure, seedSize: figure, hourlyGold: figure }).nullish(),
  achievements: z.object({ totalPoints: figure }).nullish(),
})
/** As people read them: commas between thousands, a size with its unit, and `false` for what the member hides. */
export const memberCounts = z.object({ seeding: z.unknown(), leeching: z.unknown(), seedingsize: z.unknown() })

interface AccountAnswers {
  readonly index: z.output<typeof ownIndex>
  /** Good to have: without it the account is still shown. */
  readonly member: z.output<typeof memberPage> | undefined
  readonly counts: z.output<typeof memberCounts> | undefined
}

/** `pages`: what each answer was asked for as. */
export function accountOf(
  { index, member, counts }: AccountAnswers,
  pages: { readonly index: string; readonly member: string; readonly counts: string },
  utcOffsetMinutes: number,
): SiteReading {
  const { username, userstats, notifications } = index
  const level = userstats.class == null ? undefined : plainText(userstats.class, siteTextCharactersMax)
  const onIndex = (label: string) => ({ page: pages.index, label })
  const onMember = (label: string) => ({ page: pages.member, label })
  const onCounts = (label: string) => ({ page: pages.counts, label })
  const figures: ReadFigure[] = [
    ['level', level, onIndex('userstats.class')],
    ['uploaded', toldCount(userstats.uploaded), onIndex('userstats.uploaded')],
    ['downloaded', toldCount(userstats.downloaded), onIndex('userstats.downloaded')],
    ['ratio', toldRatio(userstats), onIndex('userstats.ratio')],
    ['bonus', toldNumber(userstats.bonusPoints), onIndex('userstats.bonusPoints')],
    ['bonus', toldNumber(member?.stats?.gold), onMember('stats.gold')],
    ['bonus_per_hour', toldNumber(userstats.bonusPointsPerHour), onIndex('userstats.bonusPointsPerHour')],
    ['bonus_per_hour', toldNumber(member?.community?.hourlyGold), onMember('community.hourlyGold')],
    ['seeding', toldCount(member?.community?.seeding), onMember('community.seeding')],
    ['seeding', toldCount(counts?.seeding), onCounts('seeding')],
    ['leeching', toldCount(member?.community?.leeching), onMember('community.leeching')],
    ['leeching', toldCount(counts?.leeching), onCounts('leeching')],
    ['seeding_size', toldCount(member?.community?.seedSize), onMember('community.seedSize')],
    ['seeding_size', sizeOf(counts?.seedingsize), onCounts('seedingsize')],
    ['hnr_unsatisfied', toldCount(member?.personal?.hnrs), onMember('personal.hnrs')],
    ['unread_messages', toldCount(notifications?.messages), onIndex('notifications.messages')],
  ]
  const lastActiveAtUnix = readTime(member?.stats?.lastAccess ?? '', utcOffsetMinutes)
  const joinedAtUnix = readTime(member?.stats?.joinedDate ?? '', utcOffsetMinutes)
  const seedingPoints = toldNumber(member?.achievements?.totalPoints)
  return {
    ...(lastActiveAtUnix === undefined ? {} : { lastActiveAtUnix }),
    user: {
      ...userOf(plainText(username, siteTextCharactersMax), figures),
      ...(joinedAtUnix === undefined ? {} : { joinedAtUnix }),
      ...(seedingPoints === undefined ? {} : { seedingPoints }),
    },
  }
}

/**
 * What cannot be divided is told as 0 or -1. From a thousand on the software reads its own `1,234.56` up to the comma, and
 * tells 1: such a ratio is left to both sides of it.
 */
function toldRatio({ uploaded, downloaded, ratio }: z.output<typeof ownIndex>['userstats']): number | undefined {
  const [up, down] = [toldCount(uploaded) ?? 0, toldCount(downloaded) ?? 0]
  return down > 0 && up / down < 1000 ? toldNumber(ratio) : undefined
}

function sizeOf(told: unknown): number | undefined {
  return typeof told === 'string' ? readSize(told.trim()) : undefined
}
