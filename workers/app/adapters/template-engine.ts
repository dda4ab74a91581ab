/**
 * Renders the owner's templates, which are code of a stranger to this process: a fixed list of tags and filters, own
 * properties only, no file is ever looked up, and the work is counted in steps. Nothing here throws; what is wrong is a
 * fault with its line.
 */
import {
  analyzeSync,
  CaseTag,
  Context,
  type Emitter,
  IfTag,
  Liquid,
  LiquidError,
  type Template,
  toValueSync,
  UnlessTag,
} from 'liquidjs'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { nearestName } from '../core/nearest-name.ts'
import { isBodyOnly, namesOf, sampleValues, type TemplateEvent, type TemplateValues } from '../core/template-event.ts'
import { commonVariables } from '../core/template-events.ts'
import type { TemplateFault, TemplateProblem } from '../core/template-fault.ts'
import {
  templateMemoryMax,
  templateOutputBytesMax,
  templateStepsMax,
  templateTagCharactersMax,
  templateTextBytesMax,
} from '../limits.ts'
import type { TemplateTexts } from '../ports/messages.ts'

type Part = TemplateFault['part']

const tags = ['if', 'unless', 'case', 'for', 'break', 'continue', 'assign', 'echo', 'comment', 'raw', '#'] as const
const filters = [
  ...['default', 'upcase', 'downcase', 'capitalize', 'strip', 'lstrip', 'rstrip', 'strip_newlines', 'truncate'],
  ...['append', 'prepend', 'replace', 'replace_first', 'remove', 'remove_first', 'split', 'slice', 'size'],
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'round', 'floor', 'ceil', 'abs', 'at_least', 'at_most'],
  ...['first', 'last', 'join', 'map', 'where', 'reverse', 'uniq', 'compact'],
] as const

/** What stops a rendering, as a problem of the template. */
class Stop extends Error {
  readonly problem: TemplateProblem

  constructor(problem: TemplateProblem) {
    super(problem.kind)
    this.problem = problem
  }
}

/** Stands where the engine asks whether its time is up. The clock of the edge stands still meanwhile; steps do not. */
class Steps {
  #left = templateStepsMax

  check(): void {
    this.use(1)
  }

  use(count: number): void {
    this.#left -= count
    if (this.#left < 0) throw new Stop({ kind: 'too_much_work' })
  }
}

type Limiter = NonNullable<NonNullable<ConstructorParameters<typeof Context>[3]>['renderLimit']>

class BoundedText implements Emitter {
  buffer = ''
  #bytesLeft = templateOutputBytesMax
  readonly #encoder = new TextEncoder()

  write(value: unknown): void {
    const text = textOf(value)
    this.#bytesLeft -= text.length > this.#bytesLeft ? text.length : this.#encoder.encode(text).byteLength
    if (this.#bytesLeft < 0) throw new Stop({ kind: 'output_too_long' })
    this.buffer += text
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object') throw new Stop({ kind: 'list_as_text' })
  return String(value)
}

// The engine counts templates; of these tags it evaluates one condition after another in a single one.
class CountedIf extends IfTag {
  override render(context: Context, emitter: Emitter) {
    context.renderLimit.use(this.branches.length)
    return super.render(context, emitter)
  }
}
class CountedUnless extends UnlessTag {
  override render(context: Context, emitter: Emitter) {
    context.renderLimit.use(this.branches.length)
    return super.render(context, emitter)
  }
}
class CountedCase extends CaseTag {
  override render(context: Context, emitter: Emitter) {
    context.renderLimit.use(this.branches.length)
    return super.render(context, emitter)
  }
}

let kept: Liquid | undefined

/** Made by the first who renders, and by no start. */
function theEngine(): Liquid {
  kept ??= createEngine()
  return kept
}

function createEngine(): Liquid {
  const made = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    // A mapping of names to texts, and none in it: nothing is looked up anywhere else.
    templates: {},
    memoryLimit: templateMemoryMax,
    parseLimit: templateTextBytesMax,
  })
  made.registerTag('if', CountedIf)
  made.registerTag('unless', CountedUnless)
  made.registerTag('case', CountedCase)
  for (const [list, kept] of [
    [made.tags, new Set<string>(tags)],
    [made.filters, new Set<string>(filters)],
  ] as const) {
    // Without a prototype, since a template names them.
    Object.setPrototypeOf(list, null)
    for (const name of Object.keys(list)) if (!kept.has(name)) delete list[name]
  }
  return made
}

/** Renders with the event's sample data, and refuses what would not be right with other data either. */
export function previewTemplate(event: TemplateEvent, texts: TemplateTexts): Result<TemplateTexts, TemplateFault> {
  return renderParts(
    event,
    texts,
    { ...sampleValues(commonVariables), event: event.name, ...sampleValues(event.vars) },
    true,
  )
}

/** Renders what happened. A text of the owner's that fails with these values gives way to the built-in one. */
export function renderTemplate(
  event: TemplateEvent,
  texts: TemplateTexts,
  values: TemplateValues,
): { readonly rendered: TemplateTexts; readonly fault?: TemplateFault } {
  const own = renderParts(event, texts, values, false)
  if (own.ok && own.value.text !== '') return { rendered: own.value }
  const builtIn = renderParts(event, { title: '', text: '' }, values, false)
  if (!builtIn.ok) throw new Error(`the built-in text of ${event.type} cannot be rendered`)
  return { rendered: builtIn.value, ...(own.ok ? {} : { fault: own.failure }) }
}

function renderParts(
  event: TemplateEvent,
  texts: TemplateTexts,
  values: TemplateValues,
  strict: boolean,
): Result<TemplateTexts, TemplateFault> {
  const title = isBodyOnly(event) ? succeed('') : renderPart(event, 'title', texts.title || event.title, values, strict)
  if (!title.ok) return title
  const text = renderPart(event, 'text', texts.text || event.text, values, strict)
  return text.ok ? succeed({ title: title.value.replace(/\s+/g, ' ').trim(), text: text.value.trimEnd() }) : text
}

function renderPart(
  event: TemplateEvent,
  part: Part,
  source: string,
  values: TemplateValues,
  strict: boolean,
): Result<string, TemplateFault> {
  try {
    judgeLength(source)
    const engine = theEngine()
    const templates = engine.parse(source)
    if (strict) judgeNames(event, templates)
    const context = new Context(
      values,
      engine.options,
      { sync: true, strictVariables: strict, ownPropertyOnly: true },
      { renderLimit: new Steps() as unknown as Limiter, liquid: engine },
    )
    const output = new BoundedText()
    toValueSync(engine.renderer.renderTemplates(templates, context, output))
    return succeed(output.buffer)
  } catch (error) {
    return failWith({ part, line: lineOf(error, source), problem: problemOf(event, error) })
  }
}

/** Before it is parsed: what is too long is not worth a look. */
function judgeLength(source: string): void {
  if (source.length > templateTextBytesMax || new TextEncoder().encode(source).byteLength > templateTextBytesMax)
    throw new Misplaced({ kind: 'text_too_long' }, source.slice(0, templateTextBytesMax))
  for (let start = nextMark(source, 0); start !== -1; ) {
    const ends = [source.indexOf('}}', start), source.indexOf('%}', start)].filter((at) => at !== -1)
    const end = ends.length === 0 ? source.length : Math.min(...ends)
    if (end - start > templateTagCharactersMax) throw new Misplaced({ kind: 'tag_too_long' }, source.slice(0, start))
    start = nextMark(source, end)
  }
}

function nextMark(source: string, from: number): number {
  const marks = [source.indexOf('{{', from), source.indexOf('{%', from)].filter((at) => at !== -1)
  return marks.length === 0 ? -1 : Math.min(...marks)
}

/** A problem found without the engine. */
class Misplaced extends Stop {
  readonly line: number

  constructor(problem: TemplateProblem, before: string | number) {
    super(problem)
    this.line = typeof before === 'number' ? before : before.split('\n').length
  }
}

/** In branches too that the sample data do not take. */
function judgeNames(event: TemplateEvent, templates: Template[]): void {
  const known = [...commonVariables, ...event.vars].map(({ key }) => key)
  for (const [name, uses] of Object.entries(analyzeSync(templates, { partials: false }).globals)) {
    if (known.includes(name)) continue
    throw new Misplaced(unknownVariable(event, name), uses[0]?.location.row ?? 1)
  }
}

function unknownVariable(event: TemplateEvent, path: string): TemplateProblem {
  const parts = path.split('.')
  const near = nearestName(parts.pop() ?? '', namesOf([...event.vars, ...commonVariables]))
  const suggested = near === undefined ? {} : { near: nameOf([...parts, near].join('.')) }
  return { kind: 'unknown_variable', name: nameOf(path), ...suggested }
}

function lineOf(error: unknown, source: string): number {
  if (error instanceof Misplaced) return error.line
  if (LiquidError.is(error)) return (error as LiquidError).token.getPosition()[0] ?? 1
  return source.split('\n').length
}

/** The engine's own sentences, of which a caller sees none. */
const sentences: readonly (readonly [RegExp, (event: TemplateEvent, name: string) => TemplateProblem])[] = [
  [/^undefined variable: ([^\n]*?)(?:, line:\d+, col:\d+)?$/, unknownVariable],
  [/^undefined filter: ([^\n]*?)(?:, line:\d+, col:\d+)?$/, (_, name) => unknownFilter(name)],
  [/^tag "([^"\n]*)" not found/, (_, name) => ({ kind: 'unknown_tag', name: nameOf(name) })],
  [/not closed/, () => ({ kind: 'not_closed' })],
  [/limit exceeded/, () => ({ kind: 'too_much_work' })],
]

function unknownFilter(name: string): TemplateProblem {
  const near = nearestName(name, filters)
  return { kind: 'unknown_filter', name: nameOf(name), ...(near === undefined ? {} : { near }) }
}

function problemOf(event: TemplateEvent, error: unknown): TemplateProblem {
  if (error instanceof Stop) return error.problem
  const cause = LiquidError.is(error) ? (error as { originalError?: unknown }).originalError : undefined
  if (cause instanceof Stop) return cause.problem
  // Too deep a nesting, or too long a string.
  if (error instanceof RangeError || cause instanceof RangeError) return { kind: 'too_much_work' }
  const message = error instanceof Error ? error.message : ''
  for (const [sentence, problem] of sentences) {
    const found = sentence.exec(message)
    if (found !== null) return problem(event, found[1] ?? '')
  }
  return { kind: 'syntax' }
}

/** As written, fit to be shown. */
function nameOf(written: string): string {
  return written.replace(/[^\p{L}\p{N}_.\-[\]]/gu, '').slice(0, 64)
}
