import { useTranslations } from 'next-intl';

const indonesian = [
  { value: 'Asia/Jakarta', label: 'WIB (Jakarta)' },
  { value: 'Asia/Makassar', label: 'WITA (Makassar)' },
  { value: 'Asia/Jayapura', label: 'WIT (Jayapura)' },
];

/** Returns the time zones as options: Indonesia's three by their usual names, then all others. */
export function useZoneOptions(zones: string[]) {
  const t = useTranslations('setup');
  const others = zones.filter((name) => !indonesian.some(({ value }) => value === name));
  return [
    { group: t('indonesia'), items: indonesian },
    { group: t('elsewhere'), items: others },
  ];
}
