// Webhooks with a fixed body. They are recognised only to name their recipe in an error.

type FixedWebhook = { name: string; header?: string; bodies: string[][] };

// Each list has top-level names that occur together. The first match counts: Grafana's alerts have
// all names of Alertmanager's.
const fixedWebhooks: FixedWebhook[] = [
  { name: 'Grafana', bodies: [['alerts', 'receiver', 'orgId']] },
  { name: 'Alertmanager', bodies: [['alerts', 'receiver', 'groupKey']] },
  { name: 'Uptime Kuma', bodies: [['heartbeat', 'monitor', 'msg']] },
  {
    name: 'GitHub',
    header: 'x-github-event',
    // GitHub's default content type is a form with the single field `payload`.
    bodies: [['repository', 'sender'], ['organization', 'sender'], ['hook_id', 'zen'], ['payload']],
  },
  {
    name: 'WooCommerce',
    header: 'x-wc-webhook-topic',
    bodies: [
      ['order_key', 'line_items'],
      ['permalink', 'regular_price'],
      ['is_paying_customer', 'billing'],
      ['discount_type', 'usage_count'],
      ['webhook_id'],
    ],
  },
];

/** The system whose webhook has these field names, or undefined. */
export function webhookOfFields(names: string[]): string | undefined {
  const cameWhole = (body: string[]) =>
    body.every((name) => names.includes(name)) && (body.length > 1 || names.length === 1);
  return fixedWebhooks.find(({ bodies }) => bodies.some(cameWhole))?.name;
}

/** The system whose webhook sends one of these headers, or undefined. It cannot send a key. */
export function webhookOfHeaders(header: (name: string) => string | null): string | undefined {
  return fixedWebhooks.find((webhook) => webhook.header !== undefined && header(webhook.header) !== null)?.name;
}
