import { metadataKeyPage } from '../../core/vocabulary.ts'
import { words } from '../locales/words.ts'

/** Where the key of the metadata provider comes from. */
export function MetadataKeyLink() {
  return (
    <>
      {' '}
      {words.value.firstSteps.keyIsFree}{' '}
      <a class="link" href={metadataKeyPage} target="_blank" rel="noreferrer">
        {metadataKeyPage.replace('https://www.', '')}
      </a>
    </>
  )
}
