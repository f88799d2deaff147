'use client';

import { Anchor, Tabs, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { CopyField } from '#app/ui/forms/copy-field.tsx';

const names = { curl: 'curl', php: 'PHP', python: 'Python', node: 'Node', n8n: 'n8n' };

type SnippetLanguage = keyof typeof names;
const languages = Object.keys(names) as SnippetLanguage[];

/** Sample programs that contain the key and run without changes, one tab per language. */
export function SnippetTabs({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }) {
  const t = useTranslations('keys');
  const parts = { url: `${baseUrl}/api/v1/notif.php`, key: apiKey, title: t('curlTitle'), body: t('curlBody') };
  return (
    <div className="snippet-tabs">
      <Text fw={600} mb={4}>
        {t('snippets')}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {languages.map((language) => (
            <Tabs.Tab key={language} value={language} px="sm">
              {names[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((language) => (
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

type SnippetParts = { url: string; key: string; title: string; body: string };

// Programs and a workflow that notify all employees.
const snippets: Record<SnippetLanguage, (parts: SnippetParts) => string> = {
  curl: ({ url, key, ...texts }) => `curl -X POST '${url}' \\
  -H 'X-API-Key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${asJson(texts)}'`,

  php: ({ url, key, ...texts }) => `<?php
$request = curl_init('${url}');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => ['X-API-Key: ${key}', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => '${asJson(texts)}',
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($request);`,

  python: ({ url, key, title, body }) => `import json
import urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({"judul": "${title}", "isi": "${body}"}).encode(),
    headers={"X-API-Key": "${key}", "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())`,

  node: ({ url, key, title, body }) => `fetch('${url}', {
  method: 'POST',
  headers: { 'X-API-Key': '${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify({ judul: '${title}', isi: '${body}' }),
}).then(async (response) => console.log(await response.text()));`,

  n8n: (parts) => JSON.stringify(asWorkflow(parts), null, 2),
};

const asJson = ({ title, body }: { title: string; body: string }) => JSON.stringify({ judul: title, isi: body });

function asWorkflow({ url, key, title, body }: SnippetParts): object {
  const request = {
    parameters: {
      method: 'POST',
      url,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'X-API-Key', value: key }] },
      sendBody: true,
      bodyParameters: {
        parameters: [
          { name: 'judul', value: title },
          { name: 'isi', value: body },
        ],
      },
      options: {},
    },
    id: 'send',
    name: 'Staff notification',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [220, 0],
  };
  const trigger = {
    parameters: {},
    id: 'start',
    name: 'Start',
    type: 'n8n-nodes-base.manualTrigger',
    typeVersion: 1,
    position: [0, 0],
  };
  const connections = { Start: { main: [[{ node: request.name, type: 'main', index: 0 }]] } };
  return { nodes: [trigger, request], connections };
}
