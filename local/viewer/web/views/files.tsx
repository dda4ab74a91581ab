/** Files as they lie: a tree by folder, and beside it the folder or the file that the address names. */
import './files.css'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { Meter } from '../components/meter.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { useViewKeys } from '../keys.ts'
import { grouped } from '../locales/numbers.ts'
import { filesWords } from '../locales/words.ts'
import { href, isFolder, type Route } from '../model/address.ts'
import { FileView, Folders, languageNames, treeKey } from './file.tsx'
import { FileTree } from './file-tree.tsx'

export function FilesView({ route }: { route: Route }) {
  const path = route.detail
  return (
    <div class={isFolder(path) ? 'filesp' : 'filesp reading'}>
      {isFolder(path) ? <FolderPage folder={path.slice(0, -1)} /> : <FileView route={route} />}
      <FileTree path={path} />
    </div>
  )
}

/** What a folder holds in all. Its rows are those of the tree. */
function FolderPage({ folder }: { folder: string }) {
  const text = filesWords.value
  const answer = useAnswer(api.tree(folder))
  usePageTitle(folder === '' ? text.title : folder)
  useViewKeys([treeKey()])
  return (
    <article class="folder">
      <h1 class={folder === '' ? undefined : 'mono'}>{folder === '' ? text.title : <Folders path={folder} />}</h1>
      <Answered of={answer}>
        {({ files, leftOut, languages }) => (
          <>
            <p class="muted small">
              {files === 0 ? text.empty : text.files(files)}
              {leftOut === 0 ? null : (
                <span class="faint">
                  {' · '}
                  {text.leftOut(leftOut)}
                </span>
              )}
            </p>
            {files === 0 ? null : (
              <>
                <p class="btns">
                  <a class="btn" href={href('text', '', { path: folder === '' ? '' : `${folder}/` })}>
                    {text.inText}
                  </a>
                  <a class="btn" href={`${href('map')}?root=${encodeURIComponent(folder)}`}>
                    {text.onMap}
                  </a>
                </p>
                <section class="sec">
                  <SectionHead title={text.languages} count={grouped(languages.length)} />
                  <ul class="langs">
                    {languages.map((one) => (
                      <li key={one.language}>
                        <span>{languageNames[one.language] ?? one.language}</span>
                        <Meter part={one.files} of={files} />
                        <span class="num">{grouped(one.files)}</span>
                      </li>
                    ))}
                  </ul>
                </section>
              </>
            )}
          </>
        )}
      </Answered>
    </article>
  )
}
