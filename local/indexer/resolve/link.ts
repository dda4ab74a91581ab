/** Turns the facts of all files into edges, each with how it was found and how sure that is. */
import { constructorNames } from '../core/constructor-names.ts'
import type { FileFacts, Heritage, ImportFact, Reference, Value } from '../core/facts.ts'
import type { GraphEdge, UnresolvedReference } from '../core/graph.ts'
import { languageFamily } from '../core/language-of.ts'
import { EdgeTable, UnresolvedTable } from '../core/link-tables.ts'
import { finish } from '../core/steps.ts'
import { isNonProductionFile, isTestFile } from '../core/test-file.ts'
import type { NodeKind, Resolution } from '../core/vocabulary.ts'
import { linkStepsPerFileMax, linkStepsPerReferenceMax } from '../limits.ts'
import type { Denotation, ModuleLookup } from './denotation.ts'
import { Evaluator } from './evaluate.ts'
import { createModuleLookup, type ProjectSettings } from './modules.ts'
import type { Place, ProjectFacts } from './project-facts.ts'
import { standardMembers } from './standard-members.ts'

/** Confidence by how the target was found. Guesses stay below the line of certainty. */
const confidence = {
  module: 1,
  sameFile: 1,
  import: 0.95,
  qualified: 0.95,
  declaredReceiver: 0.9,
  oneOfSeveral: 0.55,
  oneOfUnknown: 0.5,
  onlyMemberOfThatName: 0.4,
} as const

const valueKinds: ReadonlySet<NodeKind> = new Set(['constant', 'variable', 'property', 'field'])
const edgesPerReferenceMax = 6
const guessesMax = 3

export interface Links {
  readonly edges: Iterable<GraphEdge>
  readonly unresolved: Iterable<UnresolvedReference>
  /** How many references of a file were given up because finding their targets took too many steps. */
  readonly givenUp: ReadonlyMap<number, number>
}

/** Linking pauses for others to be heard after so many references. */
const referencesPerStep = 64

interface Target {
  readonly f: number
  readonly s: number
  readonly resolution: Resolution
  readonly confidence: number
}

/** Edges that start in the files named, or in all of them. */
export function link(project: ProjectFacts, settings: ProjectSettings, only?: readonly number[]): Links {
  return finish(linkSteps(project, settings, only))
}

/** The same, saying after each file how many are done. */
export function linkSteps(
  project: ProjectFacts,
  settings: ProjectSettings,
  only?: readonly number[],
): Generator<number, Links> {
  const modules = createModuleLookup(project, settings)
  return new Linker(project, new Evaluator(project, modules), modules).run(
    only ?? Array.from({ length: project.count }, (_, f) => f),
  )
}

class Linker {
  readonly #project: ProjectFacts
  readonly #evaluator: Evaluator
  readonly #modules: (file: FileFacts) => ModuleLookup
  readonly #edges = new EdgeTable()
  readonly #unresolved = new UnresolvedTable()
  readonly #givenUp = new Map<number, number>()
  /** What calls on something unknown may mean, by family, name and who asks. */
  readonly #guesses = new Map<string, Target[]>()
  #stepsLeft = 0
  #allowed = 0
  #done = 0

  constructor(project: ProjectFacts, evaluator: Evaluator, modules: (file: FileFacts) => ModuleLookup) {
    this.#project = project
    this.#evaluator = evaluator
    this.#modules = modules
  }

  *run(files: readonly number[]): Generator<number, Links> {
    for (const [done, f] of files.entries()) {
      const file = this.#project.facts(f)
      this.#stepsLeft = linkStepsPerFileMax
      for (const fact of file.imports) {
        this.#begin()
        this.#import(file, f, fact)
        if (this.#end(f)) yield done
      }
      for (const [s, symbol] of file.symbols.entries()) {
        for (const one of symbol.heritage ?? []) {
          this.#begin()
          this.#inherits(file, f, s, one)
          if (this.#end(f)) yield done
        }
      }
      for (const reference of file.references) {
        this.#begin()
        this.#reference(file, f, reference)
        if (this.#end(f)) yield done
      }
      yield done + 1
    }
    return { edges: this.#edges, unresolved: this.#unresolved, givenUp: this.#givenUp }
  }

  #begin(): void {
    this.#allowed = Math.min(linkStepsPerReferenceMax, this.#stepsLeft)
    this.#evaluator.allow(this.#allowed)
  }

  /** What took more steps than it may has no edges but those found by then, and is counted. True: let others be heard. */
  #end(f: number): boolean {
    if (this.#evaluator.isSpent) this.#givenUp.set(f, (this.#givenUp.get(f) ?? 0) + 1)
    this.#stepsLeft = Math.max(0, this.#stepsLeft - (this.#allowed - this.#evaluator.stepsLeft))
    this.#done += 1
    return this.#done % referencesPerStep === 0
  }

  #edge(f: number, source: number, target: Target, kind: GraphEdge['kind'], line: number, col: number): void {
    this.#edges.push({
      sourceFile: f,
      source,
      targetFile: target.f,
      target: target.s,
      kind,
      line,
      col,
      resolution: target.resolution,
      confidence: target.confidence,
    })
  }

  #import(file: FileFacts, f: number, fact: ImportFact): void {
    const target = this.#modules(file).module(file, fact.specifier)
    if (target.t === 'external') {
      this.#unresolved.push({
        file: f,
        from: fact.symbol,
        name: fact.specifier,
        kind: 'imports',
        line: fact.line,
        col: fact.col,
      })
      return
    }
    const found: Target[] = []
    if (target.t === 'module') found.push({ f: target.f, s: 0, resolution: 'import', confidence: confidence.module })
    if (target.t === 'package')
      for (const one of target.files) found.push({ f: one, s: 0, resolution: 'import', confidence: confidence.module })
    if (target.t === 'symbol')
      found.push({ f: target.f, s: target.s, resolution: 'import', confidence: confidence.import })
    for (const name of fact.names) {
      if (name === '*') continue
      const member = this.#evaluator.member(target, name) ?? this.#evaluator.member(target, name, true)
      if (member?.t === 'symbol')
        found.push({ f: member.f, s: member.s, resolution: 'import', confidence: confidence.import })
      if (member?.t === 'module') found.push({ f: member.f, s: 0, resolution: 'import', confidence: confidence.import })
    }
    for (const one of found) if (one.f !== f) this.#edge(f, 0, one, 'imports', fact.line, fact.col)
  }

  #inherits(file: FileFacts, f: number, s: number, one: Heritage): void {
    const found = this.#evaluator.evaluate(f, one.value, undefined, true)
    const held =
      found === undefined
        ? undefined
        : found.t === 'symbol' && this.#isValue(found)
          ? this.#evaluator.held(found)
          : found
    const targets = this.#targets(f, held, one.value).filter((target) => target.f !== f || target.s !== s)
    if (targets.length === 0) {
      this.#unresolved.push({ file: f, from: s, name: one.name, kind: one.relation, line: one.line, col: one.col })
    }
    const { kind } = this.#evaluator.symbol(f, s)
    for (const target of targets) {
      // An embedded interface in Go is a part of the struct, not a promise about it.
      const isInterface =
        file.language !== 'go' &&
        ['interface', 'trait', 'protocol'].includes(this.#evaluator.symbol(target.f, target.s).kind)
      const relation = isInterface && kind !== 'interface' && kind !== 'trait' ? 'implements' : one.relation
      this.#edge(f, s, target, relation, one.line, one.col)
    }
  }

  #isValue(found: Extract<Denotation, { t: 'symbol' }>): boolean {
    return valueKinds.has(this.#evaluator.symbol(found.f, found.s).kind)
  }

  #reference(file: FileFacts, f: number, reference: Reference): void {
    const found =
      reference.kind === 'calls'
        ? this.#evaluator.callee(f, reference.value)
        : this.#evaluator.evaluate(f, reference.value, undefined, reference.asType === true)
    let targets = this.#targets(f, found, reference.value)
    if (this.#evaluator.symbol(f, reference.from).kind === 'route') {
      targets = targets.map((target) => ({
        ...target,
        resolution: 'framework',
        confidence: confidence.declaredReceiver,
      }))
    }
    if (reference.value.k === 'get') targets = targets.flatMap((target) => this.#withDeclared(reference, target))
    if (reference.kind === 'calls' || reference.kind === 'instantiates') {
      targets = targets.flatMap((target) => this.#called(f, reference, target))
    }
    if (targets.length === 0 && found === undefined && reference.kind === 'calls' && !this.#evaluator.isSpent)
      targets = this.#guess(file, reference)
    if (targets.length === 0 && found?.t === 'external' && reference.kind === 'calls') {
      // What Ruby makes at run time has members that nobody wrote where it comes from.
      if (file.language === 'ruby' && rootOf(reference.value).k !== 'glob') targets = this.#guess(file, reference)
      else targets = this.#extensionOfOutside(file, reference)
    }
    if (reference.kind === 'calls' && reference.value.k === 'get' && reference.value.n === 'bind')
      targets = targets.filter((target) => this.#evaluator.symbol(target.f, target.s).name === 'bind')
    if (isSetter(reference.value))
      targets = targets.filter(({ f: at, s }) => {
        const symbol = this.#evaluator.symbol(at, s)
        return symbol.kind === 'field' || symbol.name.endsWith('=')
      })
    let edges = 0
    let isOfItself = false
    for (const target of targets) {
      if (target.f === f && target.s === reference.from && reference.kind !== 'calls') {
        isOfItself = true
        continue
      }
      if (edges === edgesPerReferenceMax || (target.s === 0 && !this.#isComponentFile(target))) continue
      edges += 1
      const isConstructor =
        reference.kind === 'instantiates' && this.#evaluator.symbol(target.f, target.s).kind === 'method'
      const kind =
        reference.kind === 'calls' && this.#isInstantiated(target)
          ? 'instantiates'
          : isConstructor
            ? 'calls'
            : reference.kind
      this.#edge(f, reference.from, target, kind, reference.line, reference.col)
    }
    if (
      edges === 0 &&
      !isOfItself &&
      reference.name !== '' &&
      (reference.kind !== 'references' || reference.asType === true)
    ) {
      this.#unresolved.push({
        file: f,
        from: reference.from,
        name: reference.name,
        kind: reference.kind,
        line: reference.line,
        col: reference.col,
      })
    }
  }

  #isComponentFile(target: Target): boolean {
    const { language } = this.#evaluator.file(target.f)
    return language === 'vue' || language === 'svelte'
  }

  /** Outside JavaScript a class is called to make an instance of it. */
  #isInstantiated(target: Target): boolean {
    const { kind } = this.#evaluator.symbol(target.f, target.s)
    const isScript = languageFamily(this.#evaluator.file(target.f).language) === 'script'
    return !isScript && (kind === 'class' || kind === 'struct')
  }

  #targets(f: number, found: Denotation | undefined, value: Value): Target[] {
    if (found === undefined) return []
    if (found.t === 'either') {
      const isPartial = found.isPartial === true || found.of.some((one) => one.t === 'function' && one.isAny === true)
      return found.of
        .flatMap((one) => this.#targets(f, one, value))
        .map((one) => ({
          ...one,
          confidence: Math.min(one.confidence, isPartial ? confidence.oneOfUnknown : confidence.oneOfSeveral),
        }))
    }
    if (found.t === 'module' && this.#isComponentFile({ f: found.f, s: 0, resolution: 'import', confidence: 1 })) {
      return [{ f: found.f, s: 0, resolution: 'import', confidence: confidence.import }]
    }
    if (found.t !== 'symbol') return []
    return [this.#target(f, found, value)]
  }

  #target(from: number, { f, s }: Extract<Denotation, { t: 'symbol' }>, value: Value): Target {
    const symbol = this.#evaluator.symbol(f, s)
    const isMember = value.k === 'get' && symbol.parent !== 0
    if (isMember) {
      const root = rootOf(value)
      const holder = this.#evaluator.symbol(f, symbol.parent)
      if (root.k === 'this' || root.k === 'super')
        return { f, s, resolution: 'instance-method', confidence: confidence.qualified }
      if (holder.kind === 'namespace' || holder.kind === 'enum' || symbol.static === true) {
        return { f, s, resolution: 'qualified-name', confidence: confidence.qualified }
      }
      return { f, s, resolution: 'instance-method', confidence: confidence.declaredReceiver }
    }
    if (f === from) return { f, s, resolution: 'exact-match', confidence: confidence.sameFile }
    return { f, s, resolution: 'import', confidence: confidence.import }
  }

  /** A member of an object that is declared to be of a type is a member of that type as well. */
  #withDeclared({ kind }: Reference, target: Target): Target[] {
    const symbol = this.#evaluator.symbol(target.f, target.s)
    const holder = this.#evaluator.symbol(target.f, symbol.parent)
    if (symbol.parent === 0 || holder.type === undefined || !valueKinds.has(holder.kind)) return [target]
    const type = this.#evaluator.typed(target.f, holder.type)
    const declared = type && this.#evaluator.member(type, symbol.name, false, kind === 'calls')
    return declared?.t === 'symbol' ? [target, { ...target, f: declared.f, s: declared.s }] : [target]
  }

  /** What a call reaches: through a name that only holds a function, the function; through a class, its constructor too. */
  #called(f: number, reference: Reference, target: Target): Target[] {
    const symbol = this.#evaluator.symbol(target.f, target.s)
    if (valueKinds.has(symbol.kind) || symbol.accessor === true) {
      const held = this.#evaluator.held({ t: 'symbol', f: target.f, s: target.s })
      const through = this.#targets(f, held, reference.value).filter((one) => one.f !== target.f || one.s !== target.s)
      if (through.length === 0) return [target]
      if (reference.from !== target.s || target.f !== f)
        this.#edge(f, reference.from, target, 'references', reference.line, reference.col)
      return through.flatMap((one) => this.#withConstructor(one))
    }
    return this.#withConstructor(target)
  }

  #withConstructor(target: Target): Target[] {
    const symbol = this.#evaluator.symbol(target.f, target.s)
    if (symbol.kind !== 'class') return [target]
    for (const name of constructorNames(symbol)) {
      const found = this.#evaluator.members.instanceMember(target.f, target.s, name, undefined)
      if (found?.t === 'symbol' && this.#evaluator.symbol(found.f, found.s).kind === 'method') {
        return [target, { ...target, f: found.f, s: found.s }]
      }
    }
    return [target]
  }

  /** A value from outside may have the methods that the project writes for such types: the only one of that name is a guess. */
  #extensionOfOutside(file: FileFacts, { value }: Reference): Target[] {
    if (file.language !== 'csharp' || value.k !== 'get' || standardMembers('csharp').has(value.n)) return []
    const [only, ...others] = this.#project
      .symbolsNamed('csharp', value.n, 'method')
      .filter(({ f, s }) => this.#evaluator.symbol(f, s).attachedTo !== undefined)
    if (only === undefined || others.length > 0) return []
    return [this.#guessed(only)]
  }

  /** The receiver is unknown: the only member of that name in the project may be meant, and is marked as a guess. */
  #guess(file: FileFacts, reference: Reference): Target[] {
    const family = languageFamily(file.language)
    const asked = family === 'ruby' && reference.value.k === 'alt' ? reference.value.v : [reference.value]
    for (const one of asked) {
      if (one.k !== 'get' || (one.o.k === 'glob' && one.o.n !== '?')) continue
      const found = this.#membersNamed(file, family, one.n)
      if (found.length > 0) return found
    }
    return []
  }

  #membersNamed(file: FileFacts, family: string, name: string): Target[] {
    if (name.length < 3 || name === 'constructor' || standardMembers(family).has(name)) return []
    const isProduction = !isNonProductionFile(file.path)
    const key = `${family} ${isProduction ? '' : 'test '}${name}`
    const known = this.#guesses.get(key) ?? this.#guessedFresh(family, name, isProduction)
    this.#guesses.set(key, known)
    return known
  }

  #guessedFresh(family: string, name: string, isProduction: boolean): Target[] {
    const named = this.#project.symbolsNamed(family, name, 'method')
    const ofProduction = named.filter((one) => !isTestFile(this.#project.path(one.f)))
    if (family !== 'ruby') {
      const [only, ...others] = isProduction ? ofProduction : named
      if (only === undefined) return []
      if (others.length === 0) return [this.#guessed(only)]
      // What implements a trait of Rust writes the same name again.
      const ofTraits = [only, ...others].filter((one) => family === 'rust' && this.#isOfTrait(one))
      const [trait, ...further] = ofTraits
      return trait === undefined || further.length > 0 ? [] : [this.#guessed(trait)]
    }
    // Ruby makes methods of fields, and mixes in what no file says: a few are as good a guess as one.
    const methods = ofProduction.length > 0 || isProduction ? ofProduction : named
    const found = methods.length > 0 ? methods : this.#project.symbolsNamed(family, name, 'field')
    return found.length > guessesMax ? [] : found.map((one) => this.#guessed(one))
  }

  #isOfTrait({ f, s }: Place): boolean {
    return this.#evaluator.symbol(f, this.#evaluator.symbol(f, s).parent).kind === 'trait'
  }

  #guessed(place: Place): Target {
    return { ...place, resolution: 'fuzzy', confidence: confidence.onlyMemberOfThatName }
  }
}

/** A method that gives, or the field that is given. */
function isSetter(value: Value): boolean {
  const [given, plain] = value.k === 'alt' && value.first === 1 ? value.v : []
  return given?.k === 'get' && plain?.k === 'get' && given.n === `${plain.n}=`
}

function rootOf(value: Value): Value {
  let at = value
  while (at.k === 'get') at = at.o
  return at
}
