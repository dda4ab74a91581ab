/** How right the links are, as far as a compiler has said; where none has, nothing is claimed. */
import './lists.css'
import './accuracy.css'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { AccuracyAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { Place } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { accuracyWords } from '../locales/words.ts'
import { href } from '../model/address.ts'
import { languageNames } from './file.tsx'

type Counts = AccuracyAnswer['all']

/** Rounded down: what is not quite all is not said to be. */
function percent(part: number, all: number): string {
  return (Math.floor((part / all) * 1000) / 10).toFixed(1)
}

function Share(props: { title: string; part: number; of: number; note: string }) {
  const text = accuracyWords.value
  return (
    <div class="fig">
      <dt>{props.title}</dt>
      <dd class="v">
        {props.of === 0 ? (
          <span class="faint">{text.notKnown}</span>
        ) : (
          <>
            {percent(props.part, props.of)} <span class="unit">%</span>
          </>
        )}
      </dd>
      <dd class="d">{props.note}</dd>
    </div>
  )
}

function Figures({ certain, possible, sites, found }: Counts) {
  const text = accuracyWords.value
  const [from, to] =
    certain.likely === null ? ['', ''] : [percent(certain.likely.from, 1), percent(certain.likely.to, 1)]
  return (
    <dl class="figures">
      <Share
        title={text.right}
        part={certain.right}
        of={certain.judged}
        note={text.rightNote(certain.right, certain.judged, from, to)}
      />
      <Share title={text.recall} part={found} of={sites} note={text.recallNote(found, sites)} />
      <Share
        title={text.judged}
        part={certain.judged}
        of={certain.edges}
        note={text.judgedNote(certain.judged, certain.edges)}
      />
      <Share
        title={text.possible}
        part={possible.right}
        of={possible.judged}
        note={text.possibleNote(possible.right, possible.judged, possible.edges)}
      />
    </dl>
  )
}

function Row({ name, counts }: { name: string; counts: Counts }) {
  const text = accuracyWords.value
  const { certain, files, judgedFiles, sites, found } = counts
  const share = (part: number, all: number) =>
    all === 0 ? <span class="faint">{text.notKnown}</span> : `${percent(part, all)} %`
  return (
    <tr>
      <th scope="row" class="name">
        {name}
      </th>
      <td class="num" data-l={text.files}>
        {text.of(judgedFiles, files)}
      </td>
      <td class="num" data-l={text.links}>
        {grouped(certain.edges)}
      </td>
      <td class="num" data-l={text.judged}>
        {share(certain.judged, certain.edges)}
      </td>
      <td class="num" data-l={text.right}>
        {share(certain.right, certain.judged)}
      </td>
      <td class="num" data-l={text.wrongCount}>
        {grouped(certain.judged - certain.right)}
      </td>
      <td class="num" data-l={text.recall}>
        {share(found, sites)}
      </td>
    </tr>
  )
}

function ByLanguage({ answer }: { answer: AccuracyAnswer }) {
  const text = accuracyWords.value
  return (
    <section class="sec">
      <SectionHead title={text.byLanguage} end={text.tools(answer.tools.map((one) => one.name).join(', '))} />
      <table class="shares" data-rows="languages">
        <thead>
          <tr>
            <th scope="col">{text.language}</th>
            {[text.files, text.links, text.judged, text.right, text.wrongCount, text.recall].map((one) => (
              <th key={one} scope="col" class="num">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.languages.map(({ language, ...counts }) => (
            <Row key={language} name={languageNames[language] ?? language} counts={counts} />
          ))}
        </tbody>
        <tfoot>
          <Row name={text.all} counts={answer.all} />
        </tfoot>
      </table>
    </section>
  )
}

function NotJudged({ check }: Pick<AccuracyAnswer, 'check'>) {
  const text = accuracyWords.value
  if (check === null) return null
  const { notJudged, judged, files, tool } = check
  return (
    <section class="sec" data-rows="not-judged">
      <SectionHead
        title={text.notJudged}
        count={text.shown(notJudged.shown, notJudged.total)}
        end={text.checked(judged, files, tool)}
      />
      {notJudged.total === 0 ? <p class="muted pad">{text.notJudgedNone}</p> : null}
      <ul class="res">
        {notJudged.items.map(({ file, reason }) => (
          <li key={file}>
            <a href={href('file', file)} data-row>
              <span class="mono cut">{text.notJudgedReasons[reason]}</span>
              <Place file={file} line={1} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Contradicted({ wrong, missed }: AccuracyAnswer) {
  const text = accuracyWords.value
  return (
    <div class="cols">
      <section class="sec" data-rows="wrong">
        <SectionHead title={text.wrong} count={text.shown(wrong.shown, wrong.total)} />
        {wrong.total === 0 ? <p class="muted pad">{text.wrongNone}</p> : null}
        <ul class="res">
          {wrong.items.map(({ source, target, line, certain }) => (
            <li key={`${source.id} ${target.id} ${line}`}>
              <a href={href('file', source.file, { line })} data-row>
                <span class="mono cut" title={`${target.file}:${target.line}`}>
                  {source.name} → {target.name}
                </span>
                <span class={`tag ${certain ? '' : 'guess'}`}>{certain ? text.certain : text.guessed}</span>
                <Place file={source.file} line={line} />
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="sec" data-rows="missed">
        <SectionHead title={text.missed} count={text.shown(missed.shown, missed.total)} />
        {missed.total === 0 ? <p class="muted pad">{text.missedNone}</p> : null}
        <ul class="res">
          {missed.items.map(({ file, line, target }) => (
            <li key={`${file} ${line} ${target}`}>
              <a href={href('file', file, { line })} data-row>
                <span class="mono cut">{target.slice(target.indexOf('#') + 1)}</span>
                <Place file={file} line={line} />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

export function AccuracyView() {
  const text = accuracyWords.value
  const answer = useAnswer(api.accuracy())
  return (
    <ListingPage text={text}>
      <Answered of={answer} skeletonRows={10}>
        {(data) =>
          data.all.judgedFiles === 0 ? (
            <>
              {data.changedFiles === 0 ? null : (
                <Note incomplete role="status">
                  {text.changed(data.changedFiles)}
                </Note>
              )}
              {data.checking ? (
                <Empty title={text.checking} />
              ) : (
                <Empty title={text.noneTitle} body={text.noneBody(data.all.certain.edges)} />
              )}
              <NotJudged check={data.check} />
            </>
          ) : (
            <>
              <Figures {...data.all} />
              {data.changedFiles === 0 ? null : (
                <Note incomplete role="status">
                  {text.changed(data.changedFiles)}
                </Note>
              )}
              {data.checking ? <Note role="status">{text.checking}</Note> : null}
              <ByLanguage answer={data} />
              <Contradicted {...data} />
              <NotJudged check={data.check} />
            </>
          )
        }
      </Answered>
    </ListingPage>
  )
}
