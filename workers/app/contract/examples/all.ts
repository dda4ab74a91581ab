import { assistantExamples } from './assistant.ts'
import type { ShownOperation } from './example.ts'
import { mediaExamples } from './media.ts'
import { siteExamples } from './sites.ts'
import { torrentExamples } from './torrents.ts'

export const operationExamples: readonly ShownOperation[] = [
  ...siteExamples,
  ...torrentExamples,
  ...mediaExamples,
  ...assistantExamples,
]
