import { useLayoutEffect } from 'preact/hooks'
import { NewTask } from '../components/new-task.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { homeWords } from '../locales/words.ts'

export function NewView() {
  const { title } = homeWords.value.task
  usePageTitle(title)
  useLayoutEffect(() => window.scrollTo(0, 0), [])
  return (
    <Shell bar={<h1>{title}</h1>}>
      <div class="page newp">
        <NewTask />
      </div>
    </Shell>
  )
}
