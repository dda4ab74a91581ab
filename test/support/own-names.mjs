// Preloaded into the service of a test (`--import`): the names in WHARF_TEST_NAMES, `name=address,…`, are resolved to those
// addresses, and a connection to one of them, once whoever asked has judged the address, leads to this machine. The
// service itself is as it ships: it has no way to be told of names.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const names = new Map((process.env.WHARF_TEST_NAMES ?? '').split(',').map((entry) => entry.split('=')))

const { lookup } = dns
dns.lookup = (name, ...rest) => {
  const address = names.get(name)
  const done = rest.at(-1)
  if (address === undefined) return lookup(name, ...rest)
  if (rest[0].all) return done(null, [{ address, family: 4 }])
  return done(null, address, 4)
}
syncBuiltinESMExports()

const { connect } = net
net.connect = (options, ...rest) => {
  if (!names.has(options?.host)) return connect(options, ...rest)
  const judge = options.lookup ?? dns.lookup
  const toThisMachine = (name, how, done) =>
    judge(name, how, (error) => {
      if (error) return done(error)
      return how.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
    })
  return connect({ ...options, lookup: toThisMachine }, ...rest)
}
