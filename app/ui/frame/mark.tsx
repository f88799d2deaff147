/**
 * The service's mark: a kentongan, the slit drum that calls a village, and its sound. The same
 * drawing is in `app/icon.svg`. Screen readers skip it, so a name must stand beside it.
 */
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
