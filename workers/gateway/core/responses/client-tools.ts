import { entryOf, type JsonRecord, listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import { toolInputSchema } from '../to-provider/tool-input-schema.ts'
import { markedName, providerName } from '../to-provider/tool-name.ts'
import type { ToolSpecification } from '../wire/converse-request.ts'

export type ClientToolKind = 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch'

/** A tool as the client knows it. */
interface ClientToolIdentity {
  readonly kind: ClientToolKind
  readonly name: string
  /** Undefined: no namespace. */
  readonly namespace: string | undefined
}

export interface ClientTool extends ClientToolIdentity {
  readonly providerName: string
  readonly specification: ToolSpecification
}

/** The tools of one request, and the way back from the provider's names. */
export interface ClientTools {
  readonly tools: readonly ClientTool[]
  readonly byProviderName: ReadonlyMap<string, ClientTool>
  /** The provider's name of a tool, also of one that only earlier turns know. */
  nameFor(identity: ClientToolIdentity): string
}

export const noClientTools: ClientTools = {
  tools: [],
  byProviderName: new Map(),
  nameFor: ({ name }) => providerName(name),
}

/**
 * Expresses every tool the client runs as a function, which is all the provider has. Tools that a vendor runs on its
 * own servers are left out.
 */
export function readClientTools(wire: readonly unknown[]): Result<ClientTools, Failure> {
  const byKey = new Map<string, ClientTool>()
  const byProviderName = new Map<string, ClientTool>()
  for (const { identity, specification } of flatten(wire)) {
    const key = keyOf(identity)
    if (byKey.has(key)) {
      return failWith(failure('bad_request', `tool ${identity.name} is given twice`, { param: 'tools' }))
    }
    const plain = plainName(identity)
    const name = byProviderName.has(plain) ? markedName(plain, key) : plain
    const tool: ClientTool = {
      ...identity,
      providerName: name,
      specification: { toolSpec: { name, ...specification } },
    }
    byKey.set(key, tool)
    byProviderName.set(name, tool)
  }
  return succeed({
    tools: [...byKey.values()],
    byProviderName,
    nameFor: (identity) => byKey.get(keyOf(identity))?.providerName ?? plainName(identity),
  })
}

function keyOf({ kind, namespace, name }: ClientToolIdentity): string {
  return JSON.stringify([kind, namespace ?? '', name])
}

/** The default namespace of clients is no part of the name the model sees. */
function plainName({ namespace, name }: ClientToolIdentity): string {
  const isBare = namespace === undefined || namespace === '' || namespace === 'functions'
  return providerName(isBare ? name : `${namespace}__${name}`)
}

/** Whether a tool is the client's own; those a vendor runs on its servers are not. */
export function isClientRun(wire: unknown): boolean {
  return flatten([wire]).length > 0
}

type Specification = Omit<ToolSpecification['toolSpec'], 'name'>
interface Flat {
  readonly identity: ClientToolIdentity
  readonly specification: Specification
}

function flatten(wire: readonly unknown[], namespace?: string): readonly Flat[] {
  return wire.flatMap((item): readonly Flat[] => {
    const tool = recordOf(item)
    const type = textOf(tool?.['type'])
    if (tool === undefined || type === undefined) return []
    const name = textOf(tool['name']) ?? ''
    if (type === 'namespace') return name === '' ? [] : flatten(listOf(tool['tools']), name)
    if (type === 'function' && name !== '') {
      return [{ identity: { kind: 'function', name, namespace }, specification: functionSpecification(tool) }]
    }
    if (type === 'custom' && name !== '') {
      return [{ identity: { kind: 'custom', name, namespace }, specification: customSpecification(tool) }]
    }
    const own = entryOf(ownTools, type)
    return own === undefined
      ? []
      : [{ identity: { kind: own.kind, name: type, namespace: undefined }, specification: own.specification }]
  })
}

function functionSpecification(tool: JsonRecord): Specification {
  const description = textOf(tool['description'])
  return {
    ...(description ? { description } : {}),
    inputSchema: { json: toolInputSchema(recordOf(tool['parameters'])) },
    ...(tool['strict'] === true ? { strict: true } : {}),
  }
}

const grammarCharactersMax = 4_000

/** The grammar of a free-form tool has no place of its own in a function, so the description carries it. */
function customSpecification(tool: JsonRecord): Specification {
  const format = recordOf(tool['format'])
  const grammar = textOf(format?.['definition'])?.slice(0, grammarCharactersMax)
  const syntax = textOf(format?.['syntax']) ?? 'lark'
  const parts = [
    textOf(tool['description']) ?? '',
    grammar === undefined ? '' : `The input must follow this ${syntax} grammar:\n${grammar}`,
  ]
  const description = parts.filter((part) => part !== '').join('\n\n')
  return {
    ...(description === '' ? {} : { description }),
    inputSchema: {
      json: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The raw input of the tool' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  }
}

const wholeNumber = { type: 'integer', minimum: 0 }
const text = { type: 'string' }
const texts = { type: 'array', items: text }
const closed = (properties: JsonRecord, required: readonly string[]): JsonRecord => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const ownTools: Readonly<Record<string, { readonly kind: ClientToolKind; readonly specification: Specification }>> = {
  local_shell: {
    kind: 'local_shell',
    specification: {
      description: 'Runs one command on the machine of the user.',
      inputSchema: {
        json: closed(
          {
            command: { ...texts, description: 'The program and its arguments' },
            working_directory: text,
            timeout_ms: wholeNumber,
            env: { type: 'object', additionalProperties: text },
            user: text,
          },
          ['command'],
        ),
      },
    },
  },
  shell: {
    kind: 'shell',
    specification: {
      description: 'Runs shell commands on the machine of the user.',
      inputSchema: {
        json: closed({ commands: texts, timeout_ms: wholeNumber, max_output_length: wholeNumber }, ['commands']),
      },
    },
  },
  apply_patch: {
    kind: 'apply_patch',
    specification: {
      description:
        'Creates, updates or deletes one file of the user. A diff is in the V4A format, without its envelope.',
      inputSchema: {
        json: closed(
          {
            operation: closed(
              {
                type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
                path: text,
                diff: { ...text, description: 'Needed to create and to update' },
              },
              ['type', 'path'],
            ),
          },
          ['operation'],
        ),
      },
    },
  },
}
