/** What the page of the daily sign-in says, and the form that it waits for. */
import type { Document, Element } from 'domhandler'
import { textContent } from 'domutils'
import type { SignInOutcome } from '../../../core/site.ts'
import { plainText } from '../../../core/site-numbers.ts'
import { signInPageCharactersMax } from '../../../limits.ts'
import { descendants } from '../markup.ts'
import { alreadySignedIn, signedIn } from './account-words.ts'

const personWords = /验证码|驗證碼|captcha/i
const personFields = new Set(['imagestring', 'imagehash', 'captcha', 'g-recaptcha-response', 'h-captcha-response'])

/** Undefined where it says neither. */
export function signInOutcome(page: Document): SignInOutcome | undefined {
  const text = plainText(textContent(page), signInPageCharactersMax)
  // English pages count the days attended before: only what this time brought tells of this time.
  if (signedIn.test(text)) return { status: 'signed', reason: { kind: 'sign_in.done' } }
  if (alreadySignedIn.test(text)) return { status: 'already', reason: { kind: 'sign_in.already' } }
  const needsPerson =
    personWords.test(text) || descendants(page).some(({ attribs }) => personFields.has(attribs['name'] ?? ''))
  return needsPerson ? { status: 'unsupported', reason: { kind: 'sign_in.by_person' } } : undefined
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
