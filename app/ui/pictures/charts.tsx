import '#app/ui/pictures/charts.css';
import { ProgressRoot, ProgressSection } from '@mantine/core';
import { useFormatter } from 'next-intl';
import type { ReactNode } from 'react';
import { FactRows } from '#app/ui/lists/facts.tsx';

/** One bar: `label` names it in the list, `short` stands below it in the picture, where it fits. */
type Bar = { label: string; short?: string; value: number };

const width = 28;
const gap = 8;
const height = 96;

/** Values as bars, and folded as a list. `label` says what they show, with the most important figure. */
export function Bars({ label, figuresText, bars }: { label: string; figuresText: string; bars: Bar[] }): ReactNode {
  const format = useFormatter();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const full = bars.length * (width + gap) - gap;
  return (
    <div className="picture">
      <svg role="img" aria-label={label} viewBox={`0 0 ${full} ${height + 40}`} className="bars" fontSize={full / 40}>
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
      <details>
        <summary>{figuresText}</summary>
        <FactRows rows={bars.map((bar) => ({ name: bar.label, value: format.number(bar.value) }))} />
      </details>
    </div>
  );
}

/** How a part of a bar looks: filled in a colour, or an outline for what has only begun. */
type Tone = 'accent' | 'outline' | 'attention';

export const Swatch = ({ tone }: { tone: Tone }) => <span aria-hidden className="swatch" data-tone={tone} />;

type ShareProps = { label: string; parts: { label: string; value: number; tone: Tone }[]; total: number };

/** The parts of a whole as one bar; the rest stays empty. `label` says it in words: "12 of 55 have read it". */
export function ShareBar({ label, parts, total }: ShareProps) {
  return (
    <ProgressRoot role="img" aria-label={label} bg="var(--line)">
      {parts.map(({ label: name, value, tone }) => (
        <ProgressSection
          key={name}
          withAria={false}
          title={`${name}: ${value}`}
          data-tone={tone}
          value={Math.min(100, (100 * value) / Math.max(1, total))}
        />
      ))}
    </ProgressRoot>
  );
}

/** Values over time, for a row, or `isLarge` over the width of a page. `label` says it; the page has the figures. */
export function SparkLine({ label, values, isLarge }: { label: string; values: number[]; isLarge?: boolean }) {
  const most = Math.max(1, ...values);
  const step = 4;
  const barOf = (value: number, index: number) =>
    value === 0 ? '' : `M${index * step} 20v-${Math.max(2, (value / most) * 20)}h3V20z`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * step} 20`}
      preserveAspectRatio={isLarge ? 'none' : undefined}
      className="spark-line"
      data-large={isLarge}
    >
      <path className="bar-empty" d={values.map((_, index) => `M${index * step} 19h3v1h-3z`).join('')} />
      <path className="bar" d={values.map(barOf).join('')} />
    </svg>
  );
}
