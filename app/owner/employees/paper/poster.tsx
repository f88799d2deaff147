import { Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { OnPaper } from '#app/owner/employees/paper/on-paper.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { QrCode } from '#app/ui/text/qr-code.tsx';

/** A join link as a poster for a wall. */
export function Poster({ company, logo, link }: { company: string; logo: LogoPicture | null; link: string }) {
  const t = useTranslations('joins');
  return (
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
  );
}
