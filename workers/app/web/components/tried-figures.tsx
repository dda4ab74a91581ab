/** What was read of an account, figure by figure: what each is, where it stands, and what its owner says of it. */
import { Icon } from '#shared/pages/icon.tsx'
import type { FigureWordBody } from '../../contract/console-sites.ts'
import type { WireReadFigure } from '../../contract/site-watch.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, pointsText, ratioText } from '../model/amounts.ts'
import { Figure, Moment } from './figure.tsx'

function Value({ figure, value }: WireReadFigure) {
  if (value === undefined) return <span class="faint">—</span>
  if (typeof value === 'string') return <bdi>{value}</bdi>
  if (figure === 'uploaded' || figure === 'downloaded' || figure === 'seeding_size')
    return <Figure amount={bytesAmount(value)} />
  if (figure === 'bonus_per_hour') return <>{pointsText(value)}</>
  return <>{figure === 'ratio' ? ratioText(value) : grouped(value)}</>
}

export type SayFigure = (word: FigureWordBody) => void

/** A doubtful figure is asked about; of one that its owner spoke of it says so, and what the page says where that is another. */
export function OwnersWord({ of: one, say }: { of: WireReadFigure; say: SayFigure }) {
  const text = words.value.site.doubt
  const { figure, value, before, doubt, said_at, read } = one
  if (typeof value !== 'number') return null
  if (doubt === undefined)
    return said_at === undefined ? null : (
      <>
        {' '}
        {text.said} <Moment seconds={said_at} />
        {read === value ? null : (
          <>
            ; {text.instead} <Value figure={figure} value={read} />
          </>
        )}
      </>
    )
  return (
    <>
      {' '}
      <button class="link-button" type="button" onClick={() => say({ figure, value, is: 'right' })}>
        {text.right}
      </button>
      {before === undefined ? null : (
        <>
          {' '}
          <button class="link-button" type="button" onClick={() => say({ figure, value, is: 'before' })}>
            {text.keep} <Value figure={figure} value={before} />
          </button>
        </>
      )}
    </>
  )
}

/** Readers compare words without regard to capitals; these two letters are never small. */
function placeText({ page, row, label }: WireReadFigure): string {
  const parts = [page, row, label].filter((part) => part !== undefined)
  return parts.map((part) => part.replace(/^h&r/, 'H&R')).join(' · ')
}

/** Names and values of figures with their places, inside a list of definitions. */
export function FigurePlaces({ figures, say }: { figures: readonly WireReadFigure[]; say?: SayFigure }) {
  const text = words.value
  return (
    <>
      {figures.map((one) => [
        <dt key={`${one.figure} name`}>{text.siteForm.figures[one.figure]}</dt>,
        <dd key={one.figure} data-figure={one.figure}>
          <span class="num">
            <Value {...one} />
          </span>{' '}
          {one.value === undefined ? (
            <span class="warn">{text.sites.notTold}</span>
          ) : (
            <span class="faint">{placeText(one)}</span>
          )}{' '}
          {one.doubt === undefined ? null : (
            <span class="warn">
              <Icon name="m-guess" /> {text.sites.doubts[one.doubt]}
            </span>
          )}
          {say === undefined ? null : <OwnersWord of={one} say={say} />}
        </dd>,
      ])}
    </>
  )
}

export function TriedFigures({ username, figures }: { username: string; figures: readonly WireReadFigure[] }) {
  return (
    <li>
      <dl class="kv small">
        <dt>{words.value.site.username}</dt>
        <dd>
          <bdi>{username}</bdi>
        </dd>
        <FigurePlaces figures={figures} />
      </dl>
    </li>
  )
}
