/**
 * Files that are made to end or stall the indexer, each given to the real program in a folder of its own: no file may end
 * it, and none may cost more than two seconds of a processor and 256 MiB beyond what a harmless file of its language does.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type MeasuredRun, measuredRun } from '../support/measured-process.ts'
import { type ParserBomb, parserBombs } from '../support/parser-bombs.ts'
import type { AttackGroup, AttackOutcome } from './attack.ts'

const cpuMsMax = 2000
const bytesMax = 256 * 1024 * 1024
const patienceMs = 60_000
const program = path.join(import.meta.dirname, '../../bin/indexer.mjs')

async function indexed(file: string, text: string): Promise<MeasuredRun> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-bomb-'))
  try {
    writeFileSync(path.join(folder, file), text)
    return await measuredRun([process.execPath, program, 'init', folder, '--json'], {
      cwd: folder,
      timeoutMs: patienceMs,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Long enough that it is read the way long files are. */
function harmless(file: string): string {
  const line = /\.(py|rb)$/.test(file) ? '# a b c d e f\n' : '// a b c d e f\n'
  return `${file.endsWith('.php') ? '<?php\n' : ''}${line.repeat(5000)}`
}

function judged(bomb: ParserBomb, run: MeasuredRun, usual: MeasuredRun): AttackOutcome {
  const attack = `${bomb.file}: ${bomb.name}`
  const cpuMs = Math.max(0, run.cpuMs - usual.cpuMs)
  const bytes = Math.max(0, run.residentBytesMax - usual.residentBytesMax)
  const detail = `${cpuMs} ms of a processor, ${Math.round(bytes / 1024 / 1024)} MiB`
  if (run.status !== 0) return { attack, fate: 'hole', detail: `the indexer ended with ${run.status ?? 'a signal'}` }
  const report = JSON.parse(run.stdout) as { files: number }
  const isBounded = report.files === 1 && cpuMs <= cpuMsMax && bytes <= bytesMax
  return { attack, fate: isBounded ? 'bounded' : 'hole', detail }
}

export const parserBombGroup: AttackGroup = {
  name: 'parser-bombs',
  about: 'files that end, stall or fill what reads them',
  async run({ isShort, log }) {
    const outcomes: AttackOutcome[] = []
    const usual = new Map<string, MeasuredRun>()
    for (const bomb of parserBombs.filter((one) => !isShort || one.isShort === true)) {
      const kind = path.extname(bomb.file)
      const before = usual.get(kind) ?? (await indexed(bomb.file, harmless(bomb.file)))
      usual.set(kind, before)
      const outcome = judged(bomb, await indexed(bomb.file, bomb.text()), before)
      log(`${outcome.fate}  ${outcome.attack}  ${outcome.detail ?? ''}`)
      outcomes.push(outcome)
    }
    return outcomes
  },
}
