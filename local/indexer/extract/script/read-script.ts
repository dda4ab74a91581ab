import type { FileFacts } from '../../core/facts.ts'
import type { Language } from '../../core/vocabulary.ts'
import { FactBuilder } from '../fact-builder.ts'
import { ScriptFile } from './file.ts'
import { parseScript } from './parse-script.ts'
import type { SyntaxNode } from './syntax-tree.ts'
import { ScriptVisitor } from './visitor.ts'

/** Facts of one TypeScript or JavaScript text. */
export function extractScript(path: string, language: Language, text: string, builder?: FactBuilder): FileFacts {
  const facts = builder ?? new FactBuilder(path, language, text)
  const parsed = parseScript(path, language, text)
  for (const error of parsed.errors) facts.addError(error.message)
  const comments = parsed.comments.map(({ start, end, type }) => ({ start, end, isBlock: type === 'Block' }))
  const program = parsed.program as unknown as SyntaxNode
  new ScriptVisitor(new ScriptFile(facts, program, text, comments)).run()
  return facts.build()
}
