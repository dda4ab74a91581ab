import { NewTask } from '../components/new-task.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { homeWords } from '../locales/words.ts'

export function NewView() {
  const { title } = homeWords.value.task
  usePageTitle(title)
  return (
    <Shell bar={<h1>{title}</h1>}>
      <div class="page newp">
        <NewTask />
      </div>
    </Shell>
  )
}
