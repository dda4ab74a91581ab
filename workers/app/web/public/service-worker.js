/**
 * Keeps the page itself for when the server cannot be reached, and shows messages that come by the browser's push
 * service. Answers of the interfaces are never kept: they hold what is nobody else's business.
 */
const page = new URL('./', location).pathname
/** Others of the same name keep things too, another of this service among them: each has its path before the name. */
const ownNames = `${page.slice(1)}wharf-page-`
const kept = `${ownNames}1`

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(kept)
      .then((cache) => cache.add(page))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name.startsWith(ownNames) && name !== kept).map((name) => caches.delete(name)),
        ),
      )
      .then(() => clients.claim()),
  )
})

/** Names of files hold a digest of what is in them, so what is kept under one is right for ever. */
async function fileOf(request) {
  const cache = await caches.open(kept)
  const there = await cache.match(request)
  if (there !== undefined) return there
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** The newest page where the server answers; files that no page asks for any more go with the old one. */
async function newestPage(request) {
  const cache = await caches.open(kept)
  try {
    const answer = await fetch(request)
    if (answer.ok && !answer.redirected) await keepPage(cache, answer.clone())
    return answer
  } catch (cause) {
    const there = await cache.match(page)
    if (there === undefined) throw cause
    return there
  }
}

async function keepPage(cache, answer) {
  const before = await (await cache.match(page))?.text()
  const text = await answer.clone().text()
  await cache.put(page, answer)
  if (before === undefined || before === text) return
  const files = (await cache.keys()).filter(({ url }) => pathBelow(url).startsWith('assets/'))
  await Promise.all(files.map((file) => cache.delete(file)))
}

addEventListener('fetch', (event) => {
  const { request } = event
  const path = pathBelow(request.url)
  if (request.method !== 'GET' || path === undefined || path.startsWith('api/')) return
  if (request.mode === 'navigate' && path === '') event.respondWith(newestPage(request))
  else if (path.startsWith('assets/') || /^[\w-]+\.(?:js|svg|png|webmanifest)$/.test(path)) {
    event.respondWith(path.startsWith('assets/') ? fileOf(request) : newestFile(request))
  }
})

/** What follows the page's own path; undefined for what is not ours. */
function pathBelow(url) {
  const { origin, pathname } = new URL(url)
  return origin === location.origin && pathname.startsWith(page) ? pathname.slice(page.length) : undefined
}

/** Files without a digest in their name. */
async function newestFile(request) {
  const cache = await caches.open(kept)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch (cause) {
    const there = await cache.match(request)
    if (there === undefined) throw cause
    return there
  }
}

/** Where one sees what a message is about; the overview where there is no better place. */
const places = [
  ['attendance.', '#/sites'],
  ['login.', '#/sites'],
  ['site.', '#/sites'],
  ['push.', '#/tasks'],
  ['subscription.', '#/subscriptions'],
  ['downloader.', '#/downloaders'],
  ['disk.', '#/downloaders'],
  ['media.', '#/library'],
  ['brush.', '#/brush'],
  ['rss.', '#/feeds'],
]

addEventListener('push', (event) => {
  const message = readMessage(event.data)
  event.waitUntil(
    registration.showNotification(message.title || 'Wharf', {
      body: message.text,
      icon: `${page}icon-192.png`,
      badge: `${page}icon-192.png`,
      // One that comes twice is one.
      tag: `wharf-${message.type}-${message.id}`,
      data: { hash: (places.find(([head]) => message.type.startsWith(head)) ?? ['', '#/overview'])[1] },
    }),
  )
})

function readMessage(data) {
  try {
    const { id = 0, type = '', title = '', text = '' } = data.json()
    return { id: Number(id), type: String(type), title: String(title), text: String(text) }
  } catch {
    return { id: 0, type: '', title: '', text: '' }
  }
}

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const address = `${location.origin}${page}${event.notification.data.hash}`
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then(async (open) => {
      const [there] = open
      if (there === undefined) return clients.openWindow(address)
      await there.focus()
      return there.navigate(address)
    }),
  )
})
