import { createServer } from 'node:http';
import { expect, type FrameLocator, type Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import type { Company } from '#e2e/support/data/company.ts';
import { listen } from '#e2e/support/running.ts';

export const service = String(process.env.SERVICE_URL);

/** Lists the origins that may show the bell to people of the company. */
export const allow = ({ owner }: Company, ...origins: string[]) =>
  sql()`update companies set embed_origins = ${origins} where id = ${owner.companyId}`;

/** When the first notification of the company was shown to somebody, or null. */
export async function shownAt({ owner }: Company): Promise<Date | null> {
  const [receipt] = await sql()`select shown_at from receipts where company_id = ${owner.companyId} and no = 1`;
  return receipt?.shown_at ?? null;
}

type Options = { company?: Company; headers?: Record<string, string>; body?: string };

/** Serves `body`, or a page whose header holds the bell. `company` lists it. `sister`: the site of the service. */
export async function openHostPage({ company, headers = {}, body }: Options = {}) {
  const html = `<!doctype html><html data-ready><meta charset="utf-8"><title>Portal perusahaan</title>
<style nonce="host">header { display: flex; justify-content: flex-end; padding: 8px; }</style>
<script nonce="host">
  addEventListener('DOMContentLoaded', () => {
    for (const type of ['count', 'open'])
      document.querySelector('staff-notifications')?.addEventListener(type, ({ detail }) => {
        const { dataset } = document.documentElement;
        dataset.events = [dataset.events, type + ' ' + detail].filter(Boolean).join(', ');
      });
  });
</script>
<script src="${service}/embed.js" async></script>
${body ?? `<header><staff-notifications></staff-notifications></header><h1>Stok gudang</h1>`}`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
    response.end(html);
  });
  const { url, stop } = await listen(server);
  const origins = { sister: url, foreign: url.replace('127.0.0.1', 'localhost') };
  if (company) await allow(company, ...Object.values(origins));
  return { ...origins, [Symbol.asyncDispose]: stop };
}

export async function readyBell(page: Page): Promise<FrameLocator> {
  const frame = page.frameLocator('staff-notifications iframe');
  await frame.locator('html[data-ready]').waitFor({ state: 'attached', timeout: 20_000 });
  return frame;
}

/** Opens the panel of the bell, and waits until its frame is large enough to be pressed. */
export async function openPanel(page: Page): Promise<FrameLocator> {
  const frame = await readyBell(page);
  const panel = frame.locator('.bell-panel');
  await expect(async () => {
    if (!(await panel.isVisible())) await frame.locator('.bell-button').click();
    await expect(panel).toBeVisible({ timeout: 2000 });
    expect((await page.locator('staff-notifications iframe').boundingBox())?.height).toBeGreaterThan(100);
  }).toPass({ timeout: 20_000 });
  return frame;
}

export async function pressSignIn(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.frameLocator('staff-notifications iframe').getByRole('button', { name: 'Masuk', exact: true }).click();
  return opened;
}
