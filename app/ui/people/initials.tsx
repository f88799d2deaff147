import type { CSSProperties } from 'react';

const hues = [174, 205, 232, 262, 318, 346, 18, 38, 88, 140];

/** Initials in a colour that follows from the name. Screen readers skip them: the name stands beside them. */
export function Initials({ name }: { name: string }) {
  const hue = hues[colourOf(name)];
  return (
    <span aria-hidden className="initials" style={{ '--hue': hue } as CSSProperties}>
      {initialsOf(name)}
    </span>
  );
}

/** The first letters of the first and the last word of a name, in capitals. A number counts only where there is no word. */
export function initialsOf(name: string): string {
  const words = name.match(/(?<!\S)\p{L}\S*/gu) ?? name.match(/\p{N}\S*/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x3f).toUpperCase()).join('') || '?';
}

function colourOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % hues.length;
}
