const charactersBefore = 60;
const maxCharacters = 220;

/** The part of a text around the first of the words; all words are marked. */
export function Excerpt({ text, words }: { text: string; words: string[] }) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const any = new RegExp(`(${escaped.join('|') || '$.'})`, 'giu');
  const at = Math.max(0, text.search(any));
  const from = at < charactersBefore ? 0 : text.indexOf(' ', at - charactersBefore) + 1;
  const part = text.slice(from, from + maxCharacters);
  // The position in the text is a unique key.
  const places = part
    .split(any)
    .map((piece, index, all) => ({ piece, index, place: all.slice(0, index).join('').length }));
  return (
    <span>
      {from > 0 && '… '}
      {places.map(({ piece, index, place }) =>
        index % 2 === 1 ? <mark key={`${place} ${piece}`}>{piece}</mark> : piece,
      )}
      {from + maxCharacters < text.length && ' …'}
    </span>
  );
}
