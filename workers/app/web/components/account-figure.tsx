/** A figure of an account: a dash where the site does not tell it, and a mark where it is not to be believed. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireSiteUser } from '../../contract/sites.ts'
import { words } from '../locales/words.ts'
import { doubtOf, type FigureName, isTold } from '../model/account-figures.ts'

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
