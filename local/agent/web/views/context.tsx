/** What the model has before it, what that cost, and what it means to do. */

import type { SessionRecord } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { BackgroundSection } from '../components/background-list.tsx'
import { ModelPicker } from '../components/pickers.tsx'
import { SandboxLine } from '../components/sandbox-tag.tsx'
import { StateMark, stateOf } from '../components/state-mark.tsx'
import { FailureNote } from '../components/states.tsx'
import { TodoList } from '../components/tool-card.tsx'
import { panelWords, sessionWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { dollars, grouped } from '../model/amounts.ts'
import { cachedShare, contextTokens, todosOf } from '../model/transcript.ts'
import { catalogueOf } from '../state/catalogue.ts'
import { useActions } from '../state/kit.ts'
import type { OpenSession } from '../state/open-session.ts'
import { costs, sessions } from '../state/sessions.ts'

export function ContextPanel({ session, record }: { session: OpenSession; record: SessionRecord }) {
  const say = panelWords.value.context
  const { failure, busy, act } = useActions()
  const messages = session.cells.value.map(({ message }) => message.value)
  const last = messages.findLast((message) => message.type === 'assistant')
  const ref = record.model ?? (last?.type === 'assistant' ? last.model : undefined)
  const catalogue = catalogueOf(record.location.directory)
  const model = catalogue?.models.find((one) => one.id === ref?.id && one.providerID === ref?.providerID)
  const used = contextTokens(messages)
  const limit = model?.limit.context
  const share = limit === undefined ? 0 : Math.min(100, (100 * used) / limit)
  const cached = cachedShare(record.tokens)
  const todos = todosOf(messages)
  const tasks = (sessions.value ?? []).filter(({ parentID }) => parentID === record.id)
  const { tokens } = record
  const tasksCost = (costs.value.get(record.id) ?? record.cost) - record.cost
  return (
    <div class="panel-in">
      <section class="sec">
        <header>
          <h2>{say.used}</h2>
          <span class="n">{grouped(used)}</span>
          <span class="end">{limit === undefined ? say.unknownLimit : say.of(limit)}</span>
        </header>
        <svg
          class="meter"
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${Math.round(share)} %`}
        >
          <rect class="tr" width="100" height="4" />
          <rect class={share > 85 ? 'w' : 'f'} width={share} height="4" />
        </svg>
        <FailureNote failure={failure.value} />
        <SandboxLine directory={record.location.directory} />
        <div class="btns">
          <button
            class="btn"
            type="button"
            disabled={busy === 'compact'}
            onClick={() => void act(() => routes.compact(session.id), 'compact')}
          >
            {busy === 'compact' ? sessionWords.value.compacting : say.compact}
          </button>
          <span class="small faint">{say.compactNote}</span>
        </div>
      </section>
      <section class="sec">
        <header>
          <h2>{say.cost}</h2>
          <span class="n">{record.cost > 0 || used === 0 ? `$${dollars(record.cost)}` : say.free}</span>
        </header>
        <dl class="kv">
          <dt>{say.tokens.input}</dt>
          <dd>{grouped(tokens.input + tokens.cache.read + tokens.cache.write)}</dd>
          {cached === undefined || tokens.cache.read === 0 ? null : (
            <>
              <dt>{say.tokens.cached}</dt>
              <dd>{(100 * cached).toFixed(1)} %</dd>
            </>
          )}
          <dt>{say.tokens.output}</dt>
          <dd>{grouped(tokens.output)}</dd>
          {tokens.reasoning === 0 ? null : (
            <>
              <dt>{say.tokens.reasoning}</dt>
              <dd>{grouped(tokens.reasoning)}</dd>
            </>
          )}
          {tasksCost <= 0 ? null : (
            <>
              <dt>{say.tasksCost}</dt>
              <dd>${dollars(tasksCost)}</dd>
            </>
          )}
          <dt>{say.folder}</dt>
          <dd class="mono">{record.location.directory}</dd>
        </dl>
        <div class="field phone-only">
          <span class="label" aria-hidden="true">
            {say.model}
          </span>
          <ModelPicker
            catalogue={catalogue}
            value={ref}
            label={say.model}
            onChoose={(chosen) => void act(() => routes.switchModel(session.id, chosen))}
          />
        </div>
      </section>
      <section class="sec">
        <header>
          <h2>{say.todos}</h2>
        </header>
        {todos.length === 0 ? <p class="small muted">{say.noTodos}</p> : <TodoList todos={todos} />}
      </section>
      <BackgroundSection session={session.id} />
      {tasks.length === 0 ? null : (
        <section class="sec">
          <header>
            <h2>{say.tasks}</h2>
            <span class="n">{tasks.length}</span>
          </header>
          <ul class="rows">
            {tasks.map((task) => (
              <li key={task.id}>
                <StateMark state={stateOf(task)} isSmall />
                <a class="grow cut link" href={sessionHref(task.id)} data-row>
                  {task.title}
                </a>
                <span class="faint small">{task.agent}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
