import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#e2e/support/service/service.ts';

const text = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');

test('links and headings named by the operations page and SECURITY.md exist', () => {
  const pages = ['docs/operations.md', 'SECURITY.md'].map((file) => [file, readFileSync(join(root, file), 'utf8')]);
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const [file = '', page = ''] of pages)
    for (const [, link = ''] of page.matchAll(/\]\(([^)]+)\)/g)) {
      if (/^https:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      if (path) expect(() => readFileSync(join(root, file, '..', path)), link).not.toThrow();
      if (anchor && (!path || path.endsWith('operations.md'))) expect(anchors).toContain(anchor);
    }
  const alerts = readFileSync(join(root, 'deploy', 'alerts.yml'), 'utf8');
  for (const [, section = ''] of alerts.matchAll(/See "([^"]+)"/g)) expect(text).toContain(`### ${section}\n`);
});
