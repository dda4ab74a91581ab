import { fetchTasks } from '../api/search.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { Moment } from './figure.tsx'
import { Skeleton } from './list-states.tsx'
import { FailureNote } from './note.tsx'
import { TaskState } from './task-state.tsx'

const pushesShown = 5
const pushesEveryMs = 10_000
const lastPushes = new URLSearchParams({ page: '1', page_size: String(pushesShown) })

export function LastPushes({ labels }: { labels: ReadonlyMap<string, string> }) {
  const text = words.value.overview
  const tasks = useResource('tasks', (signal) => fetchTasks(lastPushes, signal), pushesEveryMs)
  const { data, failure } = tasks.state.value
  return (
    <section class="sec">
      <header>
        <h2>{text.lastPushes}</h2>
        <span class="end">
          <a class="link" href="#/tasks">
            {text.allTasks}
          </a>
        </span>
      </header>
      {failure === undefined || data !== undefined ? null : (
        <FailureNote lead={words.value.common.loadFailed} failure={failure} retry={() => void tasks.reload()} />
      )}
      {data === undefined ? (
        failure === undefined ? (
          <Skeleton rows={3} />
        ) : null
      ) : data.items.length === 0 ? (
        <p class="muted pad">
          {text.noPushes}{' '}
          <a class="link" href="#/search">
            {words.value.screens.search}
          </a>
        </p>
      ) : (
        <ul class="rows">
          {data.items.map((task) => (
            <li key={task.id} class="push-row">
              <span class="faint nowrap">
                <Moment seconds={task.created_at} />
              </span>
              <span class="grow">
                <span class="t cut" title={task.title}>
                  {task.title}
                </span>
                <span class="s cut">
                  {[labels.get(task.site) ?? task.site, task.downloader ?? '']
                    .filter((part) => part !== '')
                    .join(' · ')}
                </span>
              </span>
              <TaskState task={task} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
