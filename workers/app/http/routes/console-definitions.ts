import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addOwnDefinition,
  listOwnDefinitions,
  reloadOwnDefinition,
  removeOwnDefinition,
  type WireDefinitionAdded,
  type WireOwnDefinition,
} from '../../contract/console-definitions.ts'
import type { PlacedFault } from '../../core/cardigann/checked-definition.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { parseFeedAddress } from '../../core/feeds/feed-address.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Say } from '../../core/reason/say.ts'
import { ownDefinitionsMax } from '../../limits.ts'
import type { OwnDefinition } from '../../ports/site-definitions.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

const noDefinition = failure('not_found', { kind: 'none', what: 'definition' })

export function consoleDefinitionRoutes(deps: Pick<AppDeps, 'ownDefinitions' | 'definitionDesk'>): BoundRoute[] {
  const { ownDefinitions: book, definitionDesk: desk } = deps

  async function keep(
    source: string,
    address: string,
    say: Say,
    /** The one that it is to be: another is refused. */
    id?: string,
  ): Promise<Result<{ body: WireDefinitionAdded }, Failure>> {
    const checked = desk.check(source)
    if (!checked.ok)
      return succeed({ body: { added: false, faults: checked.failure.map((one) => toWireFault(one, say)) } })
    if (id !== undefined && checked.value.id !== id) {
      const fault = {
        rule: 'value' as const,
        path: ['id'],
        detail: 'another definition is at the address',
        line: undefined,
      }
      return succeed({ body: { added: false, faults: [toWireFault(fault, say)] } })
    }
    const stored = await book.put(checked.value, address)
    if (!stored.ok)
      return failWith(failure('invalid_argument', { kind: 'too_many', what: 'definition', limit: ownDefinitionsMax }))
    return succeed({ body: { added: true, definition: toWire(stored.value), faults: [] } })
  }

  async function fetched(address: string, say: Say, id?: string) {
    const source = await desk.fetch(address)
    if (source !== undefined) return keep(source, address, say, id)
    return succeed({ body: { added: false, faults: [], ...explained(say, { kind: 'definition.unreachable' }) } })
  }

  return [
    bind(listOwnDefinitions, async () => succeed({ body: { items: (await book.list()).map(toWire) } })),
    bind(addOwnDefinition, async ({ body, say }) => {
      const { source, address } = body
      if (source !== undefined && address !== undefined)
        return failWith(wrongField('address', { kind: 'field.only_for', fields: ['source'], type: 'address' }))
      if (source !== undefined) return keep(source, '', say)
      if (address === undefined)
        return failWith(failure('invalid_argument', { kind: 'field.fill_in', field: 'source' }))
      const parsed = parseFeedAddress(address)
      return parsed.ok ? fetched(parsed.value, say) : failWith(wrongField('address', parsed.failure))
    }),
    bind(reloadOwnDefinition, async ({ params, say }) => {
      const present = await book.find(params.id)
      return present === undefined || present.address === ''
        ? failWith(noDefinition)
        : fetched(present.address, say, present.id)
    }),
    bind(removeOwnDefinition, async ({ params }) => {
      const removed = await book.remove(params.id)
      if (removed.ok) return succeed({ body: { ok: true as const } })
      return failWith(
        removed.failure === 'in_use' ? failure('busy_conflict', { kind: 'definition.in_use' }) : noDefinition,
      )
    }),
  ]
}

function toWireFault({ rule, path, line, detail }: PlacedFault, say: Say): WireDefinitionAdded['faults'][number] {
  const reason: Reason = {
    kind: 'definition.wrong',
    rule,
    path: path.join('.'),
    ...(line === undefined ? {} : { line }),
  }
  return { rule, path: path.join('.'), detail, ...(line === undefined ? {} : { line }), ...explained(say, reason) }
}

function toWire({ id, facts, address, updatedAtUnix, sites }: OwnDefinition): WireOwnDefinition {
  const { name, language, type, links, login, hasCaptcha, questions, categories } = facts
  return {
    id,
    name,
    language,
    type,
    links: [...links],
    login,
    captcha: hasCaptcha,
    questions: questions.map(({ options, ...question }) => ({
      ...question,
      ...(options === undefined
        ? {}
        : { options: Object.entries(options).map(([value, label]) => ({ value, label })) }),
    })),
    categories,
    host: address === '' ? '' : new URL(address).host,
    updated_at: updatedAtUnix,
    sites,
  }
}
