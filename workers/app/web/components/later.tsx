/** Screens come as files of their own: the one asked for is fetched at once, the others when the browser rests. */
import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { allWords } from '../locales/words.ts'

export type PageComponent<P> = (props: P) => VNode | null

export interface LaterPage<P> {
  /** Undefined while the file is on its way. */
  readonly page: () => PageComponent<P> | undefined
  readonly fetch: () => Promise<void>
  readonly hasFailed: () => boolean
}

export function later<P>(load: () => Promise<PageComponent<P>>): LaterPage<P> {
  const page = signal<{ readonly component: PageComponent<P> } | undefined>(undefined)
  const failed = signal(false)
  let running: Promise<void> | undefined
  return {
    page: () => page.value?.component,
    hasFailed: () => failed.value,
    fetch: () => {
      running ??= load().then(
        (component) => {
          page.value = { component }
        },
        () => {
          // Not reached, or another version stands on the server by now: the page has to begin afresh.
          failed.value = true
        },
      )
      return running
    },
  }
}

/** Of what has words that are not among the first. */
export function withAllWords<P>(load: () => Promise<PageComponent<P>>): LaterPage<P> {
  return later(async () => (await Promise.all([load(), allWords()]))[0])
}
