import icons from '#shared/pages/icons.svg?url'

export type IconName =
  | 'mark'
  | 'overview'
  | 'site'
  | 'tasks'
  | 'history'
  | 'menu'
  | 'clock'
  | 'send'
  | 'template'
  | 'undo'
  | 'torrent'
  | 'disk'
  | 'token'
  | 'audit'
  | 'settings'
  | 'search'
  | 'explore'
  | 'filter'
  | 'up'
  | 'down'
  | 'pause'
  | 'play'
  | 'trash'
  | 'plus'
  | 'close'
  | 'chev'
  | 'chevd'
  | 'copy'
  | 'refresh'
  | 'warn'
  | 'info'
  | 'entry'
  | 'check'
  | 'm-on'
  | 'm-part'
  | 'm-off'
  | 'm-guess'
  | 'm-warn'
  | 'm-bad'
  | 'm-done'

export function Icon({ name, small, turned }: { name: IconName; small?: boolean; turned?: boolean }) {
  return (
    <svg class={`i${small ? ' sm' : ''}${turned ? ' turn' : ''}`} aria-hidden="true">
      <use href={`${icons}#i-${name}`} />
    </svg>
  )
}
