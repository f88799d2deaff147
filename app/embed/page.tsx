import '#app/embed/embed.css';
import { BellFrame, SignedOutBell } from '#app/embed/bell-frame.tsx';
import { EmbeddedBell } from '#app/embed/embedded-bell.tsx';
import { findInitialPortal } from '#app/portal/live/store/initial-portal.ts';
import { Texts } from '#app/ui/text/texts.tsx';
import { makeFrameSecret } from '#server/accounts/sessions/bell-offer.ts';
import { currentReader } from '#server/accounts/sign-in/require.ts';

type Query = Partial<Record<'origin' | 'side' | 'size' | 'theme', string | string[]>>;

/** The bell as a frame of another page (`app/browser-files/embed.js`). proxy.ts says which pages may show it. */
export default async function Embed({ searchParams }: { searchParams: Promise<Query> }) {
  const [{ origin, side, size, theme }, session] = await Promise.all([searchParams, currentReader()]);
  const page = { origin: String(origin), isLeft: side === 'left', size: Number(size) || 44, theme: String(theme) };
  const employee = session?.employee;
  const frame = makeFrameSecret();
  return (
    <Texts of={['app', 'archiveAndSnooze', 'bell', 'embed', 'form', 'inbox', 'mustRead', 'notification', 'sound']}>
      <BellFrame page={page}>
        {employee ? (
          <EmbeddedBell frame={frame} initial={{ ...(await findInitialPortal(session, employee)), isBell: true }} />
        ) : (
          <SignedOutBell {...frame} hasNoInbox={session !== null} />
        )}
      </BellFrame>
    </Texts>
  );
}
