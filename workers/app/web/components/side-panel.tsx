/** What is said about one of a list: beside it on a wide screen, above it on a narrow one. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { CloseButton } from './close-button.tsx'

const wide = '(min-width: 1181px)'

/** Whether what stands beside a list leaves it in reach. */
export const hasRoomBeside = () => matchMedia(wide).matches

interface PanelProps {
  title: string
  onClose: () => void
  /** Beside the title. */
  tools?: ComponentChildren
  /** What has the focus first; else the panel. */
  first?: string
  children: ComponentChildren
}

/** Not a dialog: the list beside it stays in reach. */
function Aside({ title, tools, first, onClose, children }: PanelProps) {
  const frame = useRef<HTMLElement>(null)
  // Before the paint, so that what had the focus is known.
  useLayoutEffect(() => {
    const before = document.activeElement
    const start = first === undefined ? frame.current : frame.current?.querySelector<HTMLElement>(first)
    start?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <aside
      ref={frame}
      class="panel push"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && first === undefined) onClose()
      }}
    >
      <header>
        <h2>{title}</h2>
        <span class="end btns">
          {tools}
          <button class="btn quiet icon" type="button" aria-label={words.value.common.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </span>
      </header>
      {children}
    </aside>
  )
}

export function SidePanel(props: PanelProps) {
  const isWide = useSignal(hasRoomBeside())
  useEffect(() => {
    const query = matchMedia(wide)
    const follow = () => {
      isWide.value = query.matches
    }
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [isWide])
  if (isWide.value) return <Aside {...props} />
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
      <div class="btns ends-right">
        {props.tools}
        <CloseButton onClose={props.onClose} />
      </div>
    </Dialog>
  )
}
