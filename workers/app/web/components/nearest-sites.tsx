import { words } from '../locales/words.ts'
import { bytesAmount, grouped, ratioText } from '../model/amounts.ts'
import { everySite, type SiteRow, siteHash, siteLabel } from '../model/site-board.ts'
import { AccountFigure, UploadedToday } from './account-figure.tsx'
import { Figure } from './figure.tsx'
import { LoginGauge, SignInState } from './site-parts.tsx'

/** The sites nearest to the end of their account. */
export function NearestSites({ rows, total }: { rows: readonly SiteRow[]; total: number }) {
  const text = words.value.overview
  const columns = words.value.sites.columns
  return (
    <section class="sec">
      <header>
        <h2>{words.value.screens.sites}</h2>
        <span class="n">{text.someOf(grouped(rows.length), grouped(total))}</span>
        <span class="end">
          <a class="link" href={siteHash(everySite)}>
            {text.allSites}
          </a>
        </span>
      </header>
      <table class="fold sites">
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col" class="num">
              {columns.ratio}
            </th>
            <th scope="col" class="num mid">
              {columns.uploaded}
            </th>
            <th scope="col" class="num">
              {columns.today}
            </th>
            <th scope="col" class="num mid">
              {columns.seeding}
            </th>
            <th scope="col">{columns.days}</th>
            <th scope="col">{columns.signIn}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ settings, live, today }) => (
            <tr key={settings.id}>
              <td class="name">
                <a class="cut row-open" href={`#/sites/${settings.id}`}>
                  <b>{siteLabel(settings)}</b> <span class="faint small">{live?.user?.level ?? ''}</span>
                </a>
              </td>
              <td class="num ra" data-word={words.value.sites.columns.ratio}>
                <AccountFigure user={live?.user} name="ratio">
                  {({ ratio }) => ratioText(ratio)}
                </AccountFigure>
              </td>
              <td class="num wide-only mid">
                <AccountFigure user={live?.user} name="uploaded">
                  {({ uploaded }) => <Figure amount={bytesAmount(uploaded)} />}
                </AccountFigure>
              </td>
              <td class="num">
                <UploadedToday today={today} />
              </td>
              <td class="num wide-only mid">
                <AccountFigure user={live?.user} name="seeding">
                  {({ seeding }) => grouped(seeding)}
                </AccountFigure>
              </td>
              <td>
                {live === undefined ? null : <LoginGauge tier={live.login.tier} days={live.login.days_remaining} />}
              </td>
              <td class="at">{live === undefined ? null : <SignInState attendance={live.attendance} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
