/** `/docs`: the App API's description for people, read from where programs read it. */
import '#shared/pages/tokens.css'
import '#shared/pages/components.css'
import './docs.css'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { basePath } from '../home.ts'
import { language } from '../preferences.ts'
import type { InterfaceDescription } from './document.ts'
import { OperationSection } from './operation.tsx'
import { docsWords } from './words.ts'

const address = `${basePath}/api/app/v1/openapi.json`
const shown = signal<InterfaceDescription | 'loading' | 'failed'>('loading')

async function load(): Promise<void> {
  shown.value = 'loading'
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json' } })
    shown.value = answer.ok ? ((await answer.json()) as InterfaceDescription) : 'failed'
  } catch {
    shown.value = 'failed'
  }
}

function DocsPage() {
  const text = docsWords[language.value]
  useEffect(() => {
    document.title = `${text.title} · Wharf`
  }, [text])
  return (
    <>
      <a class="skip" href="#main">
        {text.skip}
      </a>
      <div class="docs">
        <header class="docs-bar">
          <h1>{text.title}</h1>
          <a href={address}>{text.file}</a>
          <a href={`${basePath}/`}>{text.console}</a>
          <LanguageSwitch />
        </header>
        <main id="main" tabIndex={-1}>
          <Body />
        </main>
      </div>
    </>
  )
}

function Body() {
  const text = docsWords[language.value]
  const description = shown.value
  if (description === 'loading') return <p role="status">{text.loading}</p>
  if (description === 'failed')
    return (
      <div role="alert">
        <p>{text.failed}</p>
        <button class="btn" type="button" onClick={() => void load()}>
          {text.retry}
        </button>
      </div>
    )
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = description.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }))
  return (
    <>
      <div lang="en" class="lead">
        <p>
          {description.info.title} {description.info.version} · <code>{description.servers[0]?.url}</code>
        </p>
        {(description.info.description ?? '').split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph.replaceAll('`', '')}</p>
        ))}
      </div>
      <nav aria-label={text.contents} lang="en" class="contents">
        {groups.map((group) => (
          <p key={group.name}>
            <b>{group.name}</b>{' '}
            {group.operations.map(({ operation }) => (
              <a key={operation.operationId} href={`#${operation.operationId}`}>
                {operation.summary}
              </a>
            ))}
          </p>
        ))}
      </nav>
      {groups.map((group) => (
        <section key={group.name}>
          <h2 lang="en">{group.name}</h2>
          <p class="muted" lang="en">
            {group.description}
          </p>
          {group.operations.map((one) => (
            <OperationSection key={one.operation.operationId} document={description} {...one} />
          ))}
        </section>
      ))}
    </>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place to draw in')
render(<DocsPage />, root)
void load().then(() => {
  // What the address names stands only now.
  if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView()
})
