/** A text search from question to answer; the routes and the tools for programs ask the same way. */
import { succeed } from '#shared/kernel/result.ts'
import { type Answer, badRequest } from './core/failure.ts'
import { filesToSearch, type TextAsked, type TextFound, textAnswer } from './core/text-answer.ts'
import { textLinesPerFileMax, textQueryCharsMax } from './limits.ts'
import type { ViewerDeps } from './ports.ts'

export async function findText(
  { index, sources, text }: Pick<ViewerDeps, 'index' | 'sources' | 'text'>,
  question: TextAsked,
  signal: AbortSignal,
): Promise<Answer<TextFound>> {
  if (question.text === '') return badRequest('q is missing: the text to look for')
  if (question.text.length > textQueryCharsMax) return badRequest(`q may have at most ${textQueryCharsMax} characters`)
  if (/[\r\n\0]/.test(question.text)) return badRequest('a text is looked for within one line')
  const files = index.use(({ reader }) => filesToSearch(reader, question.path))
  if (!files.ok) return files
  let found: Awaited<ReturnType<typeof text.find>>
  try {
    found = await text.find(files.value, question, question.limit, signal)
  } catch (error) {
    // Whoever asked is gone, as someone who types is with every letter.
    if (signal.aborted) return badRequest('the question was taken back')
    throw error
  }
  if (!found.ok) return found
  const answer = index.use(({ reader }) =>
    textAnswer(
      reader,
      found.value,
      (file) => {
        const state = sources.read(file)
        if (!state.ok || !('text' in state.value)) return undefined
        return { text: state.value.text, isFresh: state.value.kind === 'fresh' }
      },
      textLinesPerFileMax,
    ),
  )
  return answer.ok ? succeed({ ...answer.value, searchedFiles: files.value.length }) : answer
}
