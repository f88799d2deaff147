import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { findActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import type { Listener } from '#app/portal/live/listener.tsx';
import { findInitialPortal } from '#app/portal/live/store/initial-portal.ts';
import { Frame } from '#app/signed-in/frame.tsx';
import { Alarms, HeldSends } from '#app/signed-in/owner-parts.tsx';
import { SignInAgain } from '#app/signed-in/sign-in-again.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { Reauthentication } from '#app/ui/sessions/reauthentication.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import { hasKeys } from '#server/keys/keys.ts';
import type { Session } from '#server/principals.ts';
import { listHeld } from '#server/sends/planned/planned-sends.ts';

type Props = {
  session: Session;
  area: 'owner' | 'portal';
  /** The listener and the bell. Pages of owners load them on demand, only for people who are also employees. */
  live: {
    Listener: ComponentType<ComponentProps<typeof Listener>>;
    BellTools: ComponentType;
    UnreadCount: ComponentType;
  };
  children: ReactNode;
};

const sections = ['bell', 'form', 'inbox', 'mustRead', 'nav'] as const;
const employeeSections = ['quiet', 'sound'] as const;
const managerSections = ['alarms', 'search', 'undo'] as const;

/** The frame of a signed-in account. For an employee, every page has the bell and listens. */
export async function SignedInFrame({ session, area, live: { BellTools, UnreadCount, ...live }, children }: Props) {
  const { account, owner, manager, employee, needsSecondFactor } = session;
  const accountKey = `${account.companyId}:${account.accountId}`;
  const isOwnersArea = area === 'owner';
  const other = isOwnersArea ? (employee ? 'portal' : null) : manager || needsSecondFactor ? 'owner' : null;
  const device = { account: accountKey, sessionId: session.sessionId };
  const frame = (
    <Frame
      menu={isOwnersArea && !owner ? 'manager' : area}
      logo={pictureOf(await findLogo(account))}
      company={account.companyName}
      person={!isOwnersArea && employee ? employee.name : account.name}
      other={other}
      hasKeys={isOwnersArea && owner !== null && (await hasKeys(owner))}
      requests={isOwnersArea && manager ? await countJoinRequests(manager) : 0}
      bell={employee && { tools: <BellTools />, count: <UnreadCount /> }}
    >
      {owner && <Alarms initial={await findActiveAlarms(owner)} hasNoPortal={!employee} device={device} />}
      {children}
      {manager && <HeldSends held={await listHeld(manager, [])} />}
    </Frame>
  );
  const initial = employee && (await findInitialPortal(session, employee));
  return (
    <Texts of={[...sections, ...(employee ? employeeSections : []), ...(manager ? managerSections : [])]}>
      <SignInAgain account={accountKey}>
        <Reauthentication>
          {initial ? (
            <live.Listener key={initial.person} initial={initial} isOwner={owner !== null}>
              {frame}
            </live.Listener>
          ) : (
            frame
          )}
        </Reauthentication>
      </SignInAgain>
    </Texts>
  );
}
