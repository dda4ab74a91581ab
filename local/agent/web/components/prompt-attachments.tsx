/** Files and images of the next prompt: suggested after `@`, pasted, dropped, and taken out again. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { routes } from '../api/routes.ts'
import { sessionWords } from '../locales/words.ts'
import { nameBeingTyped, withName } from '../model/attachments.ts'
import type { PromptDraft } from '../state/prompt-draft.ts'

const filesShown = 8

/** Images among what was pasted or dropped; text is left to the field. */
export function imagesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}

export function FileSuggestions(props: {
  directory: string
  field: RefObject<HTMLTextAreaElement | null>
  draft: PromptDraft
}) {
  const { directory, field, draft } = props
  const { text, chosen } = draft
  const found = useSignal<readonly string[]>([])
  const end = field.current?.selectionStart ?? text.value.length
  const query = nameBeingTyped(text.value.slice(0, end))
  useEffect(() => {
    found.value = []
    if (query === undefined) return
    let isWanted = true
    void routes.findFiles(directory, query, filesShown).then((answer) => {
      if (isWanted && answer.ok) found.value = answer.value.data.map(({ path }) => path)
    })
    return () => {
      isWanted = false
    }
  }, [directory, query])
  if (query === undefined || found.value.length === 0) return null

  function choose(path: string): void {
    const { text: whole, at } = withName(text.peek().slice(0, end), text.peek().slice(end), path)
    text.value = whole
    if (!path.endsWith('/')) chosen.value = new Set([...chosen.peek(), path])
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(at, at)
    })
  }
  return (
    <ul class="commands" aria-label={sessionWords.value.prompt.files}>
      {found.value.map((path) => (
        <li key={path}>
          <button type="button" onClick={() => choose(path)}>
            <code class="cut">@{path}</code>
          </button>
        </li>
      ))}
    </ul>
  )
}

export function ImageStrip({ draft: { images, problem } }: { draft: PromptDraft }) {
  const say = sessionWords.value.prompt
  return (
    <>
      {problem.value === undefined ? null : (
        <p class="note bad" role="alert">
          {say.imageProblems[problem.value]}
        </p>
      )}
      {images.value.length === 0 ? null : (
        <ul class="images" aria-label={say.images}>
          {images.value.map((image, at) => (
            <li key={image.uri.slice(-64) + String(at)}>
              <img src={image.uri} alt={image.name} />
              <button
                class="btn icon"
                type="button"
                aria-label={say.removeImage(image.name)}
                onClick={() => {
                  images.value = images.peek().filter((one) => one !== image)
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
