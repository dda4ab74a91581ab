/** The paths by which definitions name a part of an answer in JSON: `data.rows[0].id`, `$`, `..name`, `a['b']`, `x[*].y`. */

type Step = { readonly key: string } | { readonly every: true }

const stepsMax = 40
/** Rows that a path with `*` may gather. */
const gatheredMax = 10_000

/** Undefined for a text that is no path. */
function parseJsonPath(path: string): readonly Step[] | undefined {
  const steps: Step[] = []
  let rest = path
    .trim()
    .replace(/^\$/, '')
    .replace(/^\.{1,2}/, '')
  while (rest !== '') {
    const found =
      /^\.?(?:\[(?:(\*)|(-?[0-9]{1,9})|'([^']{0,200})'|"([^"]{0,200})")\]|(\*)|([^.[\]()\s'"][^.[\]()'"]{0,199}))/.exec(
        rest,
      )
    if (found === null || steps.length >= stepsMax) return undefined
    const [whole, all, index, single, double, star, name] = found
    steps.push(
      all !== undefined || star !== undefined ? { every: true } : { key: index ?? single ?? double ?? name ?? '' },
    )
    rest = rest.slice(whole.length)
  }
  return steps
}

export function readJsonPath(value: unknown, path: string): unknown {
  const steps = parseJsonPath(path)
  if (steps === undefined) return undefined
  let found: unknown[] = [value]
  let isList = false
  for (const step of steps) {
    const next: unknown[] = []
    for (const one of found) {
      if ('every' in step) {
        isList = true
        if (typeof one === 'object' && one !== null)
          next.push(...Object.values(one).slice(0, gatheredMax - next.length))
      } else {
        const child = childOf(one, step.key)
        if (child !== undefined) next.push(child)
      }
    }
    found = next
  }
  return isList ? found : found[0]
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return /^[0-9]+$/.test(key) ? value[Number(key)] : undefined
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** As the programs write it that definitions are made for. */
export function jsonText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return value.map((one) => jsonText(one) ?? '').join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

interface JsonSelector {
  readonly path: string
  readonly conditions: readonly { readonly name: 'has' | 'not' | 'contains'; readonly argument: string }[]
}

/** A path, and behind it what must hold there: `name:contains(x)`, `$:has(user:contains(y))`. */
export function parseJsonSelector(source: string): JsonSelector | undefined {
  const colon = source.search(/:(?:has|not|contains)\(/)
  const path = (colon < 0 ? source : source.slice(0, colon)).trim()
  if (parseJsonPath(path) === undefined) return undefined
  const conditions: { name: 'has' | 'not' | 'contains'; argument: string }[] = []
  for (let at = colon < 0 ? source.length : colon; at < source.length; ) {
    const begin = /^:(has|not|contains)\(/.exec(source.slice(at, at + 12))
    const name = (['has', 'not', 'contains'] as const).find((one) => one === begin?.[1])
    if (begin === null || name === undefined) return undefined
    const from = at + begin[0].length
    let depth = 1
    let to = from
    for (; to < source.length && depth > 0; to += 1) {
      if (source[to] === '(') depth += 1
      else if (source[to] === ')') depth -= 1
    }
    if (depth > 0 || conditions.length >= stepsMax) return undefined
    conditions.push({ name, argument: source.slice(from, to - 1) })
    at = to
  }
  return { path, conditions }
}

/** The part that a selector names, where all it asks for holds. */
export function selectJson(value: unknown, source: string, depth = 0): unknown {
  const selector = parseJsonSelector(source)
  if (selector === undefined || depth > 10) return undefined
  const found = readJsonPath(value, selector.path)
  if (found === undefined || found === null) return undefined
  for (const { name, argument } of selector.conditions) {
    if (name === 'contains') {
      if (!(jsonText(found) ?? '').includes(argument.replace(/^(["'])(.*)\1$/s, '$2'))) return undefined
    } else if ((selectJson(found, argument, depth + 1) !== undefined) === (name === 'not')) return undefined
  }
  return found
}
