/** Files and images of the next prompt: suggested after `@`, pasted, dropped, and taken out again. */
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { routes } from '../api/routes.ts'
import { sessionWords } from '../locales/words.ts'
import { type ImageProblem, imageProblem, nameBeingTyped, type PromptImage, withName } from '../model/attachments.ts'

const filesShown = 8

export interface Attachments {
  /** Paths that were chosen from what was suggested. */
  readonly chosen: Signal<ReadonlySet<string>>
  readonly images: Signal<readonly PromptImage[]>
  readonly problem: Signal<ImageProblem | undefined>
  take(files: Iterable<File>): Promise<void>
  clear(): void
}

export function useAttachments(): Attachments {
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const images = useSignal<readonly PromptImage[]>([])
  const problem = useSignal<ImageProblem | undefined>(undefined)
  return {
    chosen,
    images,
    problem,
    async take(files) {
      problem.value = undefined
      for (const file of files) {
        problem.value = imageProblem(file, images.peek().length)
        if (problem.peek() !== undefined) return
        images.value = [...images.peek(), { name: file.name, uri: await addressOf(file) }]
      }
    },
    clear() {
      chosen.value = new Set()
      images.value = []
      problem.value = undefined
    },
  }
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

/** Images among what was pasted or dropped; text is left to the field. */
export function imagesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
}

export function FileSuggestions(props: {
  directory: string
  text: Signal<string>
  field: RefObject<HTMLTextAreaElement | null>
  attachments: Attachments
}) {
  const { directory, text, field, attachments } = props
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
    if (!path.endsWith('/')) attachments.chosen.value = new Set([...attachments.chosen.peek(), path])
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

export function ImageStrip({ attachments }: { attachments: Attachments }) {
  const say = sessionWords.value.prompt
  const { images, problem } = attachments
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
