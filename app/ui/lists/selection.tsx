import '#app/ui/lists/lists.css';
import { Button, Group, Text } from '@mantine/core';
import { useLongPress, useSelection as useRows, useWindowEvent } from '@mantine/hooks';
import { ChevronUp, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ActionButtons, MenuBehind } from '#app/ui/lists/action-menu.tsx';
import { Cell, Initials } from '#app/ui/lists/list-table.tsx';
import type { ActionEntry } from '#app/ui/lists/opened-menu.tsx';

export type Selection = ReturnType<typeof useSelection>;

/** Which rows are chosen. `choosing`: a phone shows the boxes. `pick` with `through`: all from the last one to this. */
export function useSelection(ids: number[], all = false) {
  const [rows, { toggle, setSelection: choose }] = useRows({ data: ids, defaultSelection: all ? ids : [] });
  const [choosing, setChoosing] = useState(false);
  const [last, setLast] = useState<number>();
  const chosen = new Set(ids.filter((id) => rows.includes(id)));
  const toggleAll = () => choose(chosen.size === ids.length ? [] : ids);
  const pick = (id: number, through: boolean) => {
    const [from = 0, to = 0] = [ids.indexOf(last ?? id), ids.indexOf(id)].sort((one, other) => one - other);
    if (through) choose([...new Set([...chosen, ...ids.slice(from, to + 1)])]);
    else toggle(id);
    setLast(id);
  };
  const clear = () => {
    setLast(undefined);
    choose([]);
    setChoosing(false);
  };
  const isChosen = (id: number) => chosen.has(id);
  return { chosen, choosing, isChosen, pick, toggleAll, choose, setChoosing, clear };
}

// Calls back when a finger rests on an element. The click that follows does nothing.
function useHold(onHold: () => void) {
  const isHeld = useRef(false);
  const hold = () => {
    isHeld.current = true;
    onHold();
  };
  return {
    ...useLongPress(hold, { threshold: 500, cancelOnMove: true }),
    onPointerDown: () => {
      isHeld.current = false;
    },
    onContextMenu: (event: SyntheticEvent) => event.preventDefault(),
    onClickCapture: (event: SyntheticEvent) => {
      if (!isHeld.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

type PickBoxProps = { label: string; checked: boolean; mixed?: boolean; onChange: (through: boolean) => void };

// A checkbox of 44 px for a row, or for all rows; `mixed`: only some of them are chosen. A long press, and one with
// Shift, chooses `through` here.
function PickBox({ label, checked, mixed = false, onChange }: PickBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  // A person may have pressed it before this page ran its scripts.
  const catchUp = useEffectEvent(() => void (input.current?.checked !== checked && onChange(false)));
  const hold = useHold(() => onChange(true));
  useEffect(() => catchUp(), []);
  return (
    <label className="pick-box" {...hold}>
      <input
        type="checkbox"
        autoComplete="off"
        aria-label={label}
        checked={checked}
        ref={(box) => {
          input.current = box;
          if (box) box.indeterminate = mixed;
        }}
        onChange={({ nativeEvent }) => onChange('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </label>
  );
}

type PickAllProps = { label: string; selection: Selection; count: number };

/** A checkbox that chooses all rows of the page. `count` is their number. */
export function PickAll({ label, selection: { chosen, toggleAll }, count }: PickAllProps) {
  const isMixed = chosen.size > 0 && chosen.size < count;
  return <PickBox label={label} checked={chosen.size === count} mixed={isMixed} onChange={toggleAll} />;
}

type PickPersonProps = { label: string; selection: Selection; id: number; name: string };

/** The `lead` cell of a person's row: a checkbox that chooses it, and their initials. */
export function PickPerson({ label, selection, id, name }: PickPersonProps) {
  return (
    <Cell at="lead">
      <span className="list-lead-cell">
        <PickBox label={label} checked={selection.isChosen(id)} onChange={(through) => selection.pick(id, through)} />
        <Initials name={name} />
      </span>
    </Cell>
  );
}

/** What can be done with the chosen rows, at the foot of the page. A button and Escape choose none. */
export function BulkBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { chosen, choosing, clear } = selection;
  const t = useTranslations('filter');
  const isShown = chosen.size > 0 || choosing;
  useWindowEvent('keydown', (event) => {
    const isTaken = event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]');
    if (event.key === 'Escape' && isShown && !isTaken) clear();
  });
  if (!isShown) return null;
  return (
    <section className="bulk-bar" aria-label={t('chosenRows')}>
      <div>
        <strong role="status">{t('chosen', { count: chosen.size })}</strong>
        {chosen.size === 1 && (
          <Text size="xs" c="dimmed">
            {t('chooseThrough')}
          </Text>
        )}
      </div>
      <Group gap="xs" justify="flex-end" flex={1}>
        {chosen.size > 0 && children}
      </Group>
      <button type="button" className="icon-button" aria-label={t('chooseNone')} onClick={clear}>
        <X size={20} />
      </button>
    </section>
  );
}

/** Something to do with the chosen rows. `isForPhones`: a desktop has another control for it. */
export type BulkAction = ActionEntry & { isForPhones?: boolean };

/** The actions of a `BulkBar`: as buttons, on a phone as one button that opens a menu. */
export function BulkButtons({ actions }: { actions: BulkAction[] }) {
  const t = useTranslations('filter');
  if (actions.length === 0) return null;
  return (
    <>
      <span className="mantine-visible-from-sm">
        <ActionButtons entries={actions.filter(({ isForPhones }) => !isForPhones)} />
      </span>
      <span className="mantine-hidden-from-sm">
        <MenuBehind position="top-end" entries={actions}>
          <Button rightSection={<ChevronUp />}>{t('chosenActions')}</Button>
        </MenuBehind>
      </span>
    </>
  );
}
