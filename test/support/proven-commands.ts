/** Which test or CI script really runs each command that the documents tell a reader to type. */

interface ProvenCommand {
  /** As documented. A trailing `…` stands for any further arguments. */
  readonly command: string
  /** The file that runs it, and a text in that file by which a reader finds where. */
  readonly runBy: string
  readonly evidence: string
}

export const provenCommands: readonly ProvenCommand[] = [
  {
    command: 'npm run backup …',
    runBy: 'test/node/backup/service.test.ts',
    evidence: "npm('backup', '--', into,",
  },
  {
    command: 'npm run restore …',
    runBy: 'test/node/backup/service.test.ts',
    evidence: "npm('restore', '--', file,",
  },
  {
    command: 'npm start -- --listen 192.168.1.10',
    runBy: 'test/node/workerd/listen.test.ts',
    evidence: "'--listen', other",
  },
  {
    command: 'npm run build:package',
    runBy: 'test/support/installed-package.ts',
    evidence: "'build:package', '--', folder",
  },
  { command: 'npm install …', runBy: 'test/support/installed-package.ts', evidence: "['install', '--prefer-offline'" },
  { command: 'npx wharf --version', runBy: 'test/node/installing/package.test.ts', evidence: "[name, '--version']" },
  { command: 'npx wharf', runBy: 'test/node/installing/package.test.ts', evidence: "path.join(programs, 'wharf'), [" },
  {
    command: 'npx wharf backup …',
    runBy: 'test/node/installing/package.test.ts',
    evidence: "succeed('backup', kept)",
  },
  {
    command: 'npx wharf restore …',
    runBy: 'test/node/installing/package.test.ts',
    evidence: "succeed('restore', file)",
  },
  {
    command: 'npx wharf config',
    runBy: 'test/node/configuration/settings.test.ts',
    evidence: "'bin/wharf.mjs'), 'config'",
  },
  {
    command: 'npx wharf config diff',
    runBy: 'test/node/configuration/declared.test.ts',
    evidence: "'bin/wharf.mjs'), 'config', command",
  },
  {
    command: 'npx wharf diagnose',
    runBy: 'test/node/operating/diagnose.test.ts',
    evidence: "['diagnose', folder,",
  },
  {
    command: 'npm run release',
    runBy: 'test/long/installs.ts',
    evidence: "['run', '--silent', 'release', '--', release]",
  },
  {
    command: 'npm run dev',
    runBy: 'test/node/scripts/wrangler.test.ts',
    evidence: "['run', '--silent', 'dev', '--',",
  },
  { command: 'npm run format', runBy: 'test/node/guards/commands.test.ts', evidence: "'npm', ['run', 'format']" },
  {
    command: 'npx vitest run --project pure …',
    runBy: 'test/node/guards/commands.test.ts',
    evidence: "'npx', ['vitest', 'run', '--project', 'pure',",
  },
  { command: 'npm start', runBy: 'test/conformance/app/readme.test.ts', evidence: "['start', '--', '--data'" },
  {
    command: 'npm start -- --public-url https://wharf.example --trusted-proxy 127.0.0.1',
    runBy: 'test/conformance/app/proxy.test.ts',
    evidence: "'--trusted-proxy', '127.0.0.1'",
  },
  {
    command: 'npm start -- --public-url https://nas.example/wharf --trusted-proxy 127.0.0.1',
    runBy: 'test/web/base-path.test.ts',
    evidence: "'--trusted-proxy', '127.0.0.1'",
  },
  {
    command: 'npm run gateway -- --port 8080',
    runBy: 'test/node/gateway/node-server.test.ts',
    evidence: "['local/gateway.ts', '--port'",
  },
  {
    command: 'npm run build:gateway',
    runBy: 'test/node/gateway/deployments.test.ts',
    evidence: "['scripts/build-gateway.ts'",
  },
  {
    command: 'node scripts/device.mjs pair http://127.0.0.1:8787 ABCD-EFGH-JKMN-PQRS',
    runBy: 'test/conformance/app/readme.test.ts',
    evidence: "'pair', origin, code",
  },
  {
    command: 'node scripts/device.mjs get /meta',
    runBy: 'test/conformance/app/readme.test.ts',
    evidence: "'get', '/meta'",
  },
  { command: 'svc run "why does the build fail?"', runBy: 'test/node/agent/run.test.ts', evidence: "[svc, 'run'" },
  { command: 'svc acp', runBy: 'test/conformance/agent/editor.test.ts', evidence: "[svc, 'acp'" },
  {
    command: 'svc mcp …',
    runBy: 'test/node/agent/tool-sign-in.test.ts',
    evidence: "run(['mcp', 'login', 'far']",
  },
  { command: 'svc doctor', runBy: 'test/node/agent/doctor.test.ts', evidence: "[svc, 'doctor']" },
  {
    command: 'npm run attack',
    runBy: 'test/node/attack/short.test.ts',
    evidence: "'npm', ['run', 'attack',",
  },
  { command: 'npm test', runBy: '.ci/run', evidence: 'npm test' },
  {
    command: 'npm run test:all',
    runBy: 'test/node/guards/commands.test.ts',
    evidence: "passed(['run', 'test:all'])",
  },
  { command: 'npm run check', runBy: '.ci/run', evidence: 'npm run --silent check' },
  {
    command: 'node bin/indexer.mjs init …',
    runBy: 'test/conformance/app/readme.test.ts',
    evidence: "['bin/indexer.mjs', 'init',",
  },
  // Everything but the upload itself, which needs an account.
  { command: 'npx wrangler deploy', runBy: 'test/node/scripts/wrangler.test.ts', evidence: "'deploy', '--dry-run'" },
]

/** Documented, and not run by any test yet: the command and what has to come first. */
export const unprovenCommands: Readonly<Record<string, string>> = {}
