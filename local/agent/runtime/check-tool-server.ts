/** Whether a tool server at an address can be used as things are: reached once, with the owner's sign-in, and left. */
import path from 'node:path'
import { SignInClient } from '../adapters/sign-in-client.ts'
import { SignInVault } from '../adapters/sign-in-vault.ts'
import { connectToolServer } from '../adapters/tool-server.ts'
import type { RemoteServerConfiguration } from '../contract/configuration.ts'
import { toolServerCallMsMax, toolServerMessageBytesMax, toolServerStartMsMax } from '../limits.ts'
import { ToolServerProblem } from './tool-servers.ts'
import { hasCredentials } from './tool-sign-ins.ts'

export interface CheckedServer {
  readonly isUsable: boolean
  readonly message: string
}

export async function checkToolServer(
  name: string,
  configuration: RemoteServerConfiguration,
  place: { readonly dataDir: string; readonly version: string },
): Promise<CheckedServer> {
  const client = new SignInClient({ vault: new SignInVault(path.join(place.dataDir, 'sign-ins')) })
  const nothing = () => undefined
  try {
    const port = await connectToolServer(configuration, {
      ...(hasCredentials(configuration) ? {} : { auth: client.authFor({ name, configuration }) }),
      directory: place.dataDir,
      environment: {},
      version: place.version,
      startMsMax: toolServerStartMsMax,
      callMsMax: toolServerCallMsMax,
      messageBytesMax: toolServerMessageBytesMax,
      onToolsChanged: nothing,
      onPromptsChanged: nothing,
      onForm: async () => ({ action: 'cancel' }),
      onPage: async () => 'cancel',
    })
    const { length } = await port.tools()
    port.close()
    return { isUsable: true, message: `${length} tools` }
  } catch (error) {
    if (error instanceof ToolServerProblem && error.needsSignIn)
      return { isUsable: false, message: `asks for a sign-in: svc mcp login ${name}` }
    return { isUsable: false, message: error instanceof Error ? error.message : 'failed' }
  }
}
