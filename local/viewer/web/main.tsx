import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import './styles/frame.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { whenIdle } from './idle.ts'
import { listenForKeys } from './keys.ts'
import { followServer } from './live.ts'
import { Shell } from './parts/shell.tsx'
import { Bones, FailureNote } from './parts/states.tsx'
import { applyPreferences, language } from './preferences.ts'
import { followAddress, route } from './router.ts'
import { loadedView, loadViews } from './views/registry.ts'
import { speak } from './words/words.ts'

function CurrentView() {
  const here = route.value
  /** Whether the views came or failed to come; what is shown follows from it. */
  const outcome = useSignal<'waiting' | 'there' | 'failed'>('waiting')
  const View = loadedView(here.view)
  const isMissing = View === undefined
  const load = (): void => {
    outcome.value = 'waiting'
    loadViews().then(
      () => (outcome.value = 'there'),
      () => (outcome.value = 'failed'),
    )
  }
  useEffect(() => {
    if (isMissing) load()
  }, [isMissing])
  if (View !== undefined) return <View route={here} />
  return (
    <div class="page">
      {outcome.value === 'failed' ? (
        <FailureNote failure={{ code: 'offline', status: 0, message: '', hint: '' }} retry={load} />
      ) : (
        <Bones rows={8} />
      )}
    </div>
  )
}

function Viewer() {
  return (
    <Shell>
      <CurrentView />
    </Shell>
  )
}

function draw(root: HTMLElement): void {
  root.replaceChildren()
  render(<Viewer />, root)
}

// Words and view are asked for before anything is drawn, so that they come together.
const spoken = speak(language.peek())
if (loadedView(route.value.view) === undefined) void loadViews().catch(() => undefined)
applyPreferences()
followAddress()
listenForKeys()
const root = document.getElementById('root')
if (root !== null)
  spoken.then(
    () => draw(root),
    () => root.append('The viewer did not answer. Reload this page. 查看器没有响应，请重新加载此页面。'),
  )
followServer()

// The other views, when the first one has its data: the next click then waits for nothing else.
whenIdle(() => void loadViews().catch(() => undefined), 3000)
