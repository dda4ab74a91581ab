/** Who uses a symbol, by file: certain ones first, guesses apart and dashed, tests folded. */

import { Icon } from '#shared/pages/icon.tsx'
import type { NodeAnswer } from '../../contract/wire.ts'
import { Certainty, Verdict } from '../components/certainty.tsx'
import { LongList } from '../components/long-list.tsx'
import { ShownOf } from '../components/shown-of.tsx'
import { linkTo, SymbolLink } from '../components/symbol-link.tsx'
import { symbolWords, words } from '../locales/words.ts'

type Relation = NodeAnswer['incoming']['items'][number]

const callables: ReadonlySet<string> = new Set(['function', 'method', 'route', 'component'])
export const isCallable = (kind: string): boolean => callables.has(kind)

function byFile(relations: readonly Relation[]): Map<string, Relation[]> {
  return Map.groupBy(relations, (one) => one.node.file)
}

const linesMax = 3

function callerRow(relation: Relation, focusId: string) {
  const { node, lines, edgeKinds, confidence, uncertain } = relation
  const [first] = relation.edges
  const isCall = edgeKinds.includes('calls')
  const [kind] = edgeKinds
  return (
    <li key={node.id}>
      {SymbolLink({
        node,
        dir: 'up',
        label: <bdi>{node.kind === 'file' ? node.name : node.qualifiedName}</bdi>,
        title: node.qualifiedName,
      })}
      {node.id === focusId ? <span class="faint small">{symbolWords.value.itself}</span> : null}
      {isCall || kind === undefined ? null : <span class="faint small nowrap">{words.value.edges[kind]}</span>}
      {uncertain ? Certainty({ confidence, resolvedBy: first?.resolvedBy }) : null}
      {Verdict({ verdict: relation.verdict })}
      <span class="lines">
        {lines.slice(0, linesMax).map((line) => (
          <a key={line} href={linkTo(node.id, 'up', line)} aria-label={words.value.code.line(line)}>
            {line}
          </a>
        ))}
        {lines.length > linesMax ? <span class="faint">+{lines.length - linesMax}</span> : null}
      </span>
      {relation.text === undefined ? null : (
        <code class="said mono faint" title={relation.text}>
          {relation.text}
        </code>
      )}
    </li>
  )
}

/** A file, and below it those in it, each with its line: one list, of which only what is on screen is made at once. */
function Files({ relations, focusId }: { relations: readonly Relation[]; focusId: string }) {
  const rows = [...byFile(relations)].flatMap(([file, ofFile]) => [file, ...ofFile])
  return (
    <LongList
      items={rows}
      rowHeight={44}
      as="ul"
      row={(row) =>
        typeof row === 'string' ? (
          <li key={row}>
            <h3 class="fileh mono" title={row}>
              <span class="place-file">
                <bdi>{row}</bdi>
              </span>
            </h3>
          </li>
        ) : (
          callerRow(row, focusId)
        )
      }
    />
  )
}

export function Callers({ answer }: { answer: NodeAnswer }) {
  const text = symbolWords.value
  const { incoming, node } = answer
  const guessed = incoming.items.filter((one) => one.uncertain)
  const certain = incoming.items.filter((one) => !one.uncertain)
  const tests = certain.filter((one) => one.node.test)
  const production = certain.filter((one) => !one.node.test)
  const isCalled = isCallable(node.kind)
  const testCalls = tests.reduce((sum, one) => sum + one.edgeCount, 0)
  return (
    <aside class="callers" aria-label={isCalled ? text.callers : text.usedBy} data-rows="callers">
      <header class="ph">
        <h2>{isCalled ? text.callers : text.usedBy}</h2>
        <span class="n faint">{words.value.certainty.countWith(incoming.total - guessed.length, guessed.length)}</span>
        <kbd class="wide-only end">H</kbd>
      </header>
      {incoming.total === 0 ? (
        <p class="faint small">
          {isCalled ? text.noCallers : text.noUses} {node.exported === true ? text.maybeOutside : ''}
        </p>
      ) : null}
      <Files relations={production} focusId={node.id} />
      {guessed.length === 0 ? null : (
        <details class="fold-s guess" open={guessed.length <= 12}>
          <summary class="gh">
            <Icon name="m-guess" />
            {text.guessed}{' '}
            <span class="faint">
              {guessed.length}, {words.value.certainty.below}
            </span>
          </summary>
          <Files relations={guessed} focusId={node.id} />
          <p class="faint small">{text.guessedWhy}</p>
        </details>
      )}
      {tests.length === 0 ? null : (
        <details class="fold-s" open={production.length === 0}>
          <summary class="gh">
            <span class="fold-mark">
              <Icon name="chev" small />
            </span>
            {text.tests} <span class="faint">{text.callsInFiles(testCalls, byFile(tests).size)}</span>
          </summary>
          <Files relations={tests} focusId={node.id} />
        </details>
      )}
      <ShownOf {...incoming} />
    </aside>
  )
}
