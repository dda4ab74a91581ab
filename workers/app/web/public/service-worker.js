/**
 * Keeps the page itself for when the server cannot be reached, and shows messages that come by the browser's push
 * service. Answers of the interfaces are never kept: they hold what is nobody else's business.
 */
const kept = 'wharf-page-1'
const page = '/'

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
      .then((names) => Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name))))
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
  const files = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'))
  await Promise.all(files.map((file) => cache.delete(file)))
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (request.mode === 'navigate' && pathname === page) event.respondWith(newestPage(request))
  else if (pathname.startsWith('/assets/') || /^\/[\w-]+\.(?:js|svg|png|webmanifest)$/.test(pathname)) {
    event.respondWith(pathname.startsWith('/assets/') ? fileOf(request) : newestFile(request))
  }
})

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
      icon: '/icon-192.png',
      badge: '/icon-192.png',
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
  const address = `${location.origin}/${event.notification.data.hash}`
  event.waitUntil(
    clients.matchAll({ type: 'window' }).then(async (open) => {
      const [there] = open
      if (there === undefined) return clients.openWindow(address)
      await there.focus()
      return there.navigate(address)
    }),
  )
})
