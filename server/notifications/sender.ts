import { sql } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';

/**
 * Joins the sender of `notifications n`: an API key or a person. `companyId` is the SQL expression
 * of the company's id. `senderColumns` reads them.
 */
export const joinSender = (companyId: Fragment = sql()`n.company_id`): Fragment => sql()`
  left join api_keys sender_key on sender_key.company_id = ${companyId} and sender_key.id = n.key_id
  left join accounts sender_account on sender_account.company_id = ${companyId} and sender_account.id = n.account_id`;

/** The columns `sender` (the name of key or person) and `byHand` (whether it is a person). */
export const senderColumns = (): Fragment => sql()`
  coalesce(sender_key.name, sender_account.name) as sender, n.account_id is not null as "byHand"`;
