import type { CSSProperties } from 'react';

const hues = [174, 205, 232, 262, 318, 346, 18, 38, 88, 140];

/** Initials in a colour that follows from the name. Screen readers skip them: the name stands beside them. */
export function Initials({ name }: { name: string }) {
  const hash = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 0);
  return (
    <span aria-hidden className="initials" style={{ '--hue': hues[hash % hues.length] } as CSSProperties}>
      {initialsOf(name)}
    </span>
  );
}

// The first letters of the first and the last word of a name, in capitals. A number counts only where there is no word.
function initialsOf(name: string): string {
  const words = name.match(/(?<!\S)\p{L}\S*/gu) ?? name.match(/\p{N}\S*/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x3f).toUpperCase()).join('') || '?';
}
