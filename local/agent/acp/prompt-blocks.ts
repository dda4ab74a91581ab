/** What an editor sends as a prompt, as a prompt of the server: one text, and files beside it. */
import { pathToFileURL } from 'node:url'
import type { ContentBlock } from '@agentclientprotocol/sdk'

interface PromptParts {
  readonly text: string
  readonly files?: readonly object[]
}

const inline = (mime: string, base64: string): string => `data:${mime};base64,${base64}`

export function promptOf(blocks: readonly ContentBlock[]): PromptParts {
  const texts: string[] = []
  const files: object[] = []
  for (const block of blocks) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'image') files.push({ data: block.data, mimeType: block.mimeType })
    else if (block.type === 'resource_link') {
      // In the text it stands where it was mentioned; what it holds comes with the prompt where it is a file.
      texts.push(`[@${block.name}](${block.uri})`)
      const uri = block.uri.startsWith('/') ? pathToFileURL(block.uri).href : block.uri
      if (uri.startsWith('file:')) files.push({ uri: withoutPlace(uri), name: block.name })
    } else if (block.type === 'resource') {
      const { uri, mimeType } = block.resource
      const name = decodeURIComponent(uri.split('/').at(-1) ?? uri)
      texts.push(`[@${name}](${uri})`)
      if ('text' in block.resource) {
        const bytes = Buffer.from(block.resource.text).toString('base64')
        files.push({ uri: inline(mimeType ?? 'text/plain', bytes), name })
      } else files.push({ uri: inline(mimeType ?? 'application/octet-stream', block.resource.blob), name })
    }
  }
  return { text: texts.join(''), ...(files.length === 0 ? {} : { files }) }
}

/** Editors name lines of a file behind it. */
function withoutPlace(uri: string): string {
  return uri.split(/[#?]/, 1)[0] ?? uri
}
