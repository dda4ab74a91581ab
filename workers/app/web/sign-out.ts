import { fetchState, signOut } from './api/account.ts'
import { goTo } from './router.ts'
import { consoleState } from './session.ts'

export async function leave(): Promise<void> {
  await signOut()
  const state = await fetchState()
  if (state.ok) consoleState.value = state.value
  goTo('#/sign-in')
}
