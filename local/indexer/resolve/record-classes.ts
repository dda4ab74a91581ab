/** What the classes of Ruby's object mappers give that no file of the project declares. */
import type { Denotation, Instance } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'

const mappers = /^(?:::)?(?:ActiveRecord::Base|Mongoid::Document|Sequel::Model)\b/
/** Give one record of the class, or of the list they are asked of. */
const givesOne = new Set(
  `create create! build find find! find_by find_by! first first! last last! take take! sole second find_sole_by
  find_or_create_by find_or_create_by! find_or_initialize_by create_or_find_by create_or_find_by! first_or_create
  first_or_create! first_or_initialize`.split(/\s+/),
)
/** Give a list of such records. */
const givesList = new Set(
  `all where not rewhere order reorder in_order_of limit offset joins left_joins left_outer_joins includes eager_load
  preload references group having distinct unscoped none readonly lock or and merge select reject to_a load reload
  find_each`.split(/\s+/),
)
const lineMax = 6

/** What a call of a method that the mapper writes gives, asked of a class of the project. */
export function recordsOf(whole: Evaluation, of: Denotation | undefined, name: string): Denotation | undefined {
  if (of?.t !== 'symbol' || !(givesOne.has(name) || givesList.has(name)) || !isMapped(whole, of.f, of.s))
    return undefined
  const one: Instance = { t: 'instance', f: of.f, s: of.s }
  return givesOne.has(name) ? one : { t: 'list', of: one }
}

/** The same, asked of a list of records. */
export function recordsIn(list: Extract<Denotation, { t: 'list' }>, name: string): Denotation | undefined {
  return givesOne.has(name) ? list.of : givesList.has(name) ? list : undefined
}

function isMapped(whole: Evaluation, f: number, s: number): boolean {
  let at: { readonly f: number; readonly s: number } | undefined = { f, s }
  for (let up = 0; at !== undefined && up < lineMax; up += 1) {
    const { heritage, kind } = whole.symbol(at.f, at.s)
    if (kind !== 'class') return false
    if (heritage?.some((one) => mappers.test(one.name)) === true) return true
    const above: Denotation | undefined = heritage
      ?.map((one) => whole.evaluate(at?.f ?? f, one.value, undefined, true))
      .find((one) => one?.t === 'symbol' && whole.symbol(one.f, one.s).kind === 'class')
    at = above?.t === 'symbol' ? above : undefined
  }
  return false
}
