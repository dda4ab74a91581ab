/** What the provider demands of a request of its chat operation, as far as its documents tell. */
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '../../workers/gateway/core/json-record.ts'

const toolName = /^[a-zA-Z0-9_-]{1,64}$/
const cachePointsMax = 4

/** What the provider would refuse the request for; empty for one it takes. */
export function converseFaults(request: JsonRecord): readonly string[] {
  const faults: string[] = []
  const demand = (holds: boolean, what: string) => {
    if (!holds) faults.push(what)
  }
  const turns = listOf(request['messages']).filter(isRecord)
  const tools = listOf(recordOf(request['toolConfig'])?.['tools'])
  const names = tools.flatMap((tool) => textOf(recordOf(recordOf(tool)?.['toolSpec'])?.['name']) ?? [])
  demand(turns.length > 0, 'no message')
  demand(request['toolConfig'] === undefined || names.length > 0, 'an empty list of tools')
  let open: readonly unknown[] = []
  turns.forEach((turn, index) => {
    demand(turn['role'] === (index % 2 === 0 ? 'user' : 'assistant'), `the role of message ${index}`)
    const blocks = listOf(turn['content']).filter(isRecord)
    demand(blocks.length > 0, `message ${index} is empty`)
    for (const block of blocks) demand(isSoundBlock(block, demand), `a block of message ${index}`)
    const results = blocks.flatMap((block) => recordOf(block['toolResult'])?.['toolUseId'] ?? [])
    demand(isSame(results, open), `the results of message ${index} are not those of its calls`)
    open = blocks.flatMap((block) => recordOf(block['toolUse'])?.['toolUseId'] ?? [])
    demand(new Set(open).size === open.length, `a call of message ${index} comes twice`)
    demand(names.length > 0 || (open.length === 0 && results.length === 0), 'calls without tools')
  })
  for (const block of listOf(request['system'])) demand(isSoundBlock(recordOf(block) ?? {}, demand), 'a system block')
  for (const name of names) demand(toolName.test(name), 'the name of a tool')
  const chosen = recordOf(recordOf(recordOf(request['toolConfig'])?.['toolChoice'])?.['tool'])?.['name']
  demand(chosen === undefined || names.includes(String(chosen)), 'a choice of a tool that is not there')
  demand(JSON.stringify(request).split('"cachePoint"').length - 1 <= cachePointsMax, 'too many cache points')
  return faults
}

function isSoundBlock(block: JsonRecord, demand: (holds: boolean, what: string) => void): boolean {
  const [kind, ...more] = Object.keys(block)
  demand(more.length === 0, 'a block of two kinds')
  const content = recordOf(block[kind ?? '']) ?? {}
  switch (kind) {
    case 'text':
      return String(block['text']).trim() !== ''
    case 'image':
      return (
        /^(?:png|jpeg|gif|webp)$/.test(String(content['format'])) &&
        textOf(recordOf(content['source'])?.['bytes']) !== ''
      )
    case 'toolUse':
      return (
        [content['toolUseId'], content['name']].every((id) => toolName.test(String(id))) && isRecord(content['input'])
      )
    case 'toolResult': {
      const inner = listOf(content['content']).filter(isRecord)
      return inner.length > 0 && inner.every((part) => !('cachePoint' in part) && isSoundBlock(part, demand))
    }
    case 'reasoningContent':
    case 'cachePoint':
      return true
    default:
      return false
  }
}

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one))
}
