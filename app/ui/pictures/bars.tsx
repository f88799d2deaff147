import type { ReactNode } from 'react';
import { PictureTable } from '#app/ui/pictures/picture-table.tsx';

/** One bar: `label` names it in the table, `short` stands below it in the picture, where it fits. */
export type Bar = { label: string; short?: string; value: number };

const width = 28;
const gap = 8;
const height = 96;

/**
 * Values as bars, with a table behind them. `label` says what the picture shows, in a sentence with
 * its most important figure. `columns` are the heads of the table.
 */
export function Bars({
  label,
  columns,
  tableText,
  bars,
}: {
  label: string;
  columns: [string, string];
  tableText: string;
  bars: Bar[];
}): ReactNode {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const full = bars.length * (width + gap) - gap;
  return (
    <div className="picture">
      <svg role="img" aria-label={label} viewBox={`0 0 ${full} ${height + 40}`} className="bars">
        {bars.map(({ label: name, short, value }, index) => {
          const tall = value === 0 ? 2 : Math.max(4, (value / most) * height);
          const left = index * (width + gap);
          return (
            <g key={name} className="bar-group">
              <title>{`${name}: ${value}`}</title>
              <rect
                x={left}
                y={height + 18 - tall}
                width={width}
                height={tall}
                rx="3"
                className={value === 0 ? 'bar-empty' : 'bar'}
              />
              {value > 0 && (
                <text x={left + width / 2} y={height + 12 - tall} className="bar-value">
                  {value > 9999 ? `${Math.round(value / 1000)}k` : value}
                </text>
              )}
              {short && (
                <text x={left + width / 2} y={height + 36} className="bar-label">
                  {short}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <PictureTable text={tableText} columns={columns} rows={bars.map((bar) => [bar.label, bar.value])} />
    </div>
  );
}
