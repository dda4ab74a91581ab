/** Where to start reading: routes, hubs, files that run something, saved trails, and what was read last. */

import { Icon } from '#shared/pages/icon.tsx'
import type { EntryPointsAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { type LiveAnswer, useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { Meter } from '../components/meter.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { hopMarks, trailChanges } from '../components/trail-state.ts'
import { grouped } from '../locales/numbers.ts'
import { homeWords, trailsWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { forgetRecent, recentOf } from '../recent.ts'

interface BarRow {
  readonly id: string
  readonly name: string
  readonly file: string
  readonly value: number
  readonly note?: string
}

function Bars({ title, counts, rows }: { title: string; counts: string; rows: readonly BarRow[] }) {
  if (rows.length === 0) return null
  const most = Math.max(...rows.map((row) => row.value))
  return (
    <>
      <h3 class="kh">
        {title} <span class="faint">{counts}</span>
      </h3>
      <ul class="res bars">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={linkTo(row.id)} title={row.file} data-row>
              <span class="who">
                <span class="mono cut">{row.name}</span>
                {row.name === row.file ? null : <Place file={row.file} />}
              </span>
              <Meter part={row.value} of={most} />
              <span class="num" title={row.note}>
                {grouped(row.value)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

const rowsMax = 6

function Starts({ answer }: { answer: EntryPointsAnswer }) {
  const text = homeWords.value
  const { routes, hubs, files, tests } = answer
  if (routes.items.length + hubs.items.length + files.items.length + tests.items.length === 0)
    return <p class="empty">{text.nothing}</p>
  return (
    <div data-rows="start">
      {routes.items.length === 0 ? null : (
        <>
          <h3 class="kh">
            {text.routes} <span class="faint">{text.routesIn(routes.routeCount)}</span>
          </h3>
          <ul class="res">
            {routes.items.slice(0, rowsMax).map((route) => (
              <li key={route.routeId}>
                <a href={linkTo(route.handlerId ?? route.routeId)} data-row>
                  <span class="vb">{route.method ?? ''}</span>
                  <span class="mono cut">{route.path}</span>
                  <span class="faint small mono cut end">{route.handler}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <Bars
        title={text.hubs}
        counts={text.hubsCount}
        rows={hubs.items.slice(0, rowsMax).map(({ id, name, file, dependents, uncertain }) => ({
          id,
          name,
          file,
          value: dependents,
          ...(uncertain === 0 ? {} : { note: text.hubGuessed(uncertain) }),
        }))}
      />
      <Bars
        title={text.runs}
        counts={text.runsCount}
        rows={files.items
          .slice(0, rowsMax)
          .toSorted((a, b) => b.calls - a.calls)
          .map(({ id, file, calls }) => ({ id, name: file, file, value: calls }))}
      />
      <Bars
        title={text.tests}
        counts={text.testsCount}
        rows={tests.items.slice(0, rowsMax).map(({ id, file, reaches }) => ({ id, name: file, file, value: reaches }))}
      />
    </div>
  )
}

export function WhereToStart({ answer }: { answer: LiveAnswer<EntryPointsAnswer> }) {
  const text = homeWords.value
  return (
    <section class="sec">
      <SectionHead
        title={text.start}
        end={
          <a class="link" href={href('entries')}>
            {text.allEntries}
          </a>
        }
      />
      <Answered of={answer} skeletonRows={12}>
        {(data) => <Starts answer={data} />}
      </Answered>
    </section>
  )
}

export function ReadLast({ root }: { root: string | undefined }) {
  const text = homeWords.value
  const rows = recentOf(root).slice(0, 8)
  if (rows.length === 0 || root === undefined) return null
  return (
    <section class="sec">
      <SectionHead
        title={text.recent}
        end={
          <button class="link-button" type="button" onClick={() => forgetRecent(root)}>
            {text.forget}
          </button>
        }
      />
      <ul class="res" data-rows="recent">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={linkTo(row.id)} data-row>
              <KindWord kind={row.kind} />
              <span class="mono cut">{row.qualifiedName}</span>
              <Place file={row.file} line={row.line} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function SavedTrails() {
  const text = homeWords.value
  const { hops, intact } = trailsWords.value
  const answer = useAnswer(api.trails())
  return (
    <section class="sec">
      <SectionHead
        title={text.saved}
        count={answer.reading.value.data?.trails.length ?? ''}
        end={
          <a class="link" href={href('trails')}>
            {text.allTrails}
          </a>
        }
      />
      <Answered of={answer} skeletonRows={3}>
        {({ trails }) =>
          trails.length === 0 ? (
            <p class="empty">{text.noTrails}</p>
          ) : (
            <ul class="rows tap" data-rows="trails">
              {trails.slice(0, rowsMax).map((trail) => (
                <li key={trail.id}>
                  <a class="grow" href={href('trails', trail.id)} data-row>
                    <span class="t cut">{trail.name}</span>
                    <span class="s cut">
                      {[hops(trail.hops.length), trailChanges(trail) || intact].join(words.value.comma)}
                    </span>
                  </a>
                  <span class="hops" aria-hidden="true">
                    {trail.hops.slice(0, 12).map((hop, at) => (
                      <span key={at} class={hopMarks[hop.status].tone}>
                        <Icon name={hopMarks[hop.status].icon} small />
                      </span>
                    ))}
                  </span>
                  <span class="faint small wide-only">{trail.author}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </section>
  )
}
