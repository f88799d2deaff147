import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { findActiveAlarms } from '#app/owner/alarms/active-alarms.ts';
import { Bell, SoundButton } from '#app/portal/live/controls/header-controls.tsx';
import { StatusBar } from '#app/portal/live/controls/status-bar.tsx';
import { Listener } from '#app/portal/live/listener.tsx';
import { Frame } from '#app/signed-in/frame.tsx';
import { Alarms, HeldSends } from '#app/signed-in/owner-parts.tsx';
import { SignInAgain } from '#app/signed-in/sign-in-again.tsx';
import { PopUpArea } from '#app/ui/dialogs/pop-up-area.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { Reauthentication } from '#app/ui/sessions/reauthentication.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { countJoinRequests } from '#server/employees/join-requests.ts';
import { findPreferences } from '#server/inbox/preferences.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { hasKeys } from '#server/keys/keys.ts';
import type { Session } from '#server/principals.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';
import { listHeld } from '#server/sends/planned/planned-sends.ts';

type Props = { session: Session; area: 'owner' | 'portal'; children: ReactNode };

const sections = ['bell', 'form', 'inbox', 'mustRead', 'nav', 'quiet', 'sound'] as const;
const managerSections = ['alarms', 'search', 'undo'] as const;

/** The frame of a signed-in account. For an employee, every page has the bell and listens. */
export async function SignedInFrame(props: Props) {
  const { companyId, accountId } = props.session.account;
  return (
    <Texts of={[...sections, ...(props.session.manager ? managerSections : [])]}>
      <SignInAgain account={`${companyId}:${accountId}`}>
        <Reauthentication>
          <FrameOf {...props} />
        </Reauthentication>
      </SignInAgain>
    </Texts>
  );
}

async function FrameOf({ session, area, children }: Props) {
  const { account, owner, manager, employee, needsSecondFactor, lastNo, linkBase } = session;
  const other = area === 'owner' ? (employee ? 'portal' : null) : manager || needsSecondFactor ? 'owner' : null;
  const logo = pictureOf(await findLogo(account));
  const menu = area === 'owner' && !owner ? 'manager' : area;
  const person = area === 'portal' && employee ? employee.name : account.name;
  const knowsKeys = area === 'owner' && owner !== null && (await hasKeys(owner));
  const requests = area === 'owner' && manager ? await countJoinRequests(manager) : 0;
  const frame = { menu, logo, company: account.companyName, person, other, hasKeys: knowsKeys, requests } as const;
  const device = { account: `${account.companyId}:${account.accountId}`, sessionId: session.sessionId };
  const alarms = owner && <Alarms initial={await findActiveAlarms(owner)} hasNoPortal={!employee} device={device} />;
  const held = manager && <HeldSends held={await listHeld(manager, [])} />;
  const bell = employee && (
    <Group gap="0.5rem" wrap="nowrap" className="frame-bell">
      <SoundButton />
      <Bell />
    </Group>
  );
  const content = (
    <Frame {...frame} bell={bell}>
      {alarms}
      {children}
      {held}
    </Frame>
  );
  if (!employee) return content;
  const [unread, preferences] = await Promise.all([countUnread(employee), findPreferences(employee)]);
  const initial = {
    person: `${employee.companyId}:${employee.employeeId}`,
    timeZone: account.timeZone,
    newest: lastNo,
    pushKey: vapidPublicKey(),
    unread,
    preferences,
    linkBase,
  };
  return (
    <Listener key={initial.person} initial={initial} isOwner={owner !== null}>
      {content}
      <StatusBar />
      <PopUpArea />
    </Listener>
  );
}
