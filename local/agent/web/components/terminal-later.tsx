import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { Skeleton } from './states.tsx'

/** Most sessions are read without one, and it is larger than the rest of the page: read when it is asked for. */
export function TerminalLater({ directory }: { directory: string }) {
  const loaded = useSignal<FunctionComponent<{ directory: string }> | undefined>(undefined)
  useEffect(() => {
    import('../views/terminal.tsx').then(
      ({ TerminalPanel }) => {
        loaded.value = TerminalPanel
      },
      () => undefined,
    )
  }, [])
  const Loaded = loaded.value
  return Loaded === undefined ? <Skeleton rows={6} /> : <Loaded key={directory} directory={directory} />
}
