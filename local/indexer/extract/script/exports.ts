/** What a script offers to others. */

import type { ScriptFile } from './file.ts'
import { declaredNames, unwrap } from './names.ts'
import type { Scope } from './scope.ts'
import type { ScriptScopes } from './scopes.ts'
import { childOf, childrenOf, type SyntaxNode, textOf } from './syntax-tree.ts'
import type { ScriptValues } from './values.ts'

export class ScriptExports {
  readonly #file: ScriptFile
  readonly #scopes: ScriptScopes
  readonly #values: ScriptValues

  constructor(file: ScriptFile, scopes: ScriptScopes, values: ScriptValues) {
    this.#file = file
    this.#scopes = scopes
    this.#values = values
  }

  exportNames(statements: readonly SyntaxNode[], scope: Scope): void {
    for (const statement of statements) {
      switch (statement.type) {
        case 'ExportAllDeclaration': {
          const from = textOf(childOf(statement, 'source'), 'value')
          const exported = childOf(statement, 'exported')
          this.#scopes.addImport(statement, from, ['*'])
          const name = textOf(exported, 'name') || textOf(exported, 'value')
          this.#file.facts.exports.push(name === '' ? { name: '*', from } : { name, from, imported: '*' })
          break
        }
        case 'ExportDefaultDeclaration': {
          const declaration = childOf(statement, 'declaration')
          if (declaration === undefined) break
          const value = unwrap(declaration) ?? declaration
          const index = this.#file.symbolOf.get(value) ?? this.#file.symbolOf.get(statement)
          if (value.type === 'Identifier') this.#markExported(textOf(value, 'name'), scope)
          this.#file.facts.exports.push({
            name: 'default',
            value: index === undefined ? this.#values.value(value, scope) : { k: 'sym', s: index },
          })
          break
        }
        case 'TSExportAssignment': {
          const value = this.#values.value(childOf(statement, 'expression'), scope)
          this.#file.facts.exports.push({ name: 'default', value }, { name: 'module.exports', value })
          break
        }
        case 'ExportNamedDeclaration':
          this.#exportNamed(statement, scope)
          break
      }
    }
  }

  #exportNamed(statement: SyntaxNode, scope: Scope): void {
    const source = childOf(statement, 'source')
    const specifiers = childrenOf(statement, 'specifiers')
    if (source !== undefined) {
      const from = textOf(source, 'value')
      const names = specifiers.map(
        (one) => textOf(childOf(one, 'local'), 'name') || textOf(childOf(one, 'local'), 'value'),
      )
      this.#scopes.addImport(statement, from, names)
      specifiers.forEach((one, index) => {
        const exported = childOf(one, 'exported')
        this.#file.facts.exports.push({
          name: textOf(exported, 'name') || textOf(exported, 'value'),
          from,
          imported: names[index] ?? '',
        })
      })
      return
    }
    for (const one of specifiers) {
      const local = textOf(childOf(one, 'local'), 'name')
      const exported = childOf(one, 'exported')
      this.#markExported(local, scope)
      const value = scope.binding(local)?.value
      const type = scope.type(local)
      const name = textOf(exported, 'name') || textOf(exported, 'value')
      if (value !== undefined) this.#file.facts.exports.push({ name, value })
      if (type?.k === 'ref' && type.v !== value) this.#file.facts.exports.push({ name, value: type.v })
    }
    const declaration = childOf(statement, 'declaration')
    if (declaration === undefined) return
    for (const name of declaredNames(declaration)) {
      this.#markExported(name, scope)
      const value = scope.ownValue(name)
      const type = scope.ownType(name)
      if (value !== undefined) this.#file.facts.exports.push({ name, value })
      if (type?.k === 'ref' && type.v !== value) this.#file.facts.exports.push({ name, value: type.v })
    }
  }

  #markExported(name: string, scope: Scope): void {
    const value = scope.ownValue(name)
    if (value?.k === 'sym') this.#file.facts.symbol(value.s).exported = true
    const type = scope.ownType(name)
    if (type?.k === 'ref' && type.v.k === 'sym') this.#file.facts.symbol(type.v.s).exported = true
  }
}
