import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { MenuPage } from '#app/signed-in/menu.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';

const SearchDialog = whenNeeded(() => import('#app/signed-in/search-dialog.tsx'), 'SearchDialog');

/** Opens the search in everything; so does Ctrl K. */
export function SearchButton({ pages }: { pages: MenuPage[] }) {
  const t = useTranslations('search');
  const [opened, setOpened] = useState(false);
  useHotkeys([['mod+K', () => setOpened(true)]], []);
  return (
    <>
      <button type="button" className="icon-button" aria-label={t('open')} onClick={() => setOpened(true)}>
        <Search aria-hidden size={22} />
      </button>
      {opened && <SearchDialog pages={pages} onClose={() => setOpened(false)} />}
    </>
  );
}
