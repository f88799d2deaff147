import '#app/ui/frame/company-logo.css';
import { Mark } from '#app/ui/frame/mark.tsx';

/** A logo as pages show it: its address and its size in pixels. */
export type LogoPicture = { src: string; width: number; height: number };

/** The picture of a stored logo, for people who are signed in and on the sign-in page. */
export const pictureOf = (logo: { version: string; width: number; height: number } | null): LogoPicture | null =>
  logo && { src: `/company-logo/${logo.version}`, width: logo.width, height: logo.height };

const widest = 4;

/**
 * The company's logo, or the service's mark without one. The space is known before the picture is
 * there, so nothing moves. `name` only where no name stands beside it.
 */
export function CompanyLogo({
  logo,
  size = 28,
  name = '',
}: {
  logo: LogoPicture | null | undefined;
  size?: number;
  name?: string;
}) {
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
