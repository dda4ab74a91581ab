/** Keeps the picture on screen as a file. */
import { useSignal } from '@preact/signals'
import { savePng, saveSvg } from '../export/save-picture.ts'
import type { Picture } from '../layout/marks.ts'
import { Note } from './states.tsx'

export function SavePicture(props: {
  picture: () => Picture
  words: { readonly saveSvg: string; readonly savePng: string; readonly tooLarge: string }
}) {
  const isTooLarge = useSignal(false)
  return (
    <>
      <button class="btn" type="button" onClick={() => saveSvg(props.picture())}>
        {props.words.saveSvg}
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
        {props.words.savePng}
      </button>
      {isTooLarge.value ? (
        <Note tone="warn" role="alert">
          {props.words.tooLarge}
        </Note>
      ) : null}
    </>
  )
}
