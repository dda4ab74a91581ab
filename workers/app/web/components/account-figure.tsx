/** A figure of an account: a dash where the site does not tell it, and a mark where it is not to be believed. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireSiteUser } from '../../contract/sites.ts'
import { words } from '../locales/words.ts'
import { changeOf, doubtOf, type FigureName, isTold, type TodayChange } from '../model/account-figures.ts'
import { changeAmount } from '../model/amounts.ts'
import { Figure } from './figure.tsx'

export function AccountFigure({
  user,
  name,
  children,
}: {
  user: WireSiteUser | undefined
  name: FigureName
  children: (user: WireSiteUser) => ComponentChildren
}) {
  const text = words.value.sites
  if (user === undefined || !isTold(user, name))
    return (
      <span class="faint" title={user === undefined ? undefined : text.notTold}>
        —
      </span>
    )
  const doubt = doubtOf(user, name)
  if (doubt === undefined) return <>{children(user)}</>
  const why = text.doubts[doubt]
  return (
    <span class="faint nowrap" title={why}>
      {children(user)}
      <Icon name="m-guess" />
      <span class="vh">{why}</span>
    </span>
  )
}

/** What was uploaded since the day before. */
export function UploadedToday({ today }: { today: TodayChange | undefined }) {
  const bytes = changeOf(today, 'uploaded')
  return bytes === undefined ? <>—</> : <Figure amount={changeAmount(bytes)} />
}
