import '#app/owner/employees/paper/paper.css';
import { Box, Group, Portal, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, use, useEffect } from 'react';
import { Company } from '#app/ui/frame/company.ts';
import { CompanyLogo } from '#app/ui/frame/company-logo.tsx';
import { PrintButton } from '#app/ui/text/print-button.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';

/** What paper shows in place of the page while it is mounted. No screen shows it. */
function OnPaper({ children }: { children: ReactNode }) {
  useEffect(() => {
    // Not `:has()` in the styles, which Firefox before 121 does not know.
    document.body.toggleAttribute('data-on-paper', true);
    return () => document.body.removeAttribute('data-on-paper');
  }, []);
  return (
    <Portal reuseTargetNode={false} className="on-paper">
      {children}
    </Portal>
  );
}

/** The button that prints the poster of a join link, and the poster. */
export function Poster({ link }: { link: string }) {
  const t = useTranslations('joins');
  const { company, logo } = use(Company);
  return (
    <>
      <PrintButton text={t('poster')} />
      <OnPaper>
        <article className="poster">
          <Group component="p" gap={12} wrap="nowrap" fw={600}>
            {logo && <CompanyLogo logo={logo} size={40} />}
            <bdi>{company}</bdi>
          </Group>
          <h1>{t('posterTitle')}</h1>
          <p>{t('posterLead')}</p>
          <QrCode text={link} label={t('qr', { company })} className="poster-code" />
          <ol>
            <li>{t('step1')}</li>
            <li>{t('step2')}</li>
            <li>{t('step3')}</li>
          </ol>
          <p>
            {t('typed')}
            <br />
            <span className="paper-link" data-link>
              {link}
            </span>
          </p>
        </article>
      </OnPaper>
    </>
  );
}

type Invited = { employeeId: number; name: string; role?: string; link: string };

/** The invitations as cards to cut out, for people who get theirs on paper. */
export function InvitationCards({ people }: { people: Invited[] }) {
  const t = useTranslations('employees');
  const { company, logo } = use(Company);
  return (
    <OnPaper>
      <ul className="sheet">
        {people.map(({ employeeId, name, role, link }) => (
          <li key={employeeId} className="sheet-card">
            <QrCode text={link} label={t('inviteQr', { name })} />
            <Box miw={0}>
              <Group component="p" gap={6}>
                {logo && <CompanyLogo logo={logo} size={24} />}
                <bdi>{company}</bdi>
              </Group>
              <Text component="p" inherit fz="1.3em" fw={700}>
                <bdi>{name}</bdi>
              </Text>
              <p>
                <bdi>{role}</bdi>
              </p>
              <p>{t('cardText')}</p>
              <p className="paper-link" data-link>
                {link}
              </p>
            </Box>
          </li>
        ))}
      </ul>
    </OnPaper>
  );
}
