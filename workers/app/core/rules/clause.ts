/** One thing that a rule asks of a candidate: made ready once, asked of many, and said again with what was found. */

import { wildcardTest } from '#shared/kernel/wildcard.ts'
import { discounts, releaseSources, resolutions, torrentStates } from '../vocabulary.ts'
import { flagReaders, numberReaders, promotionOf, sourceOf } from './candidate-facts.ts'
import type { DayBoundAsked } from './day-bound.ts'
import type {
  FactLack,
  FactSource,
  FlagCondition,
  NumberCondition,
  RuleCondition,
  RulePlace,
  SetCondition,
  TitleCondition,
} from './filter-rule.ts'
import { folded, type Subject } from './subject.ts'
import { titlePattern } from './title-pattern.ts'

export const clauseStates = ['met', 'unmet', 'unknown'] as const
type ClauseState = (typeof clauseStates)[number]

/** One thing that was asked, and what was found. */
export interface Clause {
  readonly asked:
    | RuleCondition
    | DayBoundAsked
    /** The same release was taken before, from the site that was found. */
    | { readonly field: 'same_release'; readonly op: 'is'; readonly value: false }
  readonly state: ClauseState
  /** What the candidate has; left out where nobody told. */
  readonly found?: string | number | boolean | undefined
  /** Where that was read, as far as it is known. */
  readonly from?: FactSource | undefined
  /** Why nobody can tell. */
  readonly lack?: FactLack | undefined
  /** As it is now, and not as it was then. */
  readonly now?: true | undefined
}

/** What a condition finds of a candidate. */
type StateOf = (subject: Subject) => ClauseState

/** A condition, ready to be asked of many. */
export interface PreparedCondition {
  readonly asked: RuleCondition
  readonly state: StateOf
  readonly found: (subject: Subject) => Clause['found']
}

const asOfNow = { now: true } as const

export function clauseOf({ asked, state, found }: PreparedCondition, subject: Subject): Clause {
  const value = found(subject)
  const clause = {
    asked,
    state: state(subject),
    ...(asked.field === 'owned' && subject.candidate.isOwnedNow ? asOfNow : {}),
  }
  if (value !== undefined) return { ...clause, found: value, from: sourceOf(asked.field, subject) }
  return asked.field === 'title'
    ? { ...clause, from: 'name' }
    : { ...clause, lack: asked.field === 'owned' ? subject.candidate.ownedLack : undefined }
}

/** `place` is where the rule would have it written. */
export function prepareCondition(asked: RuleCondition, place: RulePlace): PreparedCondition {
  switch (asked.op) {
    case 'at_least':
    case 'at_most':
      return prepareNumber(asked, place)
    case 'is':
      return prepareFlag(asked)
    case 'is_any':
    case 'is_none':
      return prepareSet(asked)
    default:
      return { asked, state: remembered(titleState(asked)), found: nothing }
  }
}

const nothing = () => undefined

/** Of the subject it was asked of last: rules of a set often look for the same words, and a clause says it once more. */
function remembered(state: StateOf): StateOf {
  let last: Subject | undefined
  let known: ClauseState = 'unknown'
  return (subject) => {
    if (subject !== last) {
      known = state(subject)
      last = subject
    }
    return known
  }
}

function prepareNumber(asked: NumberCondition, place: RulePlace): PreparedCondition {
  const { op, value } = asked
  const readAt = numberReaders[asked.field]
  const read = (subject: Subject) => readAt(subject, place)
  const untold = untoldOf(asked)
  return {
    asked,
    state:
      op === 'at_least'
        ? (subject) => {
            const found = read(subject)
            return found === undefined ? untold : found >= value ? 'met' : 'unmet'
          }
        : (subject) => {
            const found = read(subject)
            return found === undefined ? untold : found <= value ? 'met' : 'unmet'
          },
    found(subject) {
      const found = read(subject)
      return found === undefined ? undefined : Math.round(found * 100) / 100
    },
  }
}

function prepareFlag(asked: FlagCondition): PreparedCondition {
  const read = flagReaders[asked.field]
  const untold = untoldOf(asked)
  return {
    asked,
    state(subject) {
      const found = read(subject)
      return found === undefined ? untold : found === asked.value ? 'met' : 'unmet'
    },
    found: read,
  }
}

/** Words of a vocabulary of ours are compared as they are; all others in any case and width. */
function prepareSet(asked: SetCondition): PreparedCondition {
  switch (asked.field) {
    case 'promotion':
      return among(asked, discounts, promotionOf)
    case 'resolution':
      return among(asked, resolutions, ({ release }) => release.resolution)
    case 'source':
      return among(asked, releaseSources, ({ release }) => release.source)
    case 'state':
      return among(asked, torrentStates, ({ held }) => held?.state)
    case 'site':
      return oneWord(
        asked,
        (subject) => subject.site,
        ({ candidate }) => (candidate.site === '' ? undefined : candidate.site),
      )
    case 'feed':
      return oneWord(
        asked,
        (subject) => subject.feed,
        ({ candidate }) => candidate.feed,
      )
    case 'category':
      return oneWord(
        asked,
        (subject) => subject.category,
        ({ candidate }) => candidate.category,
      )
    case 'group':
      return oneWord(
        asked,
        (subject) => subject.group,
        ({ release }) => release.group,
      )
    case 'downloader':
      return oneWord(
        asked,
        ({ held }) => (held === undefined ? undefined : folded(held.downloader)),
        ({ held }) => held?.downloader,
      )
    case 'tag':
      return anyWord(asked)
  }
}

function among<Word extends string>(
  asked: SetCondition,
  vocabulary: readonly Word[],
  read: (subject: Subject) => Word | undefined,
): PreparedCondition {
  const words = new Set(asked.value.map(folded))
  return wordAmong(asked, new Set(vocabulary.filter((word) => words.has(folded(word)))), read, read)
}

function oneWord(
  asked: SetCondition,
  read: (subject: Subject) => string | undefined,
  written: (subject: Subject) => string | undefined,
): PreparedCondition {
  return wordAmong(asked, new Set(asked.value.map(folded)), read, written)
}

function wordAmong<Word extends string>(
  asked: SetCondition,
  wanted: ReadonlySet<Word>,
  read: (subject: Subject) => Word | undefined,
  written: (subject: Subject) => string | undefined,
): PreparedCondition {
  const untold = untoldOf(asked)
  const [inside, outside] = statesOf(asked)
  return {
    asked,
    state(subject) {
      const word = read(subject)
      return word === undefined ? untold : wanted.has(word) ? inside : outside
    },
    found: written,
  }
}

function anyWord(asked: SetCondition): PreparedCondition {
  const wanted = new Set(asked.value.map(folded))
  const untold = untoldOf(asked)
  const [inside, outside] = statesOf(asked)
  return {
    asked,
    state({ tags }) {
      if (tags === undefined) return untold
      for (const tag of tags) if (wanted.has(tag)) return inside
      return outside
    },
    found: ({ candidate }) => candidate.tags?.join(', '),
  }
}

function statesOf({ op }: SetCondition): readonly [ClauseState, ClauseState] {
  return op === 'is_any' ? ['met', 'unmet'] : ['unmet', 'met']
}

/** Unknown is not met, unless the rule says otherwise. */
function untoldOf(asked: { readonly or_unknown?: boolean | undefined }): ClauseState {
  return asked.or_unknown === true ? 'met' : 'unknown'
}

function titleState({ op, value }: TitleCondition): StateOf {
  const words = value.map(folded)
  switch (op) {
    case 'has_all':
      return (subject) => (words.every((word) => subject.words.includes(word)) ? 'met' : 'unmet')
    case 'has_any':
    case 'has_none': {
      const [some, none] = anyOrNone(op === 'has_any')
      return (subject) => {
        const text = subject.words
        for (const word of words) if (text.includes(word)) return some
        return none
      }
    }
    case 'like':
    case 'not_like': {
      const tests = words.map(wildcardTest)
      const [some, none] = anyOrNone(op === 'like')
      return ({ title }) => (tests.some((fits) => fits(title)) ? some : none)
    }
    case 'matches':
    case 'not_matches': {
      const patterns = value.map(titlePattern)
      const [some, none] = anyOrNone(op === 'matches')
      return ({ candidate }) => (patterns.some((fits) => fits(candidate.title)) ? some : none)
    }
  }
}

function anyOrNone(isAnyWanted: boolean): readonly [ClauseState, ClauseState] {
  return isAnyWanted ? ['met', 'unmet'] : ['unmet', 'met']
}
