import { Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { OnPaper } from '#app/owner/employees/paper/on-paper.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';

type Invited = { employeeId: number; name: string; role?: string; link: string };

/** The invitations as cards to cut out, for people who get theirs on paper. */
export function InvitationCards({
  people,
  company,
  logo,
}: {
  people: Invited[];
  company: string;
  logo: LogoPicture | null;
}) {
  const t = useTranslations('employees');
  return (
    <OnPaper>
      <ul className="sheet">
        {people.map(({ employeeId, name, role, link }) => (
          <li key={employeeId} className="sheet-card">
            <QrCode text={link} label={t('inviteQr', { name })} className="sheet-code" />
            <div>
              <Group component="p" gap={6}>
                {logo && <CompanyLogo logo={logo} size={24} />}
                <bdi>{company}</bdi>
              </Group>
              <p className="sheet-name">
                <bdi>{name}</bdi>
              </p>
              <p>
                <bdi>{role}</bdi>
              </p>
              <p>{t('cardText')}</p>
              <p className="paper-link" data-link>
                {link}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </OnPaper>
  );
}
