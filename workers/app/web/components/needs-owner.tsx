/** What waits for the owner, the gravest first. */
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import type { Matter } from '../model/attention.ts'
import { isMendedInForm } from '../model/reasons.ts'
import { type SiteRow, siteLabel } from '../model/site-board.ts'
import { Moment } from './figure.tsx'
import { ReasonWords, sentenceGap } from './reason.tsx'
import { daysLeftWords } from './site-parts.tsx'

function MatterRow({ matter, onSignIn, busy }: { matter: Matter; onSignIn: (row: SiteRow) => void; busy: boolean }) {
  const text = words.value.overview
  if (matter.kind === 'downloader') {
    const { downloader } = matter
    return (
      <li>
        <span class="bad">
          <Icon name="m-bad" />
        </span>
        <span class="grow">
          <b class="t">{text.downloaderGone(downloader.name)}</b>
          <span class="s">
            {downloader.reason === undefined ? null : (
              <>
                <ReasonWords reason={downloader.reason} />
                {sentenceGap()}
              </>
            )}
            {text.checkDownloader}
          </span>
        </span>
        <a class="btn" href={`#/downloaders/${downloader.id}`}>
          {words.value.common.edit}
        </a>
      </li>
    )
  }
  const { row } = matter
  const name = siteLabel(row.settings)
  const canSignIn = row.live?.attendance.supported === true
  const inForm = matter.kind !== 'limit' && isMendedInForm(matter.reason)
  return (
    <li>
      <span class={matter.grave ? 'bad' : 'warn'}>
        <Icon name={matter.grave ? 'm-bad' : 'm-warn'} />
      </span>
      <span class="grow">
        <b class="t">
          {matter.kind === 'limit'
            ? text.limitNear(name, daysLeftWords(matter.days))
            : matter.kind === 'job'
              ? text.siteFails(name)
              : text.signInFailed(name)}
        </b>
        <span class="s">
          {matter.kind === 'limit' ? (
            <>
              {row.live?.login.last_active_at === undefined ? null : (
                <>
                  {text.lastActive} <Moment seconds={row.live.login.last_active_at} />
                  {text.stop}
                  {sentenceGap()}
                </>
              )}
              {canSignIn ? text.signInHelps : text.visitHelps}
            </>
          ) : (
            <ReasonWords reason={matter.reason} todo />
          )}
        </span>
      </span>
      {(matter.kind === 'sign-in' || matter.kind === 'limit') && canSignIn && !inForm ? (
        <button
          class="btn"
          type="button"
          disabled={busy}
          aria-label={words.value.sites.signInTo(name)}
          onClick={() => onSignIn(row)}
        >
          {words.value.sites.signInNow}
        </button>
      ) : (
        <a
          class="btn"
          href={`#/sites/${row.settings.id}${inForm ? '/edit' : ''}`}
          aria-label={`${inForm ? text.update : text.open} ${name}`}
        >
          {inForm ? text.update : text.open}
        </a>
      )}
    </li>
  )
}

export function NeedsOwner({
  matters,
  onSignIn,
  busy,
}: {
  matters: readonly Matter[]
  onSignIn: (row: SiteRow) => void
  busy: boolean
}) {
  const text = words.value.overview
  return (
    <section class="sec">
      <header>
        <h2>{text.needsYou}</h2>
        {matters.length === 0 ? null : <span class="n">{grouped(matters.length)}</span>}
      </header>
      {matters.length === 0 ? (
        <p class="muted pad">{text.nothingWaits}</p>
      ) : (
        <ul class="rows needs">
          {matters.map((matter) => (
            <MatterRow
              key={`${matter.kind} ${matter.kind === 'downloader' ? matter.downloader.id : matter.row.settings.id}`}
              matter={matter}
              busy={busy}
              onSignIn={onSignIn}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
