import { Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { useExactTime } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { type Export, listExports } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

/** The copies that can be fetched or are being made. */
export async function ExportList({ owner }: { owner: Owner }) {
  const t = await getTranslations('exports');
  const copies = await listExports(owner);
  if (copies.length === 0) return null;
  return (
    <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('list')}>
      {copies.map((copy) => (
        <li key={copy.id}>
          <Entry copy={copy} />
        </li>
      ))}
    </Stack>
  );
}

async function Entry({ copy }: { copy: Export }) {
  const t = await getTranslations('exports');
  const state = copy.finishedAt ? 'ready' : copy.failedAt ? 'failed' : 'making';
  return (
    <TextLink href={`/owner/settings/export/${copy.id}`}>
      <EntryText state={t(`state.${state}`)} at={copy.createdAt} />
    </TextLink>
  );
}

function EntryText({ state, at }: { state: string; at: Date }) {
  const { full } = useExactTime(at);
  return `${full} · ${state}`;
}
