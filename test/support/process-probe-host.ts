/** Hosts the probe script in a process of its own, so that a test may kill it: DATA_FOLDER PORT [flag…]. */
import path from 'node:path'
import { parseNetwork } from '#shared/network/ip-address.ts'
import { sayStartFault } from '../../local/operating/start-faults.ts'
import { defaultRuntime, runtimeKinds } from '../../local/workerd/runtime-kind.ts'
import { startWorkerHost } from '../../local/workerd/worker-host.ts'

const [dataFolder = '', port = '0', ...flags] = process.argv.slice(2)
const valuesOf = (flag: string) => flags.filter((one) => one.startsWith(flag)).map((one) => one.slice(flag.length))
const host = await startWorkerHost({
  runtime: runtimeKinds.find((kind) => valuesOf('--runtime=').includes(kind)) ?? defaultRuntime,
  dataFolder,
  port: Number(port),
  publicUrls: valuesOf('--public-url='),
  trustedProxies: valuesOf('--trusted-proxy=').flatMap((text) => parseNetwork(text) ?? []),
  extraHosts: flags.filter((flag) => !flag.startsWith('--')),
  isNewSetupLinkAsked: flags.includes('--new-setup-link'),
  isNewMasterKeyAsked: flags.includes('--new-master-key'),
  configFile: path.join(import.meta.dirname, '..', 'fixtures', 'probe-worker', 'wrangler.toml'),
  variables: {},
  log: (line) => process.stdout.write(`${line}\n`),
})
if (!host.ok) {
  process.stderr.write(`${sayStartFault(host.failure)}\n`)
  process.exit(1)
}
process.on('SIGTERM', () => void host.value.close().then(() => process.exit(0)))
void host.value.gaveUp.then((reason) => {
  process.stderr.write(`${reason}\n`)
  return host.value.close().then(() => process.exit(1))
})
process.stdout.write(`link ${host.value.setupLink ?? 'none'}\nReady at ${host.value.address}\n`)
