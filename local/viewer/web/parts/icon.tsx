import icons from '#shared/pages/icons.svg?url'

export type IconName =
  | 'mark'
  | 'search'
  | 'entry'
  | 'symbol'
  | 'flow'
  | 'map'
  | 'dead'
  | 'trail'
  | 'site'
  | 'file'
  | 'folder'
  | 'theme'
  | 'menu'
  | 'up'
  | 'down'
  | 'right'
  | 'plus'
  | 'close'
  | 'check'
  | 'chev'
  | 'chevd'
  | 'copy'
  | 'filter'
  | 'refresh'
  | 'trash'
  | 'undo'
  | 'warn'
  | 'info'
  | 'clock'
  | 'history'
  | 'question'
  | 'shield'
  | 'm-on'
  | 'm-part'
  | 'm-off'
  | 'm-guess'
  | 'm-warn'
  | 'm-bad'
  | 'm-done'

export function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return (
    <svg class={`i${small ? ' sm' : ''}`} aria-hidden="true">
      <use href={`${icons}#i-${name}`} />
    </svg>
  )
}
