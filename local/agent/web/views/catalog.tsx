/** What a task can be done with: models with their limits and prices, agents, commands, skills and folders to look into. */
import { Empty } from '#shared/pages/note.tsx'
import type { WireModel } from '../../contract/catalogue.ts'
import { routes } from '../api/routes.ts'
import { FolderShell, useFolder } from '../components/folder-choice.tsx'
import { Section } from '../components/section.tsx'
import { Loaded } from '../components/states.tsx'
import { ToolServerSection } from '../components/tool-servers.tsx'
import { catalogWords, words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { useRead } from '../state/use-read.ts'

async function readAll(directory: string) {
  const [models, agents, commands, skills, references] = await Promise.all([
    routes.models(directory),
    routes.agents(directory),
    routes.commands(directory),
    routes.skills(directory),
    routes.references(directory),
  ])
  if (!models.ok) return models
  if (!agents.ok) return agents
  if (!commands.ok) return commands
  if (!skills.ok) return skills
  if (!references.ok) return references
  return {
    ok: true as const,
    value: {
      models: models.value.data,
      agents: agents.value.data.filter(({ hidden }) => !hidden),
      commands: commands.value.data,
      skills: skills.value.data,
      references: references.value.data,
    },
  }
}

export function CatalogView() {
  const say = catalogWords.value
  const { about } = words.value
  const { folder, choice } = useFolder()
  const reading = useRead(() => (folder === undefined ? undefined : readAll(folder)), [folder])
  return (
    <FolderShell title={words.value.views.catalog} choice={choice}>
      <div class="page stack">
        <Loaded reading={reading} rows={8}>
          {(all) => (
            <>
              <Models models={all.models} />
              <Rows
                title={say.agents}
                rows={all.agents.map((one) => [one.id, about(one.description), say.modes[one.mode]])}
              />
              <Rows
                title={say.commands}
                rows={all.commands.map((one) => [`/${one.name}`, about(one.description ?? one.template), one.agent])}
              />
              <Rows title={say.skills} rows={all.skills.map((one) => [one.name, one.description, undefined])} />
              <Rows
                title={say.references}
                rows={all.references.map((one) => [one.name, one.description ?? one.path])}
              />
              <ToolServerSection />
            </>
          )}
        </Loaded>
      </div>
    </FolderShell>
  )
}

function Models({ models }: { models: readonly WireModel[] }) {
  const say = catalogWords.value
  if (models.length === 0) return <Empty title={say.noModels} body={say.noModelsBody} />
  return (
    <Section title={say.models} count={models.length}>
      <table class="fold sess">
        <thead>
          <tr>
            {Object.values(say.columns).map((name, at) => (
              <th key={name} scope="col" class={at < 2 ? '' : 'num'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={`${model.providerID}/${model.id}`}>
              <td class="name">
                <span class="t cut">{model.name}</span>
                <span class="s faint small cut mono">
                  {model.providerID}/{model.id}
                </span>
                <span class="s faint small phone-only">
                  {say.inShort(grouped(model.limit.context), priceOf(model))}
                </span>
              </td>
              <td class="muted">{takenBy(model)}</td>
              <td class="num drop">{grouped(model.limit.context)}</td>
              <td class="num drop">{grouped(model.limit.output)}</td>
              <td class="num drop">{priceOf(model) ?? say.noPrice}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function takenBy({ capabilities }: WireModel): string {
  const say = catalogWords.value
  const kinds = capabilities.input.filter((kind) => kind !== 'text').map((kind) => say.kinds[kind] ?? kind)
  return [...(capabilities.tools ? [] : [say.noTools]), ...kinds].join(', ')
}

/** Dollars a million tokens, sent and answered; undefined where none is known. */
function priceOf({ cost: [first] }: WireModel): string | undefined {
  if (first === undefined || (first.input === 0 && first.output === 0)) return undefined
  return `$${first.input} / $${first.output}`
}

function Rows({ title, rows }: { title: string; rows: readonly (readonly (string | undefined)[])[] }) {
  if (rows.length === 0) return null
  return (
    <Section title={title} count={rows.length}>
      <ul class="rows">
        {rows.map(([name, about, more]) => (
          <li key={name}>
            <span class="grow">
              <span class="t">{name}</span>
              <span class="s two">{about}</span>
            </span>
            {more === undefined ? null : <span class="tag">{more}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
