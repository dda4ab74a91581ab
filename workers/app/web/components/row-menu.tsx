/** What can be done with a row, where it was asked for: by the other button of the mouse, or by the key for it. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from '#shared/pages/icon.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon: IconName
  readonly isDanger?: boolean
  readonly act: () => void
}

export interface MenuPlace {
  readonly x: number
  readonly y: number
}

const fromEdge = 8

export function RowMenu(props: { label: string; place: MenuPlace; items: readonly MenuItem[]; onClose: () => void }) {
  const menu = useRef<HTMLDivElement>(null)
  const latest = useRef(props.onClose)
  latest.current = props.onClose
  useLayoutEffect(() => {
    const here = menu.current
    if (here === null) return
    const { width, height } = here.getBoundingClientRect()
    here.style.left = `${Math.max(fromEdge, Math.min(props.place.x, window.innerWidth - width - fromEdge))}px`
    here.style.top = `${Math.max(fromEdge, Math.min(props.place.y, window.innerHeight - height - fromEdge))}px`
  }, [props.place])
  useEffect(() => {
    const before = document.activeElement
    menu.current?.querySelector('button')?.focus()
    const onDown = (event: Event) => {
      if (!(event.target instanceof Node) || !menu.current?.contains(event.target)) latest.current()
    }
    const onScroll = () => latest.current()
    document.addEventListener('pointerdown', onDown, true)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      document.removeEventListener('pointerdown', onDown, true)
      removeEventListener('scroll', onScroll)
      if (before instanceof HTMLElement && document.querySelector('dialog[open]') === null)
        before.focus({ preventScroll: true })
    }
  }, [])
  function onKeyDown(event: KeyboardEvent): void {
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (to !== undefined) buttons.at(to % buttons.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') props.onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" role="menu" tabIndex={-1} aria-label={props.label} ref={menu} onKeyDown={onKeyDown}>
      {props.items.map(({ label, icon, isDanger, act }) => (
        <button
          key={label}
          class={isDanger ? 'danger' : undefined}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            props.onClose()
            act()
          }}
        >
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </div>
  )
}
