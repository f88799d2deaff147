import type { ReactNode } from 'react';

export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title?: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty-state">
      {icon}
      {title && <strong>{title}</strong>}
      <div className={title ? 'dimmed' : undefined}>{text}</div>
      {children}
    </div>
  );
}
