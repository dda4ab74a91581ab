/** Projects and viewers of one test: they go when it is over. */
import { onTestFinished } from 'vitest'
import { createProject, serve, type TestProject, type TestViewer } from './viewer-server.ts'

export function projectInTest(sources: Readonly<Record<string, string>>): TestProject {
  const project = createProject(sources)
  onTestFinished(project.dispose)
  return project
}

export async function indexedInTest(sources: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = projectInTest(sources)
  await project.sync()
  return project
}

export async function servedInTest(...args: Parameters<typeof serve>): Promise<TestViewer> {
  const viewer = await serve(...args)
  onTestFinished(() => viewer.running.close())
  return viewer
}
