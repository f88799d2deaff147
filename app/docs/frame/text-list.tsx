import { addressOf, type DocsText } from '#app/docs/texts/texts.ts';

/** A list of links to texts, each with its summary. */
export function TextList({ texts }: { texts: DocsText[] }) {
  return (
    <ul className="docs-list">
      {texts.map(({ slug, title, summary }) => (
        <li key={slug}>
          <a href={addressOf(slug)}>{title}</a>
          <span>{summary}</span>
        </li>
      ))}
    </ul>
  );
}
