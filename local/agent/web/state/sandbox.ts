/** Whether commands run in a sandbox, by folder. Read anew with each look at a session: the configuration may have changed. */
import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { WireSandbox } from '../../contract/sandbox.ts'
import { routes } from '../api/routes.ts'

const known = new Map<string, Signal<WireSandbox | undefined>>()

export function useSandbox(directory: string | undefined): WireSandbox | undefined {
  useEffect(() => {
    if (directory === undefined) return
    void routes.sandbox(directory).then((answer) => {
      if (answer.ok) stateOf(directory).value = answer.value.data
    })
  }, [directory])
  return directory === undefined ? undefined : stateOf(directory).value
}

function stateOf(directory: string): Signal<WireSandbox | undefined> {
  const found = known.get(directory) ?? signal<WireSandbox | undefined>(undefined)
  known.set(directory, found)
  return found
}
