import type { ReactNode } from 'react';

/** The heading of a page, its lead sentence, and its main action on the right. */
export function PageHead({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <div className="page-lead">{lead}</div>}
      </div>
      {children}
    </div>
  );
}
