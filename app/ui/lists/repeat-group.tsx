'use client';

import { ChevronRight } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';

const Opened = createContext<{ open: boolean; toggle: () => void }>({ open: true, toggle: () => {} });

/** Repeats behind the row `head`, which has a `RepeatToggle`. It adds no element to a table or list. */
export function RepeatGroup({ head, children }: { head: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Opened value={{ open, toggle: () => setOpen(!open) }}>
      {head}
      {open && children}
    </Opened>
  );
}

/** Opens and closes its `RepeatGroup`, and says how many are behind it: "Stok malam ×6". Its whole row is its target. */
export function RepeatToggle({ count, children }: { count?: number; children: ReactNode }) {
  const { open, toggle } = useContext(Opened);
  return (
    <button type="button" className="row-link repeat-toggle" aria-expanded={open} onClick={toggle}>
      <bdi>{children}</bdi>
      {count && <span className="repeat-count">×{count}</span>}
      <ChevronRight size={16} className="repeat-arrow" />
    </button>
  );
}
