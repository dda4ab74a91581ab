/** A session as one file that needs nothing else: drawn by the page's own parts, without what looks like a secret. */
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { Message, SessionRecord } from '../../core/session/message.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes } from '../api/routes.ts'
import { panelWords, words } from '../locales/words.ts'
import { redactAll } from '../model/redact.ts'
import { sharedPage } from '../model/shared-page.ts'
import { factsOf } from '../model/tool-facts.ts'
import { language } from '../preferences.ts'
import { MessageView } from './message-view.tsx'
import { FailureNote } from './states.tsx'
import { ChildView, Whole } from './whole.ts'

/** A file of more would be slow to open, and slower to read. */
const sharedMessagesMax = 2_000
const pageMessages = 200

export function ShareButton({ record }: { record: SessionRecord }) {
  const say = panelWords.value.changes
  const isAsked = useSignal(false)
  const done = useSignal<number | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function make(): Promise<void> {
    done.value = 0
    const read = await readSession(record.id, (count) => {
      done.value = count
    })
    if (read.failure === undefined) {
      save(`${fileName(record.title)}.html`, await pageOf(record, read))
      isAsked.value = false
    }
    failure.value = read.failure
    done.value = undefined
  }
  return (
    <>
      <button class="btn" type="button" onClick={() => (isAsked.value = true)}>
        <Icon name="send" />
        {say.share}
      </button>
      {isAsked.value ? (
        <Dialog title={say.shareTitle} onClose={() => (isAsked.value = false)}>
          <p>{say.shareBody}</p>
          <FailureNote failure={failure.value} />
          <div class="btns ends-right">
            <button class="btn" type="button" data-first onClick={() => (isAsked.value = false)}>
              {words.value.cancel}
            </button>
            <button class="btn primary" type="button" disabled={done.value !== undefined} onClick={() => void make()}>
              {done.value === undefined ? say.shareMake : say.sharing(done.value)}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

interface ReadSession {
  /** Those of the session itself, and of each sub-agent that has said something. */
  readonly messages: ReadonlyMap<string, readonly Message[]>
  readonly isCut: boolean
  readonly failure: ApiFailure | undefined
}

async function readSession(whole: string, tell: (count: number) => void): Promise<ReadSession> {
  const found = new Map<string, readonly Message[]>()
  const waiting = [whole]
  let [count, isCut] = [0, false]
  for (let id = waiting.shift(); id !== undefined && !isCut; id = waiting.shift()) {
    const messages: Message[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await routes.messages(id, {
        limit: String(pageMessages),
        ...(cursor === undefined ? {} : { cursor }),
      })
      if (!page.ok) return { messages: found, isCut, failure: page.failure }
      messages.push(...page.value.data)
      count += page.value.data.length
      tell(count)
      cursor = page.value.cursor.next
      if (cursor !== undefined && count >= sharedMessagesMax) isCut = true
      if (cursor === undefined || isCut) break
    }
    found.set(id, messages.reverse())
    const children = messages.flatMap(childrenOf)
    if (count < sharedMessagesMax) waiting.push(...children)
    else isCut ||= children.length > 0
  }
  return { messages: found, isCut, failure: undefined }
}

function childrenOf(message: Message): string[] {
  if (message.type !== 'assistant') return []
  return message.content.flatMap((part) => (part.type === 'tool' ? (factsOf(part).child ?? []) : []))
}

/** The icons are parts of another file: those that are used come along. */
async function withIcons(root: HTMLElement): Promise<string> {
  const uses = [...root.querySelectorAll('use')]
  const address = uses[0]?.getAttribute('href')?.split('#')[0]
  const names = new Set(uses.map((use) => use.getAttribute('href')?.split('#')[1] ?? ''))
  for (const use of uses) use.setAttribute('href', `#${use.getAttribute('href')?.split('#')[1]}`)
  if (address === undefined) return ''
  const sprite = new DOMParser().parseFromString(await (await fetch(address)).text(), 'image/svg+xml')
  return [...names].map((name) => sprite.getElementById(name)?.outerHTML ?? '').join('')
}

async function pageOf(record: SessionRecord, { messages, isCut }: ReadSession): Promise<string> {
  const say = panelWords.value.changes
  const root = document.createElement('div')
  const views = (id: string) =>
    (messages.get(id) ?? []).map((message) => (
      <MessageView key={message.id} message={redactAll(message)} session={id} />
    ))
  render(
    <Whole.Provider value>
      {isCut ? <p class="note part">{say.shareCut(sharedMessagesMax)}</p> : null}
      {/* Where not all could be read, the report of a sub-agent stands for what it said. */}
      <ChildView.Provider value={isCut ? undefined : ({ id }) => <div class="nested">{views(id)}</div>}>
        {views(record.id)}
      </ChildView.Provider>
    </Whole.Provider>,
    root,
  )
  const icons = await withIcons(root)
  for (const one of root.querySelectorAll('button, kbd, a[href^="#"]')) one.remove()
  for (const one of root.querySelectorAll('[tabindex]')) one.removeAttribute('tabindex')
  const styles = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
  const page = sharedPage({
    title: redactAll(record.title),
    note: `${say.sharedAt} ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    language: language.peek() === 'zh' ? 'zh-CN' : 'en',
    styles: styles.join('\n'),
    icons,
    body: root.innerHTML,
  })
  render(null, root)
  return page
}

function fileName(title: string): string {
  return (
    redactAll(title)
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'session'
  )
}

function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/html' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
