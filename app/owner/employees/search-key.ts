import { useLocalStorage } from '@mantine/hooks';

/**
 * Whether the slash key moves the focus to the search field in this browser, and a function that
 * changes it. WCAG 2.1.4 requires that a shortcut of a single key can be switched off.
 */
export function useSearchKey(): [boolean, (on: boolean) => void] {
  const [stored, setStored] = useLocalStorage({ key: 'search-key', defaultValue: 'on', serialize: String });
  return [stored !== 'off', (on) => setStored(on ? 'on' : 'off')];
}
