// Webhooks with a fixed body. They are recognised only to name their recipe in an error.

// Top-level names that occur together in a body. Grafana's alerts also have Alertmanager's names.
const bodies = {
  Grafana: ['alerts receiver orgId'],
  Alertmanager: ['alerts receiver groupKey'],
  'Uptime Kuma': ['heartbeat monitor msg'],
  // GitHub's default content type is a form with the single field `payload`.
  GitHub: ['repository sender', 'organization sender', 'hook_id zen', 'payload'],
  WooCommerce: [
    ...['order_key line_items', 'permalink regular_price', 'is_paying_customer billing', 'discount_type usage_count'],
    'webhook_id',
  ],
};

const headers = { GitHub: 'x-github-event', WooCommerce: 'x-wc-webhook-topic' };

/** The system whose webhook has these field names, or undefined. */
export function webhookOfFields(names: string[]): string | undefined {
  const cameWhole = (body: string[]) =>
    body.every((name) => names.includes(name)) && (body.length > 1 || names.length === 1);
  return Object.entries(bodies).find(([, shapes]) => shapes.some((body) => cameWhole(body.split(' '))))?.[0];
}

/** The system whose webhook sends one of these headers, or undefined. It cannot send a key. */
export const webhookOfHeaders = (header: (name: string) => string | null): string | undefined =>
  Object.entries(headers).find(([, name]) => header(name) !== null)?.[0];
