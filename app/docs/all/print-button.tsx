'use client';

/** Opens the browser's print window. */
export function PrintButton({ label }: { label: string }) {
  return (
    <button type="button" className="plain-button docs-print" onClick={() => window.print()}>
      {label}
    </button>
  );
}
