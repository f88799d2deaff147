/** A part of a whole: how many, and the tone of its colour. */
export type Share = { label: string; value: number; tone: 'good' | 'accent' | 'soft' | 'attention' | 'loss' };

/**
 * The parts of a whole as one bar. What the parts leave of `total` stays empty. `label` says it in
 * words, for example "12 of 55 have read it".
 */
export function ShareBar({ label, parts, total }: { label: string; parts: Share[]; total: number }) {
  return (
    <span role="img" aria-label={label} className="share-bar">
      {parts
        .filter(({ value }) => value > 0)
        .map(({ label: name, value, tone }) => (
          <span
            key={name}
            title={`${name}: ${value}`}
            className="share-part"
            data-tone={tone}
            style={{ width: `${Math.min(100, (100 * value) / Math.max(1, total))}%` }}
          />
        ))}
    </span>
  );
}
