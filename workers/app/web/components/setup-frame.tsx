/** The frame of first-run set-up: what is done and what is left on one side, the present step on the other. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { SkipLink } from './shell.tsx'

export function SetupFrame({ step, children }: { step: 1 | 2; children: ComponentChildren }) {
  const text = words.value.setup
  const steps = [
    { title: text.stepPassword, hint: text.stepPasswordHint },
    { title: text.stepDownloader, hint: text.stepDownloaderHint },
  ]
  useEffect(() => {
    document.title = `${text.title} · Wharf`
  }, [text])
  return (
    <>
      <SkipLink />
      <div class="setup">
        <aside>
          <div class="brand">
            <Icon name="mark" />
            <span>Wharf</span>
          </div>
          <h1>{text.title}</h1>
          <p class="muted">{text.lead}</p>
          <ol class="rows steps">
            {steps.map((one, at) => {
              const stage = at + 1 < step ? 'done' : at + 1 === step ? 'now' : 'next'
              return (
                <li key={one.title} class={stage} aria-current={stage === 'now' ? 'step' : undefined}>
                  <span class={stage === 'done' ? 'good' : stage === 'now' ? 'acc' : 'faint'}>
                    <Icon name={stage === 'done' ? 'm-done' : stage === 'now' ? 'm-on' : 'm-off'} />
                  </span>
                  <span class="grow">
                    <b class="t">{one.title}</b>
                    <span class="s">{one.hint}</span>
                  </span>
                </li>
              )
            })}
          </ol>
          <div class="foot">
            <p class="faint small">{text.stays}</p>
            <LanguageSwitch />
          </div>
        </aside>
        <main id="main" tabIndex={-1} class="su-main">
          <p class="faint small">{text.step(step, steps.length)}</p>
          {children}
        </main>
      </div>
    </>
  )
}
