/** Beside a path: its stations, the other paths, what is certain, and what was not followed. */

import { Icon, type IconName } from '#shared/pages/icon.tsx'
import type { FlowAnswer } from '../../contract/wire.ts'
import { isGuess } from '../components/certainty.tsx'
import { linkTo, Place } from '../components/symbol-link.tsx'
import { branchesOf, certaintyOf, isWhole } from '../layout/flow-path.ts'
import { flowWords } from '../locales/words.ts'
import { href, type QueryParts } from '../model/address.ts'
import { type Flow, hitLine } from './flow-story.ts'

/** The hop is brought into view by hand: the part behind `#` names the view. */
function toHop(id: string): void {
  const hop = document.getElementById(id)
  hop?.scrollIntoView({ block: 'start' })
  hop?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true })
}

export function Spine(props: { paths: readonly Flow[]; flow: Flow; chosen: number; query: QueryParts }) {
  const text = flowWords.value
  const { paths, flow, chosen, query } = props
  const branches = branchesOf(paths, chosen)
  return (
    <nav class="spine" aria-label={text.path}>
      <h2>{text.path}</h2>
      <ol>
        {flow.hops.map((hop, at) => (
          <li key={`${at} ${hop.node.id}`} class={at > 0 && hop.edge?.uncertain !== false ? 'g' : undefined}>
            <button type="button" class="mono cut" onClick={() => toHop(`hop-${at + 1}`)}>
              {hop.node.name}
            </button>
            <span class="faint small">{hitLine(flow, at)}</span>
          </li>
        ))}
        {isWhole(flow) ? null : (
          <li class="end">
            <button type="button" class="muted cut" onClick={() => toHop('stop')}>
              {text.stop}
            </button>
          </li>
        )}
      </ol>
      {branches.length === 0 ? null : (
        <>
          <h2>{text.otherPaths}</h2>
          <ul class="alts">
            {branches.map((branch) => {
              const path = paths[branch.at]
              const from = branch.leaves?.node.name
              const own = branch.through.map((hop) => hop.node.qualifiedName).join(', ')
              return (
                <li key={branch.at}>
                  <a href={href('flow', '', { ...query, path: branch.at === 0 ? undefined : branch.at + 1 })} data-row>
                    <span class="cut mono" title={path?.label}>
                      {own === '' ? path?.label : own}
                    </span>
                    <span class="faint small">
                      {from === undefined ? text.begins : own === '' ? text.direct(from) : text.leaves(from)}
                      {', '}
                      {path === undefined ? '' : text.hops(path.hops.length - 1)}
                    </span>
                  </a>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </nav>
  )
}

function Fact({ icon, title, body }: { icon: IconName; title: string; body: string }) {
  return (
    <li>
      <Icon name={icon} />
      <span class="grow">
        <span class="t">{title}</span>
        <span class="s">{body}</span>
      </span>
    </li>
  )
}

type Reached = NonNullable<Flow['boundary']>['further']

function NotFollowed({ title, about, list }: { title: string; about?: string; list: Reached }) {
  if (list.total === 0) return null
  return (
    <section class="sec">
      <header>
        <h2>{title}</h2>
        <span class="n">{list.truncated ? flowWords.value.shown(list.shown, list.total) : list.total}</span>
      </header>
      {about === undefined ? null : <p class="faint small pad">{about}</p>}
      <ul class="res">
        {list.items.map(({ node, line, confidence }) => (
          <li key={`${node.id} ${line}`}>
            <a href={linkTo(node.id)} data-row>
              <span class="mono cut">{node.name}</span>
              {isGuess(confidence) ? <span class="tag guess">{confidence.toFixed(2)}</span> : null}
              <Place file={node.file} line={node.line} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function FlowSide(props: {
  answer: FlowAnswer
  flow: Flow
  /** The address with another symbol for a name that several symbols have. */
  instead: (token: string, id: string) => string
}) {
  const text = flowWords.value
  const { answer, flow } = props
  const { resolved, guessed, unknown } = certaintyOf(flow.hops)
  const stops = flow.boundary?.sites.length ?? 0
  const site = flow.boundary?.sites[0]
  return (
    <aside class="stack fside">
      <section class={`sec${guessed + unknown + stops > 0 ? ' open' : ''}`}>
        <header>
          <h2>{text.certainty}</h2>
        </header>
        <ul class="rows cert">
          {resolved > 0 ? <Fact icon="m-on" title={text.resolved(resolved)} body={text.resolvedBy} /> : null}
          {guessed > 0 ? <Fact icon="m-guess" title={text.guessed(guessed)} body={text.guessedBy} /> : null}
          {unknown > 0 ? <Fact icon="m-off" title={text.unknown(unknown)} body={text.unknownBy} /> : null}
          {site === undefined ? null : (
            <Fact icon="m-off" title={text.uncrossed(stops)} body={text.stopAt(text.forms[site.form], site.line)} />
          )}
        </ul>
      </section>
      {answer.ambiguous.length === 0 ? null : (
        <section class="sec">
          <header>
            <h2>{text.ambiguous}</h2>
          </header>
          <ul class="rows cert">
            {answer.ambiguous.map(({ token, chosen, others }) => (
              <li key={token}>
                <span class="grow">
                  <span class="t">{text.several(token, others.length + (chosen === null ? 0 : 1))}</span>
                  <span class="s">
                    {chosen === null ? (
                      text.none
                    ) : (
                      <>
                        {text.uses} <span class="mono">{chosen.qualifiedName}</span>
                      </>
                    )}
                  </span>
                  <details>
                    <summary>{text.change}</summary>
                    <ul class="res">
                      {others.map((node) => (
                        <li key={node.id}>
                          <a href={props.instead(token, node.id)} data-row>
                            <span class="mono cut">{node.qualifiedName}</span>
                            <Place file={node.file} line={node.line} />
                          </a>
                        </li>
                      ))}
                    </ul>
                  </details>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {flow.boundary === null ? null : (
        <>
          <NotFollowed title={text.notFollowed} about={text.notFollowedAbout} list={flow.boundary.further} />
          <NotFollowed title={text.guessesNotFollowed} list={flow.boundary.uncertain} />
        </>
      )}
    </aside>
  )
}
