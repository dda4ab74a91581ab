/** A candidate at a moment: what several conditions ask of it is worked out once, and what none asks not at all. */

import { readReleaseFacts } from '../media/release-name.ts'
import { inOneWidth } from '../one-width.ts'
import type { Candidate, CandidateRelease, HeldFacts } from './filter-rule.ts'

export class Subject {
  readonly candidate: Candidate
  readonly nowUnix: number
  /** Of one that a downloader holds. */
  readonly held: HeldFacts | undefined
  #release: CandidateRelease | undefined
  #words: string | undefined
  #title: string | undefined
  #site: string | undefined
  #feed: string | undefined
  #category: string | undefined
  #group: string | undefined
  #tags: readonly string[] | undefined

  constructor(candidate: Candidate, nowUnix: number, release?: CandidateRelease, held?: HeldFacts) {
    this.candidate = candidate
    this.nowUnix = nowUnix
    this.held = held
    this.#release = release
  }

  get release(): CandidateRelease {
    this.#release ??= releaseOf(this.candidate)
    return this.#release
  }

  // Folded from here on; undefined where nobody told.

  /** Title and subtitle. */
  get words(): string {
    this.#words ??= `${this.title}\n${folded(this.candidate.subtitle)}`
    return this.#words
  }

  get title(): string {
    this.#title ??= folded(this.candidate.title)
    return this.#title
  }

  get site(): string | undefined {
    this.#site ??= folded(this.candidate.site)
    return this.#site === '' ? undefined : this.#site
  }

  get feed(): string {
    this.#feed ??= folded(this.candidate.feed)
    return this.#feed
  }

  get category(): string | undefined {
    this.#category ??= foldedIfTold(this.candidate.category)
    return this.#category
  }

  get group(): string | undefined {
    this.#group ??= foldedIfTold(this.release.group)
    return this.#group
  }

  get tags(): readonly string[] | undefined {
    this.#tags ??= this.candidate.tags?.map(folded)
    return this.#tags
  }
}

export function releaseOf({ title, subtitle }: Pick<Candidate, 'title' | 'subtitle'>): CandidateRelease {
  const { year, quality, isLeaked } = readReleaseFacts(title, subtitle)
  return { year, isLeaked, resolution: quality.resolution, source: quality.source, group: quality.group }
}

/** In any case and width. */
export function folded(text: string): string {
  return inOneWidth(text).toLowerCase()
}

function foldedIfTold(text: string | undefined): string | undefined {
  return text === undefined ? undefined : folded(text)
}
