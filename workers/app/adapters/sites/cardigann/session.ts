/** Signing in to a site as its definition says, and knowing when that has to be done again. */

import type { Element } from 'domhandler'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Definition, ErrorMark, LoginBlock } from '../../../core/cardigann/definition.ts'
import type { FilterContext } from '../../../core/cardigann/filters.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { definitionPageCharactersMax, signInRetryMs } from '../../../limits.ts'
import { CookieJar } from '../cookie-jar.ts'
import type { SiteAnswer, SiteCall, SiteHttp } from '../site-http.ts'
import { type PageTree, readPage } from './page-tree.ts'
import { pageFields } from './read-fields.ts'
import { absoluteAddress, callOf, filledHeaders, filledInputs } from './requests.ts'

export type TextAnswer = SiteAnswer & { readonly text: string }

const formFieldsMax = 200

export class SiteSession {
  readonly jar: CookieJar
  readonly #definition: Definition
  readonly #http: SiteHttp
  readonly #baseUrl: string
  readonly #hasCookie: boolean
  readonly #nowMs: () => number
  #isOpen = false
  /** Since the last time that it worked, how often it was refused, and when last. */
  #refusals = { count: 0, atMs: 0 }

  constructor(definition: Definition, http: SiteHttp, baseUrl: string, cookie: string, nowMs: () => number) {
    this.#definition = definition
    this.#http = http
    this.#baseUrl = baseUrl
    this.#hasCookie = cookie !== ''
    this.#nowMs = nowMs
    this.jar = new CookieJar(cookie)
  }

  /** Sends what a definition asks for; bodies are cut to what may be taken apart. */
  async ask(call: SiteCall, signal: AbortSignal): Promise<Result<TextAnswer, SiteFault>> {
    const answer = await this.#http.text({ ...call, jar: this.jar }, signal)
    if (!answer.ok || answer.value.text.length <= definitionPageCharactersMax) return answer
    return failWith({ kind: 'too_large' })
  }

  /** A cookie that the owner gave is used as it is: nothing is signed in beside it. */
  async open(context: FilterContext, signal: AbortSignal): Promise<Result<true, SiteFault>> {
    const { login } = this.#definition
    if (this.#isOpen || login === undefined || this.#hasCookie || login.method === 'cookie') return succeed(true)
    const { count, atMs } = this.#refusals
    const waitMs = signInRetryMs[Math.min(count, signInRetryMs.length) - 1] ?? 0
    if (this.#nowMs() - atMs < waitMs) return failWith(refused)
    const signedIn = await this.#signIn(login, context, signal)
    if (signedIn.ok) {
      this.#isOpen = true
      this.#refusals = { count: 0, atMs: 0 }
    } else if (signedIn.failure.kind === 'sign_in_refused') {
      this.#refusals = { count: count + 1, atMs: this.#nowMs() }
    }
    return signedIn
  }

  /** False when there is nothing that could be done anew. */
  forget(): boolean {
    const { login } = this.#definition
    const can = this.#isOpen && login !== undefined && !this.#hasCookie && login.method !== 'cookie'
    this.#isOpen = false
    return can
  }

  /** Whether a page is the one that somebody sees who is signed in. */
  isSignedIn(page: PageTree): boolean {
    const selector = this.#definition.login?.test?.selector
    return selector === undefined || page.all(page.root, selector).length > 0
  }

  /** The page by which the definition tells whether the account is open. */
  async test(context: FilterContext, signal: AbortSignal): Promise<Result<boolean, SiteFault>> {
    const test = this.#definition.login?.test
    if (test === undefined) return succeed(true)
    const address = this.#address(test.path.render(context.variables, context.encodeUrl))
    if (address === undefined) return failWith(noSignIn)
    const answer = await this.ask({ path: address, abroad: true }, signal)
    if (!answer.ok) return answer
    return succeed(test.selector === undefined || this.isSignedIn(readPage(answer.value.text)))
  }

  #address(path: string): string | undefined {
    return absoluteAddress(path, `${this.#baseUrl}/`)
  }

  async #signIn(login: LoginBlock, context: FilterContext, signal: AbortSignal): Promise<Result<true, SiteFault>> {
    if (login.cookies.length > 0) this.jar.add(login.cookies.join('; '))
    const sent = await (login.method === 'form'
      ? this.#form(login, context, signal)
      : this.#plain(login, context, signal))
    if (!sent.ok) return sent
    const page = readPage(sent.value.text)
    if (errorOn(page, login.errors)) return failWith(refused)
    if (login.test?.selector === undefined) return succeed(true)
    const tested = await this.test(context, signal)
    // The site leads back to where it was just signed in.
    if (!tested.ok) return tested.failure.kind === 'login_expired' ? failWith(refused) : tested
    return tested.value ? succeed(true) : failWith(refused)
  }

  /** Everything but a form of a page: the names are known. */
  #plain(login: LoginBlock, context: FilterContext, signal: AbortSignal): Promise<Result<TextAnswer, SiteFault>> {
    const path = login.path?.render(context.variables, context.encodeUrl) ?? ''
    const inputs = filledInputs(login.inputs, context, true)
    const once = login.method === 'oneurl' ? (inputs.find(([name]) => name === 'oneurl')?.[1] ?? '') : ''
    const address = this.#address(path + once)
    if (address === undefined) return Promise.resolve(failWith(noSignIn))
    const call = callOf(
      {
        address,
        method: login.method === 'post' ? 'POST' : 'GET',
        inputs: login.method === 'oneurl' ? [] : inputs,
        headers: { referer: `${this.#baseUrl}/`, ...filledHeaders(login.headers, context) },
      },
      context.encodeUrl,
    )
    return this.ask({ ...call, signsIn: true }, signal)
  }

  async #form(login: LoginBlock, context: FilterContext, signal: AbortSignal): Promise<Result<TextAnswer, SiteFault>> {
    const address = this.#address(login.path?.render(context.variables, context.encodeUrl) ?? '')
    if (address === undefined) return failWith(noSignIn)
    const headers = filledHeaders(login.headers, context)
    const shown = await this.ask({ path: address, headers, abroad: true, signsIn: true }, signal)
    if (!shown.ok) return shown
    const page = readPage(shown.value.text)
    const form = page.first(page.root, login.form)
    if (form === undefined) return failWith(noSignIn)
    // Only a person can read a picture or answer a question; the owner gives a cookie instead.
    if (login.captcha !== undefined && page.first(page.root, login.captcha.selector) !== undefined)
      return failWith({ kind: 'person_needed' })
    const filled = this.#formFields(page, form, login, context)
    if (filled === undefined) return failWith(noSignIn)
    const action = login.submitPath?.render(context.variables, context.encodeUrl) ?? form.attribs['action'] ?? ''
    const target = absoluteAddress(action, login.submitPath === undefined ? shown.value.url.href : `${this.#baseUrl}/`)
    if (target === undefined) return failWith(noSignIn)
    const extra = this.#picked(page, login.addressInputs, context)
    if (extra === undefined) return failWith(noSignIn)
    const withQuery = callOf({ address: target, method: 'GET', inputs: extra }, context.encodeUrl).path
    const call = callOf(
      {
        address: withQuery,
        method:
          (form.attribs['method'] ?? 'post').toLowerCase() === 'get' && login.submitPath === undefined ? 'GET' : 'POST',
        inputs: [...filled],
        headers: { referer: shown.value.url.href, ...headers },
      },
      context.encodeUrl,
    )
    return this.ask({ ...call, signsIn: true }, signal)
  }

  #formFields(
    page: PageTree,
    form: Element,
    login: LoginBlock,
    context: FilterContext,
  ): ReadonlyMap<string, string> | undefined {
    const fields = new Map<string, string>()
    for (const input of page.all(form, 'input, button').slice(0, formFieldsMax)) {
      const { name, value, type, checked, disabled } = input.attribs
      if (name === undefined || name === '' || disabled !== undefined) continue
      if (/^(?:checkbox|radio)$/i.test(type ?? '') && checked === undefined) continue
      if (input.name === 'button' && (type ?? 'submit').toLowerCase() !== 'submit') continue
      fields.set(name, value ?? '')
    }
    for (const [given, value] of filledInputs(login.inputs, context, true)) {
      const name = login.namesAreSelectors ? page.first(form, given)?.attribs['name'] : given
      if (name === undefined) return undefined
      fields.set(name, value)
    }
    const picked = this.#picked(page, login.selectorInputs, context)
    if (picked === undefined) return undefined
    for (const [name, value] of picked) fields.set(name, value)
    return fields
  }

  #picked(
    page: PageTree,
    inputs: LoginBlock['selectorInputs'],
    context: FilterContext,
  ): [string, string][] | undefined {
    const read = pageFields(page)
    const picked: [string, string][] = []
    for (const { name, selector } of inputs) {
      const value = read(page.root, selector, context)
      if (value !== undefined) picked.push([name, value])
      else if (!selector.isOptional) return undefined
    }
    return picked
  }
}

const refused: SiteFault = { kind: 'sign_in_refused' }
const noSignIn: SiteFault = { kind: 'broken', part: 'sign_in' }

/** Whether a page says that something went wrong, in the way its definition knows. */
export function errorOn(page: PageTree, errors: readonly ErrorMark[]): boolean {
  return errors.some(({ selector }) => selector !== '' && page.first(page.root, selector) !== undefined)
}
