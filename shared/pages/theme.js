// Blocks the first paint on purpose: the chosen theme and language stand before anything is drawn.
try {
  const theme = localStorage.getItem('{page}.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  const stored = localStorage.getItem('{page}.language')
  const language = stored === 'en' || stored === 'zh' ? stored : navigator.language
  document.documentElement.lang = language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
} catch {
  // Storage may be closed off by the browser; the page then follows the system.
}
