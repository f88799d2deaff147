import type { ReactNode } from 'react';

type Props = { icon: ReactNode; title?: string; text: string; children?: ReactNode };

export function EmptyState({ icon, title, text, children }: Props) {
  return (
    <div className="empty-state">
      {icon}
      {title && <strong>{title}</strong>}
      <div className={title ? 'dimmed' : undefined}>{text}</div>
      {children}
    </div>
  );
}
