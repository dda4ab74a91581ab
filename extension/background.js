/** Renews by itself: soon after a cookie changed, and twice a day. */
import { push, stored } from './push.js'

const soon = 'soon'
const daily = 'daily'
/** A page sets many cookies at once; they go together. */
const soonMinutes = 0.5
const dailyMinutes = 720

chrome.runtime.onInstalled.addListener(() => chrome.alarms.create(daily, { periodInMinutes: dailyMinutes }))
chrome.alarms.onAlarm.addListener(() => push())
chrome.cookies.onChanged.addListener(async ({ cookie, removed, cause }) => {
  // What is only replaced is told twice.
  if (removed && cause === 'overwrite') return
  const domain = cookie.domain.replace(/^\./, '')
  const { hosts } = await stored()
  if (hosts.some(({ host }) => host === domain || host.endsWith(`.${domain}`)))
    await chrome.alarms.create(soon, { delayInMinutes: soonMinutes })
})
