import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import './pages.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { type ApiFailure, fetchState } from './api-client.ts'
import { signInHash } from './model/hash-route.ts'
import { DownloadersPage } from './pages/downloaders.tsx'
import { LogPage } from './pages/log.tsx'
import { SetUpPage } from './pages/set-up.tsx'
import { SettingsPage } from './pages/settings.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { TorrentsPage } from './pages/torrents.tsx'
import { WelcomePage } from './pages/welcome.tsx'
import { Bones } from './parts/list-states.tsx'
import { FailureNote } from './parts/note.tsx'
import { goTo, route } from './router.ts'
import { consoleState } from './session.ts'
import { words } from './words/words.ts'

function Start() {
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function ask(): Promise<void> {
    const answer = await fetchState()
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) consoleState.value = answer.value
  }
  useEffect(() => {
    void ask()
  }, [])
  return (
    <main id="main" class="sign-in">
      <h1 class="vh">Wharf</h1>
      {failure.value === undefined ? (
        <Bones rows={3} />
      ) : (
        <FailureNote lead={words.value.common.loadFailed} failure={failure.value} retry={() => void ask()} />
      )}
    </main>
  )
}

/** Where the address leads is decided by what the server knows: without a password only set-up, without a session only sign-in. */
function Console() {
  const state = consoleState.value
  const here = route.value
  const known = state !== undefined
  const signedIn = state?.signed_in === true
  const toSetup = known && !signedIn && state?.set_up === false && here.name !== 'setup'
  const toSignIn = known && !signedIn && !toSetup && here.name !== 'setup' && here.name !== 'sign-in'
  const toInside = signedIn && here.name === 'sign-in'
  useEffect(() => {
    if (toSetup) goTo('#/setup')
    else if (toSignIn) goTo(signInHash(location.hash))
    else if (toInside) goTo((here.name === 'sign-in' ? here.back : undefined) ?? '#/torrents')
  }, [toSetup, toSignIn, toInside, here])
  if (!known) return <Start />
  if (toSetup || toSignIn || toInside) return null
  switch (here.name) {
    case 'setup':
      return <SetUpPage />
    case 'sign-in':
      return <SignInPage back={here.back} />
    case 'welcome':
      return <WelcomePage />
    case 'torrents':
      return <TorrentsPage search={here.query} />
    case 'downloaders':
      return <DownloadersPage form={here.form} />
    case 'tokens':
      return <TokensPage />
    case 'log':
      return <LogPage query={here.query} />
    case 'settings':
      return <SettingsPage />
  }
}

const root = document.getElementById('root')
if (root !== null) render(<Console />, root)
