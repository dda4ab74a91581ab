import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import '#shared/pages/code.css'
import '#shared/pages/slim-frame.css'
import './styles/frame.css'
import './styles/transcript.css'
import './styles/panels.css'
import { render } from 'preact'
import { followKeys } from './keys.ts'
import { speak } from './locales/words.ts'
import { applyPreferences, language } from './preferences.ts'
import { followAddress, route } from './router.ts'
import { followServer } from './state/live.ts'
import { followSessions } from './state/sessions.ts'
import { CatalogView } from './views/catalog.tsx'
import { CleanupView } from './views/cleanup.tsx'
import { FilesView } from './views/files.tsx'
import { HomeView } from './views/home.tsx'
import { MemoryView } from './views/memory.tsx'
import { NewView } from './views/new.tsx'
import { SessionView } from './views/session.tsx'
import { TerminalsView } from './views/terminals.tsx'

function Agent() {
  const now = route.value
  switch (now.view) {
    case 'home':
      return <HomeView search={now.search} />
    case 'new':
      return <NewView />
    case 'files':
      return <FilesView path={now.path} />
    case 'terminals':
      return <TerminalsView />
    case 'catalog':
      return <CatalogView />
    case 'memory':
      return <MemoryView />
    case 'cleanup':
      return <CleanupView />
    case 'session':
      return <SessionView key={now.id} id={now.id} panel={now.panel} />
  }
}

const spoken = speak(language.peek())
applyPreferences()
followAddress()
followKeys()
followSessions()
followServer()
const root = document.getElementById('root')
if (root !== null)
  spoken.then(
    () => {
      root.replaceChildren()
      render(<Agent />, root)
    },
    () => root.append('The agent did not answer. Reload this page. 智能体没有响应，请重新加载此页面。'),
  )
