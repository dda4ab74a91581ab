/** Text in the files of the index. */
import { Hono } from 'hono/tiny'
import { succeed } from '#shared/kernel/result.ts'
import type { TextAnswer } from '../../contract/wire.ts'
import type { Answer } from '../../core/failure.ts'
import { flagParameter, integerParameter, type Parameters, textParameter } from '../../core/parameters.ts'
import type { TextAsked } from '../../core/text-answer.ts'
import { findText } from '../../find-text.ts'
import { textCharsMax, textLinesDefault, textLinesMax } from '../../limits.ts'
import type { ViewerDeps } from '../../ports.ts'
import { answerWith } from '../answer.ts'
import { parametersOf } from '../query.ts'
import { timing } from './overview-routes.ts'

export function textRoutes(deps: Pick<ViewerDeps, 'index' | 'sources' | 'text'>): Hono {
  const router = new Hono()
  router.get('/api/text', async (c) => {
    const started = performance.now()
    const asked = questionOf(parametersOf(c))
    if (!asked.ok) return answerWith(asked)
    const { text, isRegex, isCaseKept, isWord, path } = asked.value
    const found = await findText(deps, asked.value, c.req.raw.signal)
    if (!found.ok) return answerWith(found)
    return answerWith<TextAnswer>(
      succeed({
        query: { text, regex: isRegex, caseKept: isCaseKept, word: isWord, path: path ?? null },
        ...found.value,
        timing: timing(started, false),
      }),
    )
  })
  return router
}

function questionOf(parameters: Parameters): Answer<TextAsked> {
  const text = textParameter(parameters, 'q', textCharsMax)
  if (!text.ok) return text
  const path = textParameter(parameters, 'path', textCharsMax)
  if (!path.ok) return path
  const limit = integerParameter(parameters, 'limit', 1, textLinesMax)
  if (!limit.ok) return limit
  const regex = flagParameter(parameters, 'regex')
  if (!regex.ok) return regex
  const caseKept = flagParameter(parameters, 'case')
  if (!caseKept.ok) return caseKept
  const word = flagParameter(parameters, 'word')
  if (!word.ok) return word
  return succeed({
    text: text.value ?? '',
    isRegex: regex.value,
    isCaseKept: caseKept.value,
    isWord: word.value,
    path: path.value === undefined || path.value.trim() === '' ? undefined : path.value.trim(),
    limit: limit.value ?? textLinesDefault,
  })
}
