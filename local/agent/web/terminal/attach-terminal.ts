/** One terminal on screen and its socket. */
import { Terminal } from '@xterm/xterm'
import { withOwnStyles } from './own-styles.ts'

export interface Attachment {
  readonly label: string
  /** A new one for each connection; undefined where the server gives none. */
  readonly ticket: () => Promise<string | undefined>
  readonly address: (ticket: string, cursor: number) => string
  readonly resize: (size: { readonly rows: number; readonly cols: number }) => void
  /** It could not be connected again, several times in a row. */
  readonly onLost: () => void
}

/** What is kept to scroll back to. */
const scrollbackLines = 5_000
const triesMax = 5
const firstPauseMs = 300
const encoder = new TextEncoder()

function colours(element: HTMLElement) {
  const style = getComputedStyle(element)
  const of = (name: string): string => style.getPropertyValue(name).trim()
  return {
    background: of('--sunken'),
    foreground: of('--ink'),
    cursor: of('--accent'),
    selectionBackground: of('--selected'),
    black: of('--ink'),
    red: of('--bad'),
    green: of('--good'),
    yellow: of('--warn'),
    blue: of('--accent'),
    magenta: of('--c-keyword'),
    cyan: of('--c-type'),
    white: of('--ink-2'),
  }
}

/** How many letters fit: measured from one, in the face the terminal writes in. */
function sizeIn(place: HTMLElement, terminal: Terminal) {
  const screen = place.querySelector('.xterm-screen')
  if (screen === null || place.clientWidth === 0) return undefined
  const box = screen.getBoundingClientRect()
  const letter = { width: box.width / terminal.cols, height: box.height / terminal.rows }
  if (!(letter.width > 0 && letter.height > 0)) return undefined
  const scrollBarPx = 14
  return {
    cols: Math.max(20, Math.min(500, Math.floor((place.clientWidth - scrollBarPx) / letter.width))),
    rows: Math.max(4, Math.min(200, Math.floor(place.clientHeight / letter.height))),
  }
}

/** Returns what lets go of it; the program goes on. */
export function attachTerminal(place: HTMLElement, attachment: Attachment): () => void {
  const terminal = new Terminal({
    allowProposedApi: false,
    scrollback: scrollbackLines,
    fontFamily: getComputedStyle(place).getPropertyValue('--mono') || 'monospace',
    fontSize: 12,
    theme: colours(place),
    screenReaderMode: true,
  })
  const releaseStyles = withOwnStyles(() => terminal.open(place))
  terminal.textarea?.setAttribute('aria-label', attachment.label)
  let isOver = false
  let socket: WebSocket | undefined
  /** Where what is told next begins, in bytes of the terminal's output. */
  let cursor = 0
  let tries = 0

  function fit(): void {
    const size = sizeIn(place, terminal)
    if (size === undefined || (size.cols === terminal.cols && size.rows === terminal.rows)) return
    terminal.resize(size.cols, size.rows)
    attachment.resize(size)
  }

  async function connect(): Promise<void> {
    const ticket = await attachment.ticket()
    if (isOver) return
    if (ticket === undefined) return again()
    const opened = new WebSocket(attachment.address(ticket, cursor))
    opened.binaryType = 'arraybuffer'
    socket = opened
    opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      tries = 0
      if (typeof data === 'string') {
        cursor += encoder.encode(data).length
        return terminal.write(data)
      }
      const bytes = new Uint8Array(data)
      if (bytes[0] !== 0) {
        cursor += bytes.length
        return terminal.write(bytes)
      }
      // A control frame: the position of what follows.
      const told = JSON.parse(new TextDecoder().decode(bytes.subarray(1))) as { readonly cursor: number }
      cursor = told.cursor
    }
    opened.onclose = ({ code }) => {
      // The program ended, which the list of terminals says.
      if (!isOver && code !== 1000) again()
    }
  }

  function again(): void {
    tries += 1
    if (tries > triesMax) attachment.onLost()
    else setTimeout(() => isOver || void connect(), firstPauseMs * 2 ** tries)
  }

  terminal.onData((text) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text)
  })
  const resizing = new ResizeObserver(fit)
  resizing.observe(place)
  requestAnimationFrame(fit)
  void connect()

  return () => {
    isOver = true
    resizing.disconnect()
    socket?.close()
    terminal.dispose()
    releaseStyles()
  }
}
