'use client';

import '#app/owner/employees/sheet/sheet.css';
import '#app/owner/employees/join/join.css';
import { Alert, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { PrintButton, usePrintedSheet } from '#app/ui/text/print-button.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';

const tokenPattern = /^[0-9a-z-]{20,50}$/;

/** The poster of the join link whose token is in the page's address, behind the `#`. */
export function JoinPoster({ company, logo, base }: { company: string; logo: LogoPicture | null; base: string }) {
  const t = useTranslations('joins');
  const token = useFragment();
  usePrintedSheet();
  if (!tokenPattern.test(token))
    return (
      <>
        <PageHead title={t('poster')} />
        <Alert>{t('noPoster')}</Alert>
      </>
    );
  const link = base + token;
  return (
    <>
      <div className="no-print">
        <Alert color="yellow" mb="md">
          {t('posterOnce')}
        </Alert>
        <Group mb="md">
          <PrintButton text={t('print')} />
        </Group>
      </div>
      <article className="poster">
        <Group component="p" gap={12} wrap="nowrap" fz="1.11em" fw={600}>
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
          <span className="poster-address" data-link>
            {link}
          </span>
        </p>
      </article>
    </>
  );
}

function useFragment(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash.slice(1),
    () => '',
  );
}
