/** A poster by way of the server, or the first letter of the title where there is none. */
import { useSignal } from '@preact/signals'
import { setting } from '#shared/pages/set.ts'
import { posterOf } from '../api/media.ts'

/** Twice as wide as it is drawn at most, for dense screens. */
const size = 'w342'

export function Poster({ path, title }: { path: string | undefined; title: string }) {
  const failed = useSignal<string | undefined>(undefined)
  if (path !== undefined && failed.value !== path) {
    return (
      <img
        class="poster"
        src={posterOf(size, path)}
        width="342"
        height="513"
        alt=""
        loading="lazy"
        decoding="async"
        onError={setting(failed, path)}
      />
    )
  }
  return (
    <span class="poster none" aria-hidden="true">
      {[...title][0] ?? ''}
    </span>
  )
}
