/** Keeps the picture on screen as a file. */
import { useSignal } from '@preact/signals'
import { Note } from '#shared/pages/note.tsx'
import { savePng, saveSvg } from '../export/save-picture.ts'
import type { Picture } from '../layout/marks.ts'
import { words } from '../locales/words.ts'

export function SavePicture(props: { picture: () => Picture }) {
  const text = words.value.picture
  const isTooLarge = useSignal(false)
  return (
    <>
      <button class="btn" type="button" onClick={() => saveSvg(props.picture())}>
        {text.saveSvg}
      </button>
      <button
        class="btn"
        type="button"
        onClick={() => {
          void savePng(props.picture()).then((isSaved) => {
            isTooLarge.value = !isSaved
          })
        }}
      >
        {text.savePng}
      </button>
      {isTooLarge.value ? (
        <Note tone="warn" role="alert">
          {text.tooLarge}
        </Note>
      ) : null}
    </>
  )
}
