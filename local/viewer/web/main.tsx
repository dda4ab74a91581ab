import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import '#shared/pages/code.css'
import '#shared/pages/slim-frame.css'
import './styles/frame.css'
import { render } from 'preact'
import { askAheadOfLinks } from './ahead.ts'
import { askAhead } from './api/use-answer.ts'
import { Shell } from './components/shell.tsx'
import { followKeys } from './keys.ts'
import { followServer } from './live.ts'
import { speak } from './locales/words.ts'
import { applyPreferences, language } from './preferences.ts'
import { followAddress, route } from './router.ts'
import { firstQuestions } from './views/first-questions.ts'
import { views } from './views/registry.ts'

function Viewer() {
  const View = views[route.value.view]
  return (
    <Shell>
      <View route={route.value} />
    </Shell>
  )
}

function draw(root: HTMLElement): void {
  root.replaceChildren()
  render(<Viewer />, root)
}

// Words and data are asked for before anything is drawn, so that they come together.
const spoken = speak(language.peek())
askAhead(firstQuestions(route.value))
applyPreferences()
followAddress()
followKeys()
askAheadOfLinks()
const root = document.getElementById('root')
if (root !== null)
  spoken.then(
    () => draw(root),
    () => root.append('The viewer did not answer. Reload this page. 查看器没有响应，请重新加载此页面。'),
  )
followServer()
