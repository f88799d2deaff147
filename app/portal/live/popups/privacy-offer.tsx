'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { changePreferencesAction } from '#app/portal/actions.ts';
import type { Deck } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { Portal } from '#app/portal/live/store/portal-store.ts';

const sayLaterMs = 3000;

/** Offers to hide private texts, once: whoever closes it has declined, and finds it in the settings. */
export function offerPrivacy(deck: Deck, portal: Portal, say: () => void): void {
  if (portal.state.preferences.hidePrivate !== null) return;
  const onGone = () => void choosePrivacy(portal, portal.state.preferences.hidePrivate ?? false);
  // After the notification itself was said.
  setTimeout(say, sayLaterMs);
  deck.put('privacy-offer', { title: <PrivacyOffer portal={portal} deck={deck} />, stays: true, onGone });
}

async function choosePrivacy(portal: Portal, hidePrivate: boolean): Promise<void> {
  if (portal.state.preferences.hidePrivate === hidePrivate) return;
  const result = await changePreferencesAction({ hidePrivate }).catch(() => null);
  if (result && 'value' in result) portal.setPreferences(result.value);
}

function PrivacyOffer({ portal, deck }: { portal: Portal; deck: Deck }) {
  const t = useTranslations('bell');
  const choose = async (hide: boolean) => {
    await choosePrivacy(portal, hide);
    deck.dismiss('privacy-offer');
  };
  return (
    <Stack gap="xs">
      <Text size="sm">{t('privacyOffer')}</Text>
      <Group gap="xs">
        <Button size="sm" onClick={() => void choose(true)}>
          {t('privacyYes')}
        </Button>
        <Button size="sm" variant="default" onClick={() => void choose(false)}>
          {t('privacyNo')}
        </Button>
      </Group>
    </Stack>
  );
}
