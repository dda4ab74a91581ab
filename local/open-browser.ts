/** Opens an address in the owner's browser: the system's way, or the program that he names; `none` leaves it to him. */
import { spawn } from 'node:child_process'

export function openBrowser(address: string, setting: string | undefined, onFailed: () => void): void {
  if (setting !== undefined && ['', 'none', '0', 'false', 'off'].includes(setting)) return
  const command =
    setting ?? (process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open')
  const child = spawn(command, [address], { stdio: 'ignore', detached: true })
  child.on('error', onFailed)
  child.unref()
}
