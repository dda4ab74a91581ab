/** Says which site is open, asks before anything of it is sent, and takes the service's address. */
import { keep, patternOf, push, serviceOf, stored } from './push.js'

const say = (name, ...values) => chrome.i18n.getMessage(name, values)
const at = (id) => document.getElementById(id)
const setState = (text) => {
  at('state').textContent = text
}

document.documentElement.lang = chrome.i18n.getUILanguage()
for (const element of document.querySelectorAll('[data-text]')) element.textContent = say(element.dataset.text)

const [known, [tab]] = await Promise.all([
  fetch('known-sites.json').then((answer) => answer.json()),
  chrome.tabs.query({ active: true, currentWindow: true }),
])
// A test has no tab beside the popup and names the page.
const page = new URLSearchParams(location.search).get('page') ?? tab?.url ?? ''
const site = siteOf(page)
await show()

/** Undefined for pages that have no cookies to send: the browser's own, and files. */
function siteOf(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return undefined
  const host = url.hostname
  const name = Object.entries(known).find(([one]) => host === one || host.endsWith(`.${one}`))?.[1]
  return { host, address: `${url.origin}/`, name }
}

async function show() {
  const { service, hosts, last } = await stored()
  at('settings').open = service === undefined
  const isSent = site !== undefined && hosts.some(({ host }) => host === site.host)
  at('site').hidden = service === undefined || site === undefined
  if (site !== undefined) {
    at('site-name').textContent = site.name === undefined ? site.host : `${site.name} (${site.host})`
    at('site-note').textContent = say(isSent ? 'renews' : site.name === undefined ? 'unknownSite' : 'knownSite')
    at('yes').textContent = say(isSent ? 'now' : 'yes')
    at('no').hidden = !isSent
  }
  if (service === undefined) setState(say('setUp'))
  else if (last === undefined) setState(say('never'))
  else setState(say(`outcome_${last.outcome}`, new Date(last.at).toLocaleString()))
}

at('yes').addEventListener('click', async () => {
  const { service, hosts } = await stored()
  // The browser asks its owner; without a yes there nothing can be read.
  const origins = [patternOf(site.address), patternOf(service.server)]
  if (!(await chrome.permissions.request({ origins }))) return setState(say('notAllowed'))
  const others = hosts.filter(({ host }) => host !== site.host)
  await keep({ hosts: [...others, { host: site.host, address: site.address }] })
  setState(say('sending'))
  await push()
  await show()
})

at('no').addEventListener('click', async () => {
  const { hosts } = await stored()
  await keep({ hosts: hosts.filter(({ host }) => host !== site.host) })
  await chrome.permissions.remove({ origins: [patternOf(site.address)] }).catch(() => false)
  await show()
})

at('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const { address, uuid, password } = Object.fromEntries(new FormData(at('form')))
  const service = serviceOf(address.trim(), uuid.trim(), password.trim())
  if (service === undefined) return setState(say('notAnAddress'))
  await keep({ service })
  await chrome.storage.local.remove('last')
  at('form').reset()
  await show()
})
