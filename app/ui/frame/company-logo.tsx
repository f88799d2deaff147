/** A logo as pages show it: its address and its size in pixels. */
export type LogoPicture = { src: string; width: number; height: number };

export const pictureOf = (logo: { version: string; width: number; height: number } | null): LogoPicture | null =>
  logo && { src: `/company-logo/${logo.version}`, width: logo.width, height: logo.height };

const widest = 4;

type Props = { logo: LogoPicture | null | undefined; size?: number; name?: string };

/** The logo, or the mark without one; nothing moves when it loads. `name`: where none stands beside it. */
export function CompanyLogo({ logo, size = 28, name = '' }: Props) {
  if (!logo) return <Mark size={size} />;
  const ratio = Math.min(widest, logo.width / logo.height);
  return (
    // biome-ignore lint/performance/noImgElement: next/image would scale nothing here and adds a script
    <img
      className="company-logo"
      src={logo.src}
      alt={name}
      width={Math.round(size * ratio)}
      height={size}
      decoding="async"
    />
  );
}

/** The mark, a kentongan (slit drum), as in `app/icon.svg`. Screen readers skip it: a name stands beside it. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 64 64" className="mark">
      <rect width="64" height="64" rx="15" fill="var(--accent-fill)" />
      <path d="M15 20a8 8 0 0 1 16 0v24a8 8 0 0 1-16 0z" fill="#fff" />
      <path d="M23 21v22" stroke="var(--accent-fill)" strokeWidth="3.6" strokeLinecap="round" />
      <path
        d="M38 23.5a12 12 0 0 1 0 17M44.5 17a21 21 0 0 1 0 30"
        fill="none"
        stroke="#fff"
        strokeWidth="4.2"
        strokeLinecap="round"
      />
    </svg>
  );
}
