/** Reads a QR code as a camera would, from its modules. */
import decodeQR from 'qr/decode.js'

/** Pixels that a module is wide. */
const scale = 6

export function readCode(size: number, isDark: (x: number, y: number) => boolean): string {
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (let y = 0; y < width; y += 1)
    for (let x = 0; x < width; x += 1)
      if (isDark(Math.floor(x / scale), Math.floor(y / scale)))
        data.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3)
  return decodeQR({ width, height: width, data })
}
