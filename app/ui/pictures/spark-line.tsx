/**
 * A small picture of values over time, for a row of a list. `label` says it in words. Give the
 * figures as a table on the page that the row opens.
 */
export function SparkLine({ label, values }: { label: string; values: number[] }) {
  const most = Math.max(1, ...values);
  const step = 4;
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${values.length * step} 20`} className="spark-line">
      {values.map((value, index) => {
        const tall = value === 0 ? 1 : Math.max(2, (value / most) * 20);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a value is its place in time
            key={index}
            x={index * step}
            y={20 - tall}
            width={step - 1}
            height={tall}
            className={value === 0 ? 'bar-empty' : 'bar'}
          />
        );
      })}
    </svg>
  );
}
