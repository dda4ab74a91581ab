/** What a try read of the account, figure by figure: what each is, where it stands, and what the site does not tell. */
import { Icon } from '#shared/pages/icon.tsx'
import type { WireReadFigure } from '../../contract/site-watch.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, ratioText } from '../model/amounts.ts'
import { Figure } from './figure.tsx'

function Value({ figure, value }: WireReadFigure) {
  if (value === undefined) return <span class="faint">—</span>
  if (typeof value === 'string') return <bdi>{value}</bdi>
  if (figure === 'uploaded' || figure === 'downloaded' || figure === 'seeding_size')
    return <Figure amount={bytesAmount(value)} />
  return <>{figure === 'ratio' ? ratioText(value) : grouped(value)}</>
}

/** Names and values of figures with their places, inside a list of definitions. */
export function FigurePlaces({ figures }: { figures: readonly WireReadFigure[] }) {
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
            <span class="faint">{[one.page, one.row, one.label].filter((part) => part !== undefined).join(' · ')}</span>
          )}{' '}
          {one.doubt === undefined ? null : (
            <span class="warn">
              <Icon name="m-guess" /> {text.sites.doubts[one.doubt]}
            </span>
          )}
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
