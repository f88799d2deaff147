'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { cancelPlanAction, endRuleAction, sendPlanNowAction } from '#app/owner/sends/when/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';

type Plan = { draftId: string; title: string };

/** The buttons of a planned send: change, send now, cancel. */
export function PlanButtons(plan: Plan) {
  const t = useTranslations('planned');
  return (
    <Group gap="xs">
      <ButtonLink href={`/owner/sends/planned/${plan.draftId}`} variant="default" size="sm">
        {t('change')}
      </ButtonLink>
      <SendNow {...plan} />
      <Cancel {...plan} word="cancel" />
    </Group>
  );
}

/** The question about a missed send: send it now, at another time, or discard it. */
export function MissedButtons(plan: Plan) {
  const t = useTranslations('planned');
  return (
    <Group gap="xs">
      <SendNow {...plan} isMissed />
      <ButtonLink href={`/owner/sends/planned/${plan.draftId}`} variant="default" size="sm">
        {t('otherTime')}
      </ButtonLink>
      <Cancel {...plan} word="discard" />
    </Group>
  );
}

/** The buttons of a rule: change, skip the next send, end. */
export function RuleButtons({ rule, next, title }: { rule: number; next: string | null; title: string }) {
  const t = useTranslations('planned');
  return (
    <Group gap="xs">
      <ButtonLink href={`/owner/sends/planned/rules/${rule}`} variant="default" size="sm">
        {t('change')}
      </ButtonLink>
      {next && <Cancel draftId={next} title={title} word="skip" />}
      <EndRule rule={rule} title={title} />
    </Group>
  );
}

function SendNow({ draftId, title, isMissed = false }: Plan & { isMissed?: boolean }) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = (no: number | null) => (no === null ? router.refresh() : router.push(`/owner/sends/${no}?sent`));
  const { run, pending, problems } = useAction(sendPlanNowAction, follow, { planGone: t('planGone') });
  return (
    <>
      <Button size="sm" variant={isMissed ? 'filled' : 'default'} onClick={() => setAsking(true)}>
        {t('sendNow')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('sendNowTitle', { title })}
          submit={t('sendNow')}
          problem={problems.form}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ draftId })}
        >
          <Text>{t('sendNowText')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

function Cancel({ draftId, title, word }: Plan & { word: 'cancel' | 'discard' | 'skip' }) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = () => {
    setAsking(false);
    router.refresh();
  };
  const { run, pending, problems } = useAction(cancelPlanAction, follow, { planGone: t('planGone') });
  return (
    <>
      <Button
        size="sm"
        variant={word === 'skip' ? 'default' : 'light'}
        color={word === 'skip' ? undefined : 'red'}
        onClick={() => setAsking(true)}
      >
        {t(`${word}.button`)}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t(`${word}.title`, { title })}
          submit={t(`${word}.button`)}
          isDestructive={word !== 'skip'}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ draftId })}
        >
          <Text>{t(`${word}.text`)}</Text>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
        </ConfirmDialog>
      )}
    </>
  );
}

function EndRule({ rule, title }: { rule: number; title: string }) {
  const t = useTranslations('planned');
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const follow = () => {
    setAsking(false);
    router.refresh();
  };
  const { run, pending, problems } = useAction(endRuleAction, follow, { planGone: t('planGone') });
  return (
    <>
      <Button size="sm" variant="light" color="red" onClick={() => setAsking(true)}>
        {t('end.button')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('end.title', { title })}
          submit={t('end.button')}
          isDestructive
          problem={problems.form}
          pending={pending}
          onClose={() => setAsking(false)}
          onConfirm={() => void run({ rule })}
        >
          <Text>{t('end.text')}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
