/** The cards of a path down its spine, and the place where it stops. */
import { Fragment } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import { Certainty } from '../components/certainty.tsx'
import { CodeText } from '../components/code-text.tsx'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { flowWords, words } from '../locales/words.ts'
import { calleeColumn, type Flow, type Hop, hitLine, linkWords, type Stop, stopWords } from './flow-story.ts'

function Window({ flow, at }: { flow: Flow; at: number }) {
  const hop = flow.hops[at]
  const source = hop?.source
  if (hop === undefined || source === undefined || source === null) return null
  if (source.lines === undefined) return <p class="win-none dashed muted">{words.value.code.hidden}</p>
  const hit = hitLine(flow, at)
  const call = hop.callRef
  const isGuess = flow.hops[at + 1]?.edge?.uncertain === true
  return (
    <div class="code win">
      {source.lines.map((text, n) => {
        const line = source.from + n
        const tokens = source.highlight?.lines[n]
        const column =
          line === hit && call !== null && !call.backwards ? calleeColumn(tokens, call.name, call.col) : undefined
        const links =
          column === undefined || call === null
            ? undefined
            : new Map([[column, { href: linkTo(call.targetId), isGuess, title: call.name }]])
        return (
          <div key={line} class={`ln${line === hit ? ' hit' : ''}`}>
            <span class="no">{line}</span>
            <code>
              <CodeText tokens={tokens} text={text} links={links} />
            </code>
          </div>
        )
      })}
    </div>
  )
}

function Link({ hop }: { hop: Hop }) {
  const { text, isKnown } = linkWords(hop)
  return (
    <li class={`lk${isKnown ? '' : ' g'}`}>
      <span class="small">
        {text} <Certainty confidence={hop.edge?.confidence} resolvedBy={hop.edge?.resolvedBy} />
      </span>
    </li>
  )
}

function StopCard({ stop }: { stop: Stop }) {
  const text = flowWords.value
  return (
    <article class="stopbox">
      <header>
        <h2>{text.stop}</h2>
        {stop.sites[0] === undefined ? null : <span class="tag guess">{text.forms[stop.sites[0].form]}</span>}
        <a class="end small mono" href={linkTo(stop.node.id, undefined, stop.sites[0]?.line)} data-row>
          {stop.node.name}
        </a>
      </header>
      {stop.sites.length === 0 ? <p>{text.stopNoSite}</p> : null}
      {stop.sites.map((site) => (
        <div key={site.line} class="site">
          <p>
            {text.picks(site.line)} <code class="snippet">{site.snippet}</code>{' '}
            {site.key === null ? text.noKey : site.candidates.length === 0 ? text.noTarget(site.key) : ''}
          </p>
          {site.candidates.length === 0 ? null : (
            <>
              <h3>{text.couldBe(site.candidates.length)}</h3>
              <ul class="res cands">
                {site.candidates.map(({ node, display, named }) => (
                  <li key={node.id}>
                    <a href={linkTo(node.id)} data-row>
                      <span class="mono cut gname">{display}</span>
                      {named ? <span class="tag acc">{text.namedIt}</span> : null}
                      <Place file={node.file} line={node.line} />
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
          {site.moreSites === 0 ? null : <p class="faint small">{text.moreSites(site.moreSites)}</p>}
        </div>
      ))}
      {stop.missed.length === 0 ? null : (
        <>
          <h3>{text.missed}</h3>
          <ul class="res">
            {stop.missed.map((node) => (
              <li key={node.id}>
                <a href={linkTo(node.id)} data-row>
                  <KindWord kind={node.kind} />
                  <span class="mono cut">{node.qualifiedName}</span>
                  <Place file={node.file} line={node.line} />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </article>
  )
}

export function FlowCards({ flow }: { flow: Flow }) {
  const last = flow.hops.length - 1
  return (
    <ol class="hops-l" data-rows="hops">
      {flow.hops.map((hop, at) => (
        <Fragment key={`${at} ${hop.node.id}`}>
          {at === 0 ? null : <Link hop={hop} />}
          <li class={`hop${at === last && flow.boundary === null ? ' last' : ''}`} id={`hop-${at + 1}`}>
            <span class="hn num" aria-hidden="true">
              {at + 1}
            </span>
            <article class="panel">
              <header>
                <h2 class="nm cut">
                  <a class="mono" href={linkTo(hop.node.id)} data-row>
                    {hop.node.qualifiedName}
                  </a>
                </h2>
                <span class="faint small">{words.value.kinds[hop.node.kind]}</span>
                {hop.node.test ? <span class="tag">{words.value.test}</span> : null}
                <Place file={hop.node.file} line={hop.node.line} />
              </header>
              <Window flow={flow} at={at} />
            </article>
          </li>
        </Fragment>
      ))}
      {flow.boundary === null ? null : (
        <>
          <li class="lk g">
            <span class="small">{stopWords(flow.boundary).text}</span>
          </li>
          <li class="hop stop" id="stop">
            <span class="hn">
              <Icon name="m-guess" />
            </span>
            <StopCard stop={flow.boundary} />
          </li>
        </>
      )}
    </ol>
  )
}
