import type { ReactNode } from 'react';

/**
 * The heading of a page, its lead sentence, and its main action on the right. `compact`: above a
 * list, in one line also on a phone.
 */
export function PageHead({
  title,
  lead,
  compact,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  compact?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="page-head" data-compact={compact || undefined}>
      <div>
        <h1>{title}</h1>
        {lead && <div className="page-lead">{lead}</div>}
      </div>
      {children}
    </div>
  );
}
