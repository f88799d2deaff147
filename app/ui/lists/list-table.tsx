import '#app/ui/lists/lists.css';
import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties, PropsWithChildren, ReactNode } from 'react';
import { RepeatGroup } from '#app/ui/lists/repeat-group.tsx';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime, TimeOf } from '#app/ui/text/timestamp.tsx';

/**
 * A column of a list: its name, and its width on a desktop as a track of a CSS grid. A `quiet` name is read out only. A
 * `wide` column needs 1100 px. `head` stands in the place of the name, for example a checkbox for all rows. The name of a
 * `noted` column is hidden while no row has a `Note`.
 */
export type ListColumn = {
  name: string;
  width: string;
  quiet?: boolean;
  wide?: boolean;
  end?: boolean;
  head?: ReactNode;
  noted?: boolean;
};

/** A list of dense rows of 46 px; below 768 px they are two lines of 64 px, placed by `at` of the cells. */
export function ListTable({ label, columns, children }: { label: string; columns: ListColumn[]; children: ReactNode }) {
  const tracks = (visible: ListColumn[]) => visible.map(({ width }) => width).join(' ');
  const style = {
    '--list-columns': tracks(columns),
    '--list-columns-narrow': tracks(columns.filter(({ wide }) => !wide)),
  };
  return (
    <table className="list" aria-label={label} style={style as CSSProperties}>
      <thead>
        <tr>
          {columns.map(({ name, quiet, wide, end, head, noted }) => (
            <th
              key={name}
              scope="col"
              data-wide={wide || undefined}
              data-end={end || undefined}
              data-noted={noted}
              data-at={head === undefined ? undefined : 'lead'}
            >
              {head}
              {quiet || head ? <VisuallyHidden>{name}</VisuallyHidden> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

type RowProps = { chosen?: boolean; nested?: boolean; faded?: boolean; [data: `data-${string}`]: unknown };

/**
 * A row of a `ListTable`. A `RowLink` in it makes the whole row the target of its link. A `nested` one belongs to that
 * above it, as one of several repeats; a `faded` one shows something that is over or switched off.
 */
export function ListRow({ chosen, nested, faded, children, ...data }: PropsWithChildren<RowProps>) {
  const mark = (on: boolean | undefined) => on || undefined;
  return (
    <tr className="list-row" data-chosen={mark(chosen)} data-nested={mark(nested)} data-faded={mark(faded)} {...data}>
      {children}
    </tr>
  );
}

export type CellPlace = 'lead' | 'main' | 'second' | 'aside' | 'note' | 'menu';

type Props = {
  at?: CellPlace;
  wide?: boolean;
  end?: boolean;
  phone?: boolean;
  time?: Date | string | null;
  what?: string;
};

/**
 * A cell of a `ListRow`, in the order of the columns. On a phone `lead` is left over both lines, `main` is the first
 * line, `second` and `aside` are the other one, a `note` below them is whole, `menu` is right; a cell without a place
 * is not shown there. Only a phone shows a `phone` cell. `what` happened at the `time`: a phone has no head that says
 * it. A `PickPerson` in `lead` takes the place of what follows it, while rows are chosen inside of an element with
 * `data-choosing`.
 */
export function Cell({ at, wide, end, phone, time, what, children }: PropsWithChildren<Props>) {
  return (
    <td data-at={at} data-wide={wide || undefined} data-end={end || undefined} data-phone={phone || undefined}>
      {time && (what ? <TimeOf what={what} at={time} inColumn /> : <ShortTime at={time} />)}
      {children}
    </td>
  );
}

/** The link of a row, in its `main` cell. The whole row is its target; buttons lie above it. */
export function RowLink({ href, label, children }: { href: string; label?: string; children: ReactNode }) {
  return (
    <PageLink href={href} className="row-link" aria-label={label}>
      <bdi>{children}</bdi>
    </PageLink>
  );
}

type NoteProps = { tone?: 'attention' | 'loss'; label?: string; onPress?: () => void; children: ReactNode };

/** What is out of the ordinary about a row; a `tone` asks for something, `onPress` opens what helps. */
export function Note({ tone, label, onPress, children }: NoteProps) {
  if (onPress)
    return (
      <button type="button" className="note row-button" data-tone={tone} aria-label={label} onClick={onPress}>
        {children}
      </button>
    );
  return (
    <span className="note" data-tone={tone}>
      {children}
    </span>
  );
}

type RepeatsProps<Item> = {
  items: Item[];
  /** The text that neighbours with the same content share. */
  sameAs: (item: Item) => string;
  /** How many rows there are at most, of which each may stand for several items. */
  most?: number;
  /** The row of one item; of several, which has a `RepeatToggle`; or `nested` below that. */
  row: (items: [Item, ...Item[]], nested?: boolean) => ReactNode;
};

/** The rows of a list, with neighbours of the same content behind one row. The first is the newest. */
export function RepeatRows<Item>({ items, sameAs, most, row }: RepeatsProps<Item>) {
  const groups = groupRepeats(items, sameAs).slice(0, most);
  return groups.map((same) => {
    if (same.length === 1) return row(same);
    return (
      <RepeatGroup key={`from ${items.indexOf(same[0])}`} head={row(same)}>
        {same.map((item) => row([item], true))}
      </RepeatGroup>
    );
  });
}

export function ListDetail({ children }: { children: ReactNode }) {
  return (
    <tr className="list-detail">
      <td data-at="detail">{children}</td>
    </tr>
  );
}

const hues = [174, 205, 232, 262, 318, 346, 18, 38, 88, 140];

/** Initials in a colour that follows from the name. Screen readers skip them: the name stands beside them. */
export function Initials({ name }: { name: string }) {
  const hash = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 0);
  return (
    <span aria-hidden className="initials" style={{ '--hue': hues[hash % hues.length] } as CSSProperties}>
      {initialsOf(name)}
    </span>
  );
}

// The first letters of the first and the last word of a name, in capitals. A number counts only where there is no word.
function initialsOf(name: string): string {
  const words = name.match(/(?<!\S)\p{L}\S*/gu) ?? name.match(/\p{N}\S*/gu) ?? [];
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x3f).toUpperCase()).join('') || '?';
}
