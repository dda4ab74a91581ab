/** What a symbol is, in the words and numbers one asks for first. */
import type { NodeAnswer, StatsAnswer } from '../../contract/wire.ts'
import { Meter } from '../components/meter.tsx'
import { DriftMark } from '../components/status.tsx'
import { linkTo, SymbolLink } from '../components/symbol-link.tsx'
import { focusRows } from '../keys.ts'
import { grouped } from '../locales/numbers.ts'
import { symbolWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { isCallable } from './symbol-callers.tsx'

const typesMax = 6

function Facts({ answer, scale }: { answer: NodeAnswer; scale: StatsAnswer['blastScale'] | undefined }) {
  const text = symbolWords.value
  const certainty = words.value.certainty
  const { node, counts, incoming, outgoing, typesUsed, tests, blast } = answer
  const guessedIn = incoming.items.filter((one) => one.uncertain).length
  const guessedOut = outgoing.items.filter((one) => one.uncertain).length
  const isCalled = isCallable(node.kind)
  // The scale is a floor: a symbol that reaches further raises it.
  const most = Math.max(scale?.maxWithinHops ?? 0, blast?.withinHops ?? 0, 1)
  return (
    <dl class="facts">
      <div>
        <dt>{isCalled ? text.callers : text.usedBy}</dt>
        <dd>
          <button class="link-button jump" type="button" onClick={() => focusRows('callers')}>
            {grouped(counts.callers - guessedIn)}
          </button>{' '}
          {guessedIn === 0 ? null : <span class="faint">{certainty.andGuessed(guessedIn)}</span>}
          {counts.hub ? (
            <span class="tag" title={text.hubTitle}>
              {text.hub}
            </span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>{isCalled ? text.calls : text.uses}</dt>
        <dd>
          {grouped(counts.callees - guessedOut)}{' '}
          {guessedOut === 0 ? null : <span class="faint">{certainty.andGuessed(guessedOut)}</span>}
        </dd>
      </div>
      {typesUsed.length === 0 ? null : (
        <div class="types">
          <dt>{text.types}</dt>
          <dd class="small">
            {typesUsed.slice(0, typesMax).map((relation) => (
              <SymbolLink
                key={relation.node.id}
                node={relation.node}
                dir="down"
                class="link"
                title={`${relation.node.file}:${relation.node.line}`}
                isRow={false}
              />
            ))}
            {typesUsed.length > typesMax ? (
              <span class="faint">{text.moreTypes(typesUsed.length - typesMax)}</span>
            ) : null}
          </dd>
        </div>
      )}
      <div>
        <dt>{text.tests}</dt>
        <dd>
          {tests.reached ? (
            <>
              {tests.hops === 1 ? text.testsDirect : text.testsHops(tests.hops ?? tests.hopsSearched)}
              {words.value.comma}
              <span class="faint" title={tests.files.join('\n')}>
                {text.testsFiles(tests.fileCount)}
              </span>
            </>
          ) : (
            <>
              {text.testsNone}{' '}
              <span class="faint">{tests.exhaustive ? text.testsWithin(tests.hopsSearched) : text.testsBounded}</span>
            </>
          )}
        </dd>
      </div>
      {blast === null ? null : (
        <div class="bl" title={text.blastTitle(blast.direct, blast.withinHops, most)}>
          <dt>{text.reaches}</dt>
          <dd>
            {grouped(blast.withinHops)}{' '}
            <span class="faint">
              {text.reachesText(blast.hops, blast.files, blast.routes)}
              {blast.uncertain === 0 ? '' : `, ${certainty.andGuessed(blast.uncertain)}`}
            </span>
            <Meter part={blast.withinHops} within={blast.direct} of={most} />
          </dd>
        </div>
      )}
    </dl>
  )
}

export function SymbolHead({ answer, scale }: { answer: NodeAnswer; scale: StatsAnswer['blastScale'] | undefined }) {
  const text = symbolWords.value
  const { node, ancestors } = answer
  const parents = ancestors.filter((one) => one.kind !== 'file')
  const facts = [
    node.abstract === true ? text.abstract : '',
    node.static === true ? text.static : '',
    node.async === true ? text.async : '',
    node.visibility ?? '',
    words.value.kinds[node.kind],
    node.exported === true ? text.exported : '',
    node.test ? words.value.test : '',
    node.generated === true ? words.value.generated : '',
  ].filter((word) => word !== '')
  return (
    <header class="symh">
      <div class="symt">
        <h1 class="mono">{node.name}</h1>
        <span class="muted">{facts.join(words.value.comma)}</span>
        <DriftMark file={node.file} isDrifted={answer.drift} />
      </div>
      <p class="mono small where">
        {parents.map((parent) => (
          <span key={parent.id}>
            <a class="link" href={linkTo(parent.id, 'up')}>
              {parent.name}
            </a>{' '}
            <span class="faint">{text.within}</span>{' '}
          </span>
        ))}
        <a class="link" href={href('file', node.file, { line: node.line })}>
          {node.file}
        </a>
        <span class="faint">
          :{node.line}–{node.endLine}, {text.lines(node.lines)}
        </span>
      </p>
      {node.decorators === undefined ? null : <p class="mono small faint">{node.decorators.join(' ')}</p>}
      {node.docstring === undefined ? null : <p class="doc">{node.docstring}</p>}
      <Facts answer={answer} scale={scale} />
    </header>
  )
}
