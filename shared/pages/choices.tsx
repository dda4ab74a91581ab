/** Theme and language, one button each, at the foot of a rail. */
import type { Signal } from '@preact/signals'
import { Icon } from './icon.tsx'
import type { Language, Theme } from './preferences.ts'

const nextTheme: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' }

export function Choices(props: {
  words: { readonly themes: Readonly<Record<Theme, string>>; readonly changeTheme: (now: string) => string }
  theme: Signal<Theme>
  chooseTheme: (next: Theme) => void
  language: Signal<Language>
  chooseLanguage: (next: Language) => void
}) {
  const now = props.words.themes[props.theme.value]
  const isChinese = props.language.value === 'zh'
  return (
    <>
      <button
        type="button"
        aria-label={props.words.changeTheme(now)}
        onClick={() => props.chooseTheme(nextTheme[props.theme.value])}
      >
        <Icon name="theme" />
        <span>{now}</span>
      </button>
      <button
        type="button"
        lang={isChinese ? 'en' : 'zh-CN'}
        onClick={() => props.chooseLanguage(isChinese ? 'en' : 'zh')}
      >
        <span class="lang-mark" aria-hidden="true">
          {isChinese ? 'A' : '文'}
        </span>
        <span>{isChinese ? 'English' : '中文'}</span>
      </button>
    </>
  )
}

/** The first thing that the keyboard reaches. */
export function SkipLink({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a skip link is an anchor to readers of screens; only its jump is made by hand
    <a
      class="skip"
      href="#main"
      onClick={(event) => {
        // The part behind `#` names the view here, so the jump is made by hand.
        event.preventDefault()
        document.getElementById('main')?.focus()
      }}
    >
      {children}
    </a>
  )
}
