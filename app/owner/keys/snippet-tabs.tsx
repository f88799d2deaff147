'use client';

import { Anchor, Tabs, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type SnippetLanguage, snippetLanguages, snippets } from '#app/owner/keys/snippets.ts';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

const names: Record<SnippetLanguage, string> = {
  curl: 'curl',
  php: 'PHP',
  python: 'Python',
  node: 'Node',
  n8n: 'n8n',
};

/** Sample programs that contain the key and run without changes, one tab per language. */
export function SnippetTabs({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) {
  const t = useTranslations('keys');
  const parts = { url: `${baseUrl}/api/v1/notif.php`, key: apiKey, title: t('curlTitle'), body: t('curlBody') };
  return (
    <div className="snippet-tabs">
      <Text fw={600} mb={4}>
        {t('snippets')}
      </Text>
      <Tabs defaultValue={snippetLanguages[0]} keepMounted={false}>
        <Tabs.List>
          {snippetLanguages.map((language) => (
            <Tabs.Tab key={language} value={language} px="sm">
              {names[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippetLanguages.map((language) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <Text size="sm" c="dimmed" mb="xs">
              {t(`snippetNote.${language}`)}{' '}
              <Anchor href={`/docs/recipes/${language}`} target="_blank" rel="noopener" inherit>
                {t('snippetRecipe', { language: names[language] })}
              </Anchor>
            </Text>
            <CopyField
              label={t('snippetLabel', { language: names[language] })}
              value={snippets[language](parts)}
              copyLabel={t('copySnippet')}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
