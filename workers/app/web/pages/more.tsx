/** On phones: the screens that have no place in the bar at the bottom. */
import { Icon } from '#shared/pages/icon.tsx'
import { openFinder, ScreenLinks, Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { beyondTabs } from '../model/rail.ts'
import { leave } from '../sign-out.ts'

export function MorePage() {
  return (
    <Shell screen="more" title={words.value.screens.more}>
      <nav class="more" aria-label={words.value.screens.more}>
        <button type="button" onClick={openFinder}>
          <Icon name="search" />
          <span>{words.value.common.find}</span>
        </button>
        <ScreenLinks screens={beyondTabs} current="more" />
        <button type="button" onClick={() => void leave()}>
          <Icon name="entry" />
          <span>{words.value.common.signOut}</span>
        </button>
      </nav>
    </Shell>
  )
}
