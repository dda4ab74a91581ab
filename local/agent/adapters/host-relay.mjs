// Runs inside of a sandbox, where there is no network but its own loopback: carries connections to the proxy's socket.
import net from 'node:net'

const [socketPath = '', port = ''] = process.argv.slice(2)

net
  .createServer((client) => {
    const proxy = net.connect(socketPath)
    client.on('error', () => proxy.destroy())
    proxy.on('error', () => client.destroy())
    client.on('close', () => proxy.destroy())
    proxy.on('close', () => client.destroy())
    client.pipe(proxy)
    proxy.pipe(client)
  })
  .listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
