import { SendTable } from '#app/owner/sends/send-table.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import type { Manager } from '#server/principals.ts';
import { listSends } from '#server/sends/history/list.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';

const shown = 6;
// Repeats of one message are one row.
const read = 24;

type Props = {
  manager: Manager;
  keyId?: number;
  id: string;
  title: string;
  none: string;
  all: { href: string; text: string };
};

/** The newest sends of the company, or of a key, and a link to all of them. */
export async function NewestSends({ manager, keyId, id, title, none, all }: Props) {
  const { sends } = await listSends(manager, { filter: { keyId }, limit: read });
  const numbers = sends.map(({ no }) => no);
  const outcomes = countOutcomes(manager, numbers);
  return (
    <Section id={id} title={title}>
      {sends.length === 0 ? (
        <p className="dimmed">{none}</p>
      ) : (
        <SendTable sends={sends} outcomes={outcomes} brief most={shown} />
      )}
      <TextLink href={all.href}>{all.text}</TextLink>
    </Section>
  );
}
