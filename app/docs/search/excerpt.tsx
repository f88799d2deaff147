const before = 60;
const length = 220;

/** The part of a text around the first of the words, with all of them marked. */
export function Excerpt({ text, words }: { text: string; words: string[] }) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const any = new RegExp(`(${escaped.join('|') || '$.'})`, 'giu');
  const at = Math.max(0, text.search(any));
  const from = at < before ? 0 : text.indexOf(' ', at - before) + 1;
  const part = text.slice(from, from + length);
  // A word never begins at the same place twice, so the place names it.
  const places = part
    .split(any)
    .map((piece, index, all) => ({ piece, index, place: all.slice(0, index).join('').length }));
  return (
    <span>
      {from > 0 && '… '}
      {places.map(({ piece, index, place }) =>
        index % 2 === 1 ? <mark key={`${place} ${piece}`}>{piece}</mark> : piece,
      )}
      {from + length < text.length && ' …'}
    </span>
  );
}
