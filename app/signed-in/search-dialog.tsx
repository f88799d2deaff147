import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { FileText, KeyRound, type LucideIcon, Search, Send, UserRound, Zap } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { MenuPage } from '#app/signed-in/menu.ts';
import { searchCompanyAction } from '#app/signed-in/search-actions.ts';
import { type FoundPlace, findPlaces } from '#app/signed-in/search-places.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';

const debounceMs = 200;

type Found = Extract<Awaited<ReturnType<typeof searchCompanyAction>>, { value: unknown }>['value'];

/** Finds pages, people, messages and keys. Enter opens the first, the arrow keys move between them. */
export function SearchDialog({ pages, onClose }: { pages: MenuPage[]; onClose: () => void }) {
  const t = useTranslations('search');
  const nav = useTranslations('nav');
  const [text, setText] = useState('');
  const [hits, setHits] = useState<Found>();
  const newest = useRef('');
  const lookUp = useDebouncedCallback(async (search: string) => {
    newest.current = search;
    const result = search === '' ? undefined : await searchCompanyAction({ search }).catch(() => undefined);
    if (newest.current === search) setHits(result && 'value' in result ? result.value : undefined);
  }, debounceMs);
  const nameOf = (place: FoundPlace) => ('page' in place ? nav(place.page) : t(`places.${place.place}`));
  const matching = findPlaces(text, pages, nameOf);
  const isNothing = hits && matching.length + hits.people.length + hits.sends.length + hits.keys.length === 0;
  const entry = (Icon: LucideIcon, href: string, name: string, more?: ReactNode) => (
    <li key={href}>
      <PageLink href={href} onClick={onClose}>
        <Icon />
        <bdi className="search-name">{name}</bdi>
        <span className="fine-print">{more}</span>
      </PageLink>
    </li>
  );
  return (
    <Dialog onClose={onClose} title={t('title')} yOffset="8dvh" centered={false}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from inside */}
      <div onKeyDown={moveFocus}>
        <TextInput
          data-autofocus
          type="search"
          aria-label={t('title')}
          placeholder={t('hint')}
          leftSection={<Search />}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            lookUp(value.trim());
          }}
        />
        <ul className="plain-list account-menu" aria-label={t('found')}>
          {matching.map((place) => entry('page' in place ? FileText : Zap, place.href, nameOf(place)))}
          {hits?.people.map(({ id, name, role }) => entry(UserRound, `/owner/employees/${id}`, name, role))}
          {hits?.sends.map(({ no, title, createdAt }) =>
            entry(Send, `/owner/sends/${no}`, title, <ShortTime at={createdAt} />),
          )}
          {hits?.keys.map(({ id, name }) => entry(KeyRound, `/owner/keys/${id}`, name))}
        </ul>
        <p role="status" className="dimmed">
          {isNothing && t('nothing')}
        </p>
      </div>
    </Dialog>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const place = places.indexOf(document.activeElement as HTMLElement);
  if (step) places[place + step]?.focus();
  else if (event.key === 'Enter' && place === 0) places[1]?.click();
  else return;
  event.preventDefault();
}
