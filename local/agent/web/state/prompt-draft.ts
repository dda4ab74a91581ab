/** What is written for the next prompt of a session: text, files that it names and images. It outlives the field. */
import { batch, type Signal, signal } from '@preact/signals'
import type { Prompt } from '../../core/session/message.ts'
import { type ImageProblem, imageProblem, imagesOf, type PromptImage, pathsOf } from '../model/attachments.ts'

export interface PromptDraft {
  readonly text: Signal<string>
  /** Paths that were chosen from what was suggested. */
  readonly chosen: Signal<ReadonlySet<string>>
  readonly images: Signal<readonly PromptImage[]>
  readonly problem: Signal<ImageProblem | undefined>
  take(files: Iterable<File>): Promise<void>
  /** A prompt that was not run goes before what was begun since. */
  putBack(prompt: Prompt): void
  clear(): void
}

/** `directoryOf`: where the session is, once that is known; files of its prompts are named from there. */
export function promptDraft(directoryOf: () => string | undefined): PromptDraft {
  const text = signal('')
  const chosen = signal<ReadonlySet<string>>(new Set())
  const images = signal<readonly PromptImage[]>([])
  const problem = signal<ImageProblem | undefined>(undefined)
  return {
    text,
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
    putBack(prompt) {
      const directory = directoryOf()
      const paths = directory === undefined ? [] : pathsOf(prompt, directory)
      batch(() => {
        text.value = [prompt.text, text.peek()].filter((part) => part !== '').join('\n')
        images.value = [...imagesOf(prompt), ...images.peek()]
        chosen.value = new Set([...paths, ...chosen.peek()])
      })
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
