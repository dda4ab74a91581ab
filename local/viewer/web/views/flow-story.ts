/** A path in words, once for the page and for the picture that is kept of it. */
import type { FlowAnswer, Highlight, SavedTrailHop } from '../../contract/wire.ts'
import { isWhole } from '../layout/flow-path.ts'
import type { Card, FlowDrawing, Piece } from '../layout/flow-picture.ts'
import type { Tone } from '../layout/marks.ts'
import { flowWords, words } from '../locales/words.ts'

type AnsweredFlow = FlowAnswer['flows'][number]
export type Hop = AnsweredFlow['hops'][number]
export type Flow = Omit<AnsweredFlow, 'hops'> & { readonly hops: readonly Hop[] }
export type Stop = NonNullable<Flow['boundary']>

export interface LinkWords {
  readonly text: string
  readonly isKnown: boolean
}

/** The line of a card that leads on, or at which the path stops. */
export function hitLine(flow: Flow, at: number): number {
  const hop = flow.hops[at]
  if (hop === undefined) return 0
  if (hop.callRef !== null && !hop.callRef.backwards) return hop.callRef.line
  if (hop.edge?.upward === true) return hop.edge.line ?? hop.node.line
  const site = flow.boundary?.sites[0]
  return at === flow.hops.length - 1 && site !== undefined && flow.boundary?.node.id === hop.node.id
    ? site.line
    : hop.node.line
}

/** How a hop is reached from the one before. */
export function linkWords(hop: Hop): LinkWords {
  const text = flowWords.value
  const { edge } = hop
  if (edge === null) return { text: text.noLink, isKnown: false }
  const kinds: Readonly<Record<string, string>> = text.calls
  const how = kinds[edge.kind] ?? words.value.edges[edge.kind]
  const line = edge.line ?? hop.node.line
  const say = edge.upward
    ? edge.uncertain
      ? text.upwardGuess
      : text.upward
    : edge.uncertain
      ? text.guesses
      : text.links
  return { text: say(how, line), isKnown: !edge.uncertain }
}

/** What leads from the last card to the place where the path stops. */
export function stopWords(stop: Stop): LinkWords {
  const text = flowWords.value
  const [site] = stop.sites
  return {
    text: site === undefined ? text.stop : text.stopAt(text.forms[site.form], site.line),
    isKnown: false,
  }
}

export function subtitleOf(flow: Flow, isRecorded: boolean): string {
  const text = flowWords.value
  const hops = flow.hops.length - 1
  if (isRecorded) return text.recorded(hops)
  return isWhole(flow) ? text.hops(hops) : text.stops(hops)
}

/** The column at which the name of the callee stands: the recorded column may be that of the whole expression. */
export function calleeColumn(
  tokens: Highlight['lines'][number] | undefined,
  name: string,
  col: number | null,
): number | undefined {
  let column = 0
  let best: number | undefined
  for (const [, part] of tokens ?? []) {
    if (part === name && (best === undefined || (best < (col ?? 0) && column >= (col ?? 0)))) best = column
    column += part.length
  }
  return best
}

const tones: readonly Tone[] = ['ink', 'ink', 'c-comment', 'c-string', 'c-keyword', 'c-number', 'c-type', 'c-def']

function cardOf(flow: Flow, at: number): Card {
  const hop = flow.hops[at]
  const node = hop?.node
  const source = hop?.source
  const hit = hitLine(flow, at)
  const lines = source?.lines
  return {
    name: node?.qualifiedName ?? '',
    kind: node === undefined ? '' : words.value.kinds[node.kind],
    place: node === undefined ? '' : `${node.file}:${node.line}`,
    lines: (lines ?? []).map((text, n) => ({
      number: (source?.from ?? 1) + n,
      pieces: source?.highlight?.lines[n]?.map(([kind, part]): Piece => [tones[kind] ?? 'ink', part]) ?? [
        ['ink', text],
      ],
      isHit: (source?.from ?? 1) + n === hit,
    })),
    reason: lines === undefined ? words.value.code.hidden : undefined,
  }
}

/** What the page shows, for a picture of it. */
export function drawingOf(flow: Flow, title: string, isRecorded: boolean): FlowDrawing {
  const text = flowWords.value
  const stop = flow.boundary
  const between = flow.hops.slice(1).map(linkWords)
  return {
    title,
    subtitle: subtitleOf(flow, isRecorded),
    cards: flow.hops.map((_hop, at) => cardOf(flow, at)),
    links: stop === null ? between : [...between, stopWords(stop)],
    stop:
      stop === null
        ? undefined
        : {
            title: text.stop,
            tag: stop.sites[0] === undefined ? undefined : text.forms[stop.sites[0].form],
            text:
              stop.sites.length === 0
                ? [text.stopNoSite]
                : stop.sites.map((site) => `${text.picks(site.line)} ${site.snippet}`),
            candidates: stop.sites.flatMap((site) =>
              site.candidates.map(({ display, node }) => ({ name: display, place: `${node.file}:${node.line}` })),
            ),
          },
  }
}

/** The way of a path, to be walked or saved. */
export function stepsOfFlow(flow: Flow): { id: string; dir: SavedTrailHop['dir'] }[] {
  return flow.hops.map((hop, at) => ({
    id: hop.node.id,
    dir: at === 0 ? 'start' : hop.edge === null ? 'start' : hop.edge.upward ? 'up' : 'down',
  }))
}
