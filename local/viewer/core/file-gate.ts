import { succeed } from '#shared/kernel/result.ts'
import { type Answer, badRequest, refused } from './failure.ts'

const pathCharsMax = 2000

/** The root-relative path that a request means, or its refusal. Looks at nothing but the text. */
export function gatePath(given: string): Answer<string> {
  if (given === '') return badRequest('name a file of the project')
  if (given.length > pathCharsMax) return badRequest(`a path may have at most ${pathCharsMax} characters`)
  if (hasControlCharacter(given)) return refused('a path holds no control characters')
  const path = given.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.startsWith('~/'))
    return refused('only paths inside the project are answered')
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') return refused('only paths inside the project are answered')
    if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return kept.length === 0 ? badRequest('name a file of the project') : succeed(kept.join('/'))
}

export function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
