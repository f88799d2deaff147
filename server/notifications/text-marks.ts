const marks = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

export type Mark = (typeof marks)[keyof typeof marks];

/** A part of a text and its marks, the outer one first. */
export type Piece = { text: string; marks: Mark[] };

// A sign marks a text only between words, so that names, sums and addresses keep theirs.
const canPrecede = /^[\s"'“‘([{<—–*_~-]$/u;
const canFollow = /^[\s"'”’)\]}>.,;:!?…—–*_~-]$/u;
const lineEnd = /[\n\r\u2028\u2029]/;

function findClosing(letters: string[], opening: number): number {
  const sign = letters[opening];
  for (let index = opening + 1; index < letters.length; index++) {
    const letter = letters[index] ?? '';
    if (lineEnd.test(letter)) return -1;
    const [before = '', after] = [letters[index - 1], letters[index + 1]];
    const follows = after === undefined || (after !== sign && canFollow.test(after));
    if (letter === sign && index > opening + 1 && before !== sign && !/\s/u.test(before) && follows) return index;
  }
  return -1;
}

/** A text as it is read out: without the signs of its marks. */
export const withoutMarks = (text: string): string => splitMarks(text).reduce((all, piece) => all + piece.text, '');

/** Splits a text at `*bold*`, `_italic_` and `~struck~` in one line, as WhatsApp. The signs are left out. */
export function splitMarks(text: string, outer: Mark[] = []): Piece[] {
  const letters = [...text];
  const pieces: Piece[] = [];
  let from = 0;
  const keep = (until: number) => {
    if (until > from) pieces.push({ text: letters.slice(from, until).join(''), marks: outer });
  };
  for (let index = 0; index < letters.length; index++) {
    const [sign = '', before, after = ' '] = [letters[index], letters[index - 1], letters[index + 1]];
    const mark = sign in marks ? marks[sign as keyof typeof marks] : undefined;
    const opens =
      (before === undefined || (before !== sign && canPrecede.test(before))) && after !== sign && !/\s/u.test(after);
    const closing = mark && opens && !outer.includes(mark) ? findClosing(letters, index) : -1;
    if (!mark || closing === -1) continue;
    keep(index);
    pieces.push(...splitMarks(letters.slice(index + 1, closing).join(''), [...outer, mark]));
    from = closing + 1;
    index = closing;
  }
  keep(letters.length);
  return pieces;
}
