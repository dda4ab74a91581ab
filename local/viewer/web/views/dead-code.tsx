/** What nothing reaches, file by file, beside every doubt that speaks against it. */
import '../styles/view-strip.css'
import './lists.css'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { DeadCodeAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { Figure } from '../components/figure.tsx'
import { InPlaceLink } from '../components/in-place-link.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { LongList } from '../components/long-list.tsx'
import { Meter } from '../components/meter.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { DriftMark } from '../components/status.tsx'
import { KindWord, linkTo } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { deadCodeWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { goInPlace } from '../router.ts'
import { furtherKinds, usualKinds } from './dead-code-kinds.ts'

type Flag = 'exported' | 'tests' | 'generated'
const flags: readonly Flag[] = ['exported', 'tests', 'generated']

interface Asked {
  readonly exported: boolean
  readonly tests: boolean
  readonly generated: boolean
  /** Empty for the usual ones. */
  readonly kinds: string
}

function askedOf({ query }: Route): Asked {
  return {
    exported: query.get('exported') === '1',
    tests: query.get('tests') === '1',
    generated: query.get('generated') === '1',
    kinds: query.get('kinds') ?? '',
  }
}

function deadHref(asked: Asked): string {
  const on = (flag: Flag) => (asked[flag] ? '1' : undefined)
  return href('dead', '', {
    exported: on('exported'),
    tests: on('tests'),
    generated: on('generated'),
    kinds: asked.kinds,
  })
}

const everyKind = [...usualKinds, ...furtherKinds].join(',')

function Choices({ asked }: { asked: Asked }) {
  const text = deadCodeWords.value
  const names: Readonly<Record<string, string>> = words.value.kinds
  return (
    <div class="btns dead-ask">
      <span class="small muted">{text.include}</span>
      {flags.map((flag) => (
        <button
          key={flag}
          class="opt"
          type="button"
          aria-pressed={asked[flag]}
          onClick={() => goInPlace(deadHref({ ...asked, [flag]: !asked[flag] }))}
        >
          {text[flag]}
        </button>
      ))}
      <label class="field-inline">
        <span class="small muted">{text.kinds}</span>
        <select
          class="input"
          value={asked.kinds}
          onChange={(event) => goInPlace(deadHref({ ...asked, kinds: event.currentTarget.value }))}
        >
          <option value="">{text.usualKinds}</option>
          <option value={everyKind}>{text.allKinds}</option>
          {[...usualKinds, ...furtherKinds].map((kind) => (
            <option key={kind} value={kind}>
              {text.onlyKind(names[kind] ?? kind)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

type Group = DeadCodeAnswer['groups'][number]

function FileGroup({ group }: { group: Group }) {
  const text = deadCodeWords.value
  return (
    <section class="sec dead-file" key={group.file}>
      <header>
        <h2 class="mono">
          <a href={href('file', group.file)} class="ends-only" title={group.file}>
            <bdi>{group.file}</bdi>
          </a>
        </h2>
        {group.test ? <span class="tag">{words.value.test}</span> : null}
        {group.generated ? <span class="tag">{words.value.generated}</span> : null}
        <DriftMark file={group.file} />
        <span class="end">{text.file(group.rows.length, group.lines)}</span>
      </header>
      <ul class="res dead-rows">
        {group.rows.map((row) => (
          <li key={row.id}>
            <a href={linkTo(row.id)} data-row>
              <KindWord kind={row.kind} />
              <span class="mono cut">{row.qualifiedName}</span>
              {row.members.total === 0 ? null : (
                <span class="faint small nowrap">{text.members(row.members.total)}</span>
              )}
              <span class="end small nowrap">
                <span class="faint">{words.value.code.line(row.line)}</span>{' '}
                <span class="num">{text.lines(row.lines)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Doubts({ answer }: { answer: DeadCodeAnswer }) {
  const text = deadCodeWords.value
  const most = Math.max(1, ...answer.excluded.map((one) => one.count))
  return (
    <aside class="sec open doubts">
      <SectionHead title={text.doubts} count={grouped(answer.excludedTotal)} />
      <p class="faint small pad">{text.doubtsAbout}</p>
      <ul>
        {answer.excluded.map(({ reason, count, label }) => (
          <li key={reason}>
            <span class="doubt">
              <span>{text.reasons[reason] ?? label}</span>
              <span class="num">{grouped(count)}</span>
            </span>
            <Meter part={count} of={most} />
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** An estimate for groups that were not drawn yet: a heading and three rows. */
const groupHeight = 150

function Dead({ answer, asked }: { answer: DeadCodeAnswer; asked: Asked }) {
  const text = deadCodeWords.value
  const { rows } = answer
  const lines = rows.items.reduce((sum, one) => sum + one.lines, 0)
  return (
    <>
      <dl class="figures">
        <Figure title={text.likely} value={rows.total} note={text.likelyNote} />
        <Figure title={text.linesOf} value={lines} note={rows.truncated ? text.linesNote(rows.shown) : text.linesAll} />
        <Figure title={text.doubted} value={answer.excludedTotal} note={text.doubtedNote} />
        <Figure title={text.candidates} value={answer.candidates} note={text.candidatesNote} />
      </dl>
      {answer.bounded || !answer.corroborated || rows.truncated ? (
        <Note incomplete role="status">
          {[
            ...(rows.truncated ? [text.truncated(rows.shown, rows.total)] : []),
            ...(answer.bounded ? [text.bounded] : []),
            ...(answer.corroborated ? [] : [text.uncorroborated]),
          ].join(' ')}
        </Note>
      ) : null}
      <div class="cols dead-cols">
        <div data-rows="dead">
          {rows.total === 0 ? (
            <Empty title={text.noneTitle} body={text.noneBody(answer.candidates)}>
              {asked.exported ? null : (
                <InPlaceLink class="btn" to={deadHref({ ...asked, exported: true })}>
                  {text.noneExported}
                </InPlaceLink>
              )}
            </Empty>
          ) : (
            <LongList items={answer.groups} rowHeight={groupHeight} row={(group) => <FileGroup group={group} />} />
          )}
        </div>
        <Doubts answer={answer} />
      </div>
    </>
  )
}

export function DeadCodeView({ route }: { route: Route }) {
  const text = deadCodeWords.value
  const asked = askedOf(route)
  const on = (flag: Flag): Partial<Record<Flag, '1'>> => (asked[flag] ? { [flag]: '1' } : {})
  const answer = useAnswer(
    api.deadCode({
      ...(asked.kinds === '' ? {} : { kinds: asked.kinds }),
      ...on('exported'),
      ...on('tests'),
      ...on('generated'),
    }),
  )
  return (
    <ListingPage text={text}>
      <Choices asked={asked} />
      <Answered of={answer} skeletonRows={14} keepsOld>
        {(data) => <Dead answer={data} asked={asked} />}
      </Answered>
    </ListingPage>
  )
}
