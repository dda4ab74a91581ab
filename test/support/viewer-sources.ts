/** A small program with something for every view: layers and a circle, a dispatch, routes, equal names, dead code. */
const controller = (name: string): string => `import { Controller, Get, Post } from '@nestjs/common'
import { start } from '../core/run.ts'
@Controller('${name}')
export class ${name[0]?.toUpperCase()}${name.slice(1)}Controller {
  @Get()
  list() { return start('${name}') }
  @Post()
  add() { return start('add') }
}
`

export const viewerSources: Readonly<Record<string, string>> = {
  'src/main.ts': `import { start } from './core/run.ts'
import { plan } from './jobs/plan.ts'
plan()
start('go')
`,
  'src/http/users.ts': controller('users'),
  'src/http/orders.ts': controller('orders'),
  'src/core/run.ts': `import { write } from './disk/write.ts'
import { remember } from './memory/remember.ts'
import { note } from '../jobs/plan.ts'
export function start(kind: string): void {
  note(kind)
  step(kind)
  quick(kind)
}
function step(kind: string): void {
  remember(kind)
  dispatch(kind)
}
function quick(kind: string): void {
  write(kind)
}
function dispatch(kind: string): void {
  table[kind]?.()
}
const table: Record<string, () => void> = {}
`,
  'src/core/disk/write.ts': `import { trim } from '../../text/trim.ts'
export function write(text: string): string {
  return seal(trim(text))
}
function seal(text: string): string {
  return text
}
function forgottenWriter(): number {
  return 1
}
`,
  'src/core/memory/remember.ts': `import { write } from '../disk/write.ts'
export function remember(text: string): string {
  return write(text)
}
`,
  'src/jobs/plan.ts': `import { start } from '../core/run.ts'
import { trim } from '../text/trim.ts'
export function plan(): void {
  start(trim('plan'))
  start('again')
}
export function note(text: string): string {
  return text
}
export function handler(): void {}
`,
  'src/text/trim.ts': `export function trim(text: string): string {
  return text.trim()
}
export class Loose {
  write(text: string): string {
    return trim(text)
  }
}
`,
  'src/text/unused.ts': `export function handler(): string {
  return ''
}
function neverCalled(first: number): number {
  const doubled = first * 2
  return doubled
}
`,
  'test/trim.test.ts': `import { trim } from '../src/text/trim.ts'
trim('x')
`,
}
