/** What is kept of a definition once it was checked, and what is told of one that is wrong. */
import { searchCategories } from './categories.ts'
import type { Definition, DefinitionFault } from './definition.ts'
import type { Tree } from './definition-reader.ts'

export const questionTypes = ['text', 'password', 'checkbox', 'select'] as const

/** What a definition asks its owner for. */
interface DefinitionQuestion {
  readonly name: string
  readonly type: (typeof questionTypes)[number]
  readonly label: string
  readonly fallback: string
  readonly options?: Readonly<Record<string, string>>
}

export interface DefinitionFacts {
  readonly name: string
  readonly language: string
  readonly type: Definition['type']
  readonly links: readonly string[]
  readonly login: 'none' | 'form' | 'post' | 'cookie' | 'get' | 'oneurl'
  /** Signing in may ask for what only a person can read. */
  readonly hasCaptcha: boolean
  readonly questions: readonly DefinitionQuestion[]
  readonly categories: number
}

export interface CheckedDefinition {
  readonly id: string
  readonly facts: DefinitionFacts
  /** What it sets for every site that is made from it. */
  readonly overrides: {
    readonly categories: Readonly<Record<string, readonly string[]>>
    readonly request_interval_ms?: number
  }
  readonly tree: Tree
}

export interface PlacedFault extends DefinitionFault {
  /** Undefined where the text is no YAML that has one. */
  readonly line: number | undefined
}

/** A pause between requests is at most `intervalMsMax`. */
export function checkedDefinition(definition: Definition, tree: Tree, intervalMsMax: number): CheckedDefinition {
  const { id, name, language, type, links, login, settings, categories, pauseMs } = definition
  return {
    id,
    facts: {
      name,
      language,
      type,
      links: links.map((link) => link.replace(/\/+$/, '')),
      login: login?.method ?? 'none',
      hasCaptcha: login?.captcha !== undefined,
      questions: settings.flatMap((setting) => {
        const question = questionTypes.find((one) => one === setting.type)
        if (question === undefined) return []
        return [
          {
            name: setting.name,
            type: question,
            label: setting.label,
            fallback: setting.fallback,
            ...(question === 'select' ? { options: setting.options } : {}),
          },
        ]
      }),
      categories: categories.length,
    },
    overrides: {
      categories: searchCategories(categories),
      ...(pauseMs === 0 ? {} : { request_interval_ms: Math.min(pauseMs, intervalMsMax) }),
    },
    tree,
  }
}
