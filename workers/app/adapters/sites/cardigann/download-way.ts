/** From the address in a row to the file: some definitions ask a page first, or look for the link on one. */

import { isTag } from 'domhandler'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Definition, DownloadSelector } from '../../../core/cardigann/definition.ts'
import { type FilterContext, filtered } from '../../../core/cardigann/filters.ts'
import type { Variable } from '../../../core/cardigann/template.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import type { SiteCall } from '../site-http.ts'
import { type PageTree, readPage } from './page-tree.ts'
import { oneLine } from './read-fields.ts'
import { absoluteAddress, callOf, filledHeaders, filledInputs } from './requests.ts'
import type { SiteSession } from './session.ts'

const noTorrent: SiteFault = { kind: 'broken', part: 'torrent' }

export class DownloadWay {
  readonly #definition: Definition
  readonly #session: SiteSession
  readonly #baseUrl: string
  #page: PageTree | undefined

  constructor(definition: Definition, session: SiteSession, baseUrl: string) {
    this.#definition = definition
    this.#session = session
    this.#baseUrl = baseUrl
  }

  async find(link: string, outer: FilterContext, signal: AbortSignal): Promise<Result<SiteCall, SiteFault>> {
    const { download, search } = this.#definition
    const context = { ...outer, variables: withLink(outer.variables, link) }
    const headers = filledHeaders(download?.headers ?? search.headers, context)
    const plain: SiteCall = { path: link, headers, method: download?.method ?? 'GET', abroad: true }
    if (download === undefined) return succeed(plain)
    let before: PageTree | undefined
    if (download.before !== undefined) {
      const asked = await this.#before(download.before, link, context, signal)
      if (!asked.ok) return asked
      before = asked.value
    }
    // A hash leads to a magnet link, and downloaders are handed files here.
    if (download.infoHash !== undefined && download.selectors.length === 0) return failWith({ kind: 'unsupported' })
    if (download.selectors.length === 0) return succeed(plain)
    for (const selector of download.selectors) {
      const page =
        selector.fromBefore && before !== undefined ? succeed(before) : await this.#linked(link, headers, signal)
      if (!page.ok) return page
      const found = picked(page.value, selector, context)
      const address = found === undefined ? undefined : absoluteAddress(found, link)
      if (address === undefined || /^magnet:/i.test(address)) continue
      return succeed({ ...plain, path: address })
    }
    return failWith(noTorrent)
  }

  async #before(
    before: NonNullable<NonNullable<Definition['download']>['before']>,
    link: string,
    context: FilterContext,
    signal: AbortSignal,
  ): Promise<Result<PageTree, SiteFault>> {
    let path = before.path?.render(context.variables, context.encodeUrl)
    if (before.pathSelector !== undefined) {
      const page = await this.#linked(link, filledHeaders(this.#definition.download?.headers ?? [], context), signal)
      if (!page.ok) return page
      path = picked(page.value, before.pathSelector, context)
    }
    const address = path === undefined ? undefined : absoluteAddress(path, `${this.#baseUrl}/`)
    if (address === undefined) return failWith(noTorrent)
    const inputs = filledInputs(before.inputs, context, true)
    const call = callOf({ address, method: before.method, inputs, separator: before.separator }, context.encodeUrl)
    const answer = await this.#session.ask({ ...call, headers: { ...call.headers, referer: link } }, signal)
    return answer.ok ? succeed(readPage(answer.value.text)) : answer
  }

  async #linked(
    link: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<PageTree, SiteFault>> {
    if (this.#page !== undefined) return succeed(this.#page)
    const answer = await this.#session.ask({ path: link, headers, abroad: true }, signal)
    if (!answer.ok) return answer
    this.#page = readPage(answer.value.text)
    return succeed(this.#page)
  }
}

function picked(page: PageTree, one: DownloadSelector, context: FilterContext): string | undefined {
  const node = page.first(page.root, one.selector.render(context.variables))
  if (node === undefined) return undefined
  const value = one.attribute === undefined ? page.text(node) : isTag(node) ? node.attribs[one.attribute] : undefined
  return value === undefined ? undefined : filtered(oneLine(value), one.filters, context)
}

function withLink(variables: ReadonlyMap<string, Variable>, link: string): ReadonlyMap<string, Variable> {
  const result = new Map(variables)
  if (!URL.canParse(link)) return result
  const url = new URL(link)
  result
    .set('.DownloadUri.AbsoluteUri', url.href)
    .set('.DownloadUri.AbsolutePath', url.pathname)
    .set('.DownloadUri.PathAndQuery', url.pathname + url.search)
    .set('.DownloadUri.Host', url.host)
    .set('.DownloadUri.Query', url.search)
  for (const [name, value] of url.searchParams) result.set(`.DownloadUri.Query.${name}`, value)
  return result
}
