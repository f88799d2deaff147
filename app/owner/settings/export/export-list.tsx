import { Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { getExportStage } from '#app/owner/settings/export/export-state.ts';
import { useExactTime } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { type Export, listExports } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

/** The exports that are ready or in progress. */
export async function ExportList({ owner }: { owner: Owner }) {
  const t = await getTranslations('exports');
  const exported = await listExports(owner);
  if (exported.length === 0) return null;
  return (
    <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('list')}>
      {exported.map((one) => (
        <li key={one.id}>
          <Entry exported={one} />
        </li>
      ))}
    </Stack>
  );
}

async function Entry({ exported }: { exported: Export }) {
  const t = await getTranslations('exports');
  return (
    <TextLink href={`/owner/settings/export/${exported.id}`}>
      <EntryText state={t(`state.${getExportStage(exported)}`)} at={exported.createdAt} />
    </TextLink>
  );
}

function EntryText({ state, at }: { state: string; at: Date }) {
  const { full } = useExactTime(at);
  return `${full} · ${state}`;
}
