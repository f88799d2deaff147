/** The languages of the sample programs. */
export const snippetLanguages = ['curl', 'php', 'python', 'node', 'n8n'] as const;

/** One of `snippetLanguages`. */
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** The values in a sample program. */
export type SnippetParts = { url: string; key: string; title: string; body: string };

/** Functions that write a sample program or workflow, which notifies all employees. */
export const snippets: Record<SnippetLanguage, (parts: SnippetParts) => string> = {
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
