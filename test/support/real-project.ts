import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { indexedPackage } from './indexed-package.ts'
import { serve, type TestViewer } from './viewer-server.ts'

export interface RealProject {
  readonly name: string
  readonly viewer: TestViewer
  dispose(): Promise<void>
}

/** An installed package's sources, served by a viewer in this process. */
export async function serveRealProject(name: string): Promise<RealProject> {
  const project = await indexedPackage(name)
  const viewer = await serve(indexPlace(project.root, undefined), { isWatchWanted: true })
  return {
    name,
    viewer,
    async dispose() {
      await viewer.running.close()
      project.dispose()
    },
  }
}
