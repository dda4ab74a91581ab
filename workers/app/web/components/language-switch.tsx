import { chooseLanguage, language } from '../preferences.ts'

/** Each language in its own words, so that it can be found by those who read only that one. */
export function LanguageSwitch() {
  return (
    <div class="btns languages">
      <button
        class="opt"
        type="button"
        lang="en"
        aria-pressed={language.value === 'en'}
        onClick={() => chooseLanguage('en')}
      >
        English
      </button>
      <button
        class="opt"
        type="button"
        lang="zh-CN"
        aria-pressed={language.value === 'zh'}
        onClick={() => chooseLanguage('zh')}
      >
        中文
      </button>
    </div>
  )
}
