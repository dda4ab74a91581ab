import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import './styles/frame.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { listenForKeys } from './keys.ts'
import { followServer } from './live.ts'
import type { ViewName } from './model/address.ts'
import { Shell } from './parts/shell.tsx'
import { Bones, FailureNote } from './parts/states.tsx'
import { applyPreferences } from './preferences.ts'
import { followAddress, route } from './router.ts'
import { loadAll, loadedView, loadView } from './views/registry.ts'

function CurrentView() {
  const here = route.value
  /** The view whose module came or failed to come last; what is shown follows from it. */
  const settled = useSignal<{ view: ViewName; failed: boolean } | undefined>(undefined)
  const View = loadedView(here.view)
  const isMissing = View === undefined
  const isFailed = settled.value?.view === here.view && settled.value.failed
  const load = (): void => {
    const { view } = here
    loadView(view).then(
      () => (settled.value = { view, failed: false }),
      () => (settled.value = { view, failed: true }),
    )
  }
  useEffect(() => {
    if (isMissing) load()
  }, [here.view, isMissing])
  if (View !== undefined) return <View route={here} />
  return (
    <div class="page">
      {isFailed ? (
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

// Asked for before anything is drawn, so that it comes beside the frame around it.
void loadView(route.value.view).catch(() => undefined)
applyPreferences()
followAddress()
listenForKeys()
const root = document.getElementById('root')
if (root !== null) {
  root.replaceChildren()
  render(<Viewer />, root)
}
followServer()

/** The other views, when the first one has its data: the next click then waits for nothing else. */
function loadLater(): void {
  void loadAll().catch(() => undefined)
}
if (typeof requestIdleCallback === 'function') requestIdleCallback(loadLater, { timeout: 3000 })
else setTimeout(loadLater, 500)
