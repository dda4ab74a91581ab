/** The frameworks of each language. */
import type { Language } from '../../../indexer/core/vocabulary.ts'
import { patternRunMax } from '../../limits.ts'
import { csharpFrameworks, goFrameworks, javaFrameworks, nativeFrameworks, rustFrameworks } from './compiled.ts'
import { phpFrameworks, rubyFrameworks } from './dynamic.ts'
import type { Framework } from './framework.ts'
import { pythonFrameworks } from './python.ts'
import { scriptFrameworks } from './script.ts'

/**
 * Texts of strangers are searched: between two signs stands a bounded number of characters, or a file that repeats how a
 * pattern begins would cost time that grows with the square of its length.
 */
function bounded(pattern: RegExp): RegExp {
  const source = pattern.source.replace(
    /(\[\^(?:\\.|[^\]\\])+\])([*+])/g,
    (_, run: string, sign: string) => `${run}{${sign === '*' ? 0 : 1},${patternRunMax}}`,
  )
  return new RegExp(source, pattern.flags)
}

function withBounds(frameworks: readonly Framework[]): readonly Framework[] {
  return frameworks.map((one) => ({
    ...one,
    ...(one.part === undefined ? {} : { part: bounded(one.part) }),
    ...(one.whole === undefined ? {} : { whole: bounded(one.whole) }),
    ...(one.urls === undefined
      ? {}
      : {
          urls: one.urls.map((rule) => ({
            ...rule,
            pattern: bounded(rule.pattern),
            ...(rule.each === undefined ? {} : { each: bounded(rule.each) }),
          })),
        }),
    ...(one.mounts === undefined
      ? {}
      : { mounts: one.mounts.map((rule) => ({ ...rule, pattern: bounded(rule.pattern) })) }),
  }))
}

const script = withBounds(scriptFrameworks)
const native = withBounds(nativeFrameworks)

export const frameworksOf: Readonly<Record<Language, readonly Framework[]>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  jsx: script,
  vue: script,
  svelte: script,
  python: withBounds(pythonFrameworks),
  go: withBounds(goFrameworks),
  rust: withBounds(rustFrameworks),
  java: withBounds(javaFrameworks),
  c: native,
  cpp: native,
  csharp: withBounds(csharpFrameworks),
  ruby: withBounds(rubyFrameworks),
  php: withBounds(phpFrameworks),
}
