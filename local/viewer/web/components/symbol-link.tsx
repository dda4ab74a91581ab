/** A symbol by name: its link carries the way on which the reader came to it. */
import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { parseTrail, stepFrom, symbolHref } from '../model/reading-trail.ts'
import { route } from '../router.ts'

/** A symbol to link to: any `NodeRef`, or what a trail or an import row knows of one. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly kind?: string
}

/** The way as it stands in the address, read once for all the links of a view. */
const steps = computed(() => parseTrail(route.value.query.get('trail')))

/**
 * `down` follows a call, `up` goes to a caller; both lengthen the reader's trail while a symbol is on screen. Without
 * a direction a new way begins.
 */
export function linkTo(id: string, dir?: 'down' | 'up', line?: number): string {
  const { view, detail } = route.value
  if (id.startsWith('file:')) return href('file', id.slice('file:'.length), { line })
  if (dir === undefined || view !== 'symbol') return symbolHref([], id, line)
  return symbolHref(stepFrom(steps.value, detail, { id, dir }), id, line)
}

export function SymbolLink(props: {
  node: Named
  dir?: 'down' | 'up'
  /** In place of the plain name. */
  label?: ComponentChildren
  class?: string
  title?: string
  isRow?: boolean
}) {
  return (
    <a
      class={`mono cut ${props.class ?? ''}`}
      href={linkTo(props.node.id, props.dir)}
      title={props.title}
      data-row={props.isRow === false ? undefined : ''}
    >
      {props.label ?? props.node.name}
    </a>
  )
}

export function KindWord({ kind }: { kind: string }) {
  const kinds: Readonly<Record<string, string>> = words.value.kinds
  return <span class="kd">{kinds[kind] ?? kind}</span>
}

/** `src/queue/lease.ts:28`, the end of which says most and stays when it is cut. */
export function Place({ file, line }: { file: string; line?: number }) {
  return (
    <span class="place faint small mono" title={file}>
      <span class="place-file">
        <bdi>{file}</bdi>
      </span>
      {line === undefined ? null : <span>:{line}</span>}
    </span>
  )
}
