const generatedName =
  /(\.pb\.(go|cc|h)|_pb2(_grpc)?\.pyi?|\.g\.(cs|dart)|\.generated\.[a-z]+|\.gen\.[a-z]+|\.min\.(js|css)|_generated\.[a-z]+|\.designer\.cs)$/i
const banner =
  /(@generated\b|code generated .* do not edit|auto-?generated (file|by)|do not edit (this file )?(by hand|manually))/i
/** A banner stands at the top; further down the words are prose about generated files. */
const bannerCharsMax = 600

export function isGeneratedFile(path: string, text: string): boolean {
  return generatedName.test(path) || banner.test(text.slice(0, bannerCharsMax))
}
