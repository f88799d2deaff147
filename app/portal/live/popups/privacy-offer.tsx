'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { PopUpDeck } from '#app/portal/live/popups/pop-up-deck.tsx';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { changePreferencesAction } from '#app/portal/preferences/actions.ts';

const announceDelayMs = 3000;

/**
 * Offers once to hide the texts of private kinds. Closing the offer declines it; the settings have
 * the same choice.
 */
export function offerPrivacy(deck: PopUpDeck, portal: PortalStore, announceOffer: () => void): void {
  if (portal.state.preferences.hidePrivate !== null) return;
  const onClose = () => void choosePrivacy(portal, portal.state.preferences.hidePrivate ?? false);
  // A screen reader first reads the notification.
  setTimeout(announceOffer, announceDelayMs);
  deck.open('privacy-offer', { title: <PrivacyOffer portal={portal} deck={deck} />, stays: true, onClose });
}

async function choosePrivacy(portal: PortalStore, hidePrivate: boolean): Promise<void> {
  if (portal.state.preferences.hidePrivate === hidePrivate) return;
  const result = await changePreferencesAction({ hidePrivate }).catch(() => null);
  if (result && 'value' in result) portal.setPreferences(result.value);
}

function PrivacyOffer({ portal, deck }: { portal: PortalStore; deck: PopUpDeck }) {
  const t = useTranslations('bell');
  const choose = async (hide: boolean) => {
    await choosePrivacy(portal, hide);
    deck.close('privacy-offer');
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
