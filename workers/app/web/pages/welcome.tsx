/** The second step of set-up: the first downloader. */
import { DownloaderForm } from '../components/downloader-form.tsx'
import { SetupFrame } from '../components/setup-frame.tsx'
import { words } from '../locales/words.ts'
import { goTo } from '../router.ts'

export function WelcomePage() {
  const text = words.value
  return (
    <SetupFrame step={2}>
      <h2>{text.downloaders.addTitle}</h2>
      <p class="muted">{text.setup.addLead}</p>
      <DownloaderForm
        stored={undefined}
        first
        submitWords={text.downloaders.saveContinue}
        onSaved={() => goTo('#/torrents')}
        beside={
          <a class="btn quiet" href="#/torrents">
            {text.setup.skip}
          </a>
        }
      />
    </SetupFrame>
  )
}
