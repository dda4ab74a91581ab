import { succeed } from '#shared/kernel/result.ts'
import { clipped } from './report.ts'
import type { LookingTool } from './tool.ts'

const linesMax = 500
const textCharsMax = 500

export const textTool: LookingTool = {
  name: 'text',
  description:
    'Lines of source that hold a text (or match a regular expression), production first, each with the symbol it is a line of. For what has no name: messages, literals, comments.',
  parameters: {
    query: { kind: 'text', about: 'The text, within one line.', charsMax: textCharsMax, isRequired: true },
    regex: { kind: 'flag', about: 'It is a regular expression (of Rust: no look-around, no back-references).' },
    case: { kind: 'flag', about: 'Capital and small letters differ.' },
    word: { kind: 'flag', about: 'Whole words only.' },
    path: { kind: 'text', about: 'Only files whose path holds this.', charsMax: textCharsMax },
  },
  async look({ findText }, given) {
    const query = String(given['query'])
    const found = await findText({
      text: query,
      isRegex: given['regex'] === true,
      isCaseKept: given['case'] === true,
      isWord: given['word'] === true,
      path: given['path'] === undefined ? undefined : String(given['path']),
      limit: linesMax,
    })
    if (!found.ok) return found
    const { files, shown, truncated, searchedFiles } = found.value
    return succeed({
      head: [
        `${truncated ? 'More than ' : ''}${shown.lines} lines in ${shown.files} of ${searchedFiles} files hold "${clipped(query, 100)}".`,
      ],
      parts: [false, true].map((isTest) => ({
        title: isTest ? 'In tests and samples' : 'In production',
        rows: files
          .filter((one) => one.test === isTest)
          .flatMap(({ file, lines }) =>
            lines.map(
              ({ line, text, symbol }) =>
                () =>
                  `${file}:${line}${symbol === null ? '' : `  in ${symbol.kind} ${symbol.name}`}  | ${clipped(text.trim(), 160)}`,
            ),
          ),
      })),
      notes: () => {
        const changed = files.filter((one) => one.drift).map((one) => one.file)
        return changed.length === 0
          ? []
          : [
              `Not as indexed, so shown as they are now: ${changed.slice(0, 3).join(', ')}${changed.length > 3 ? ` and ${changed.length - 3} more` : ''}.`,
            ]
      },
    })
  },
}
