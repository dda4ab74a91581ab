import { type NodeGateway, type NodeGatewayOptions, startNodeGateway } from '../../local/gateway/node-server.ts'
import { unwrap } from './unwrap.ts'

/** The gateway as a server of this process, on any free port. */
export async function gatewayOnNode(
  environment: NodeGatewayOptions['environment'],
  more: Pick<NodeGatewayOptions, 'requestMsMax'> & Partial<Pick<NodeGatewayOptions, 'log'>> = {},
): Promise<NodeGateway> {
  return unwrap(await startNodeGateway({ environment, port: 0, hostname: '127.0.0.1', log: () => {}, ...more }))
}
