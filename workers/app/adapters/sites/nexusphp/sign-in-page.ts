/** What the page of the daily sign-in says, and the form that it waits for. */
import type { Document, Element } from 'domhandler'
import { textContent } from 'domutils'
import type { SignInOutcome } from '../../../core/site.ts'
import { plainText } from '../../../core/site-numbers.ts'
import { signInPageCharactersMax, signInScriptCharactersMax } from '../../../limits.ts'
import { descendants, parseMarkup, spacedText } from '../markup.ts'
import { alreadySignedIn, signedIn } from './account-words.ts'

const personWords = /验证码|驗證碼|captcha/i
const personFields = new Set(['imagestring', 'imagehash', 'captcha', 'g-recaptcha-response', 'h-captcha-response'])

/** Undefined where it says neither. A site may say it on the button. */
export function signInOutcome(page: Document): SignInOutcome | undefined {
  const buttons = descendants(page).filter((one) => one.name === 'input' && isButton(one))
  const said = [textContent(page), ...buttons.map(({ attribs }) => attribs['value'] ?? '')].join(' ')
  const text = plainText(said, signInPageCharactersMax)
  // English pages count the days attended before: only what this time brought tells of this time.
  if (signedIn.test(text)) return { status: 'signed', reason: { kind: 'sign_in.done' } }
  if (alreadySignedIn.test(text)) return { status: 'already', reason: { kind: 'sign_in.already' } }
  const needsPerson =
    personWords.test(text) || descendants(page).some(({ attribs }) => personFields.has(attribs['name'] ?? ''))
  return needsPerson ? { status: 'unsupported', reason: { kind: 'sign_in.by_person' } } : undefined
}

/** What an answer in JSON says, of which sites make pieces of a page. Undefined for anything else. */
export function saidInJson(text: string): string | undefined {
  if (!/^\s{0,16}\{/.test(text)) return undefined
  try {
    return Object.values(JSON.parse(text) as Record<string, unknown>)
      .filter((value) => typeof value === 'string')
      .join(' ')
  } catch {
    return undefined
  }
}

/**
 * Where a page of nothing but a script sends the browser, as sites do that keep programs out:
 * `window.location="attendance.php?a" + "=1";`. Only within the site.
 */
export function sentOn(text: string): string | undefined {
  if (text.length > signInScriptCharactersMax) return undefined
  const pieces = /window\.location\s{0,3}=\s{0,3}((?:"[^"]{0,200}"\s{0,3}\+?\s{0,3}){1,20});/.exec(text)?.[1]
  const path = pieces?.replace(/["+\s]/g, '').replace(/^\//, '')
  const isWithin = path !== undefined && /^[\w.-]{1,64}(?:[?#]|$)/.test(path)
  return isWithin && spacedText(parseMarkup(text)).trim() === '' ? path : undefined
}

/**
 * The form of a site that signs in by a button alone, as forks of 2026 do where no picture is asked for: what it sends.
 * Undefined for a form in which something has to be filled in.
 */
export function signInForm(page: Document, path: string): URLSearchParams | undefined {
  const target = path.replace(/^\//, '').split('?')[0] ?? ''
  const form = descendants(page).find(
    ({ name, attribs }) =>
      name === 'form' && attribs['method']?.toLowerCase() === 'post' && attribs['action']?.endsWith(target) === true,
  )
  const fields = form === undefined ? [] : descendants(form).filter(isField)
  if (!fields.some(isButton) || !fields.every((field) => isButton(field) || isHidden(field))) return undefined
  const named = fields.filter(({ attribs }) => attribs['name'])
  return new URLSearchParams(
    named.map(({ attribs }): [string, string] => [attribs['name'] ?? '', attribs['value'] ?? '']),
  )
}

const isField = ({ name }: Element) => ['input', 'select', 'textarea', 'button'].includes(name)
const isHidden = ({ name, attribs }: Element) => name === 'input' && attribs['type'] === 'hidden'
const isButton = ({ name, attribs }: Element) =>
  name === 'button' ? attribs['type'] !== 'reset' : name === 'input' && attribs['type'] === 'submit'
