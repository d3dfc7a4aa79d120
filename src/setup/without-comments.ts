const PIECE =
  /"(?:[^"\\\n]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** JSON as editors have it, with comments and commas after the last item: these become spaces, and places stay. */
export function withoutComments(text: string): string {
  return text.replace(PIECE, (piece) => (piece.startsWith('"') ? piece : piece.replace(/[^\r\n]/g, " ")));
}
