/** On phones: the screens that have no place in the bar at the bottom. */
import { Icon } from '#shared/pages/icon.tsx'
import { beyondTabs, leave, ScreenLinks, Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'

export function MorePage() {
  return (
    <Shell screen="more" title={words.value.screens.more}>
      <nav class="more" aria-label={words.value.screens.more}>
        <ScreenLinks screens={beyondTabs} current="more" />
        <button type="button" onClick={() => void leave()}>
          <Icon name="entry" />
          <span>{words.value.common.signOut}</span>
        </button>
      </nav>
    </Shell>
  )
}
