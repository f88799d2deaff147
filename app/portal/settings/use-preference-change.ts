'use client';

import { useState } from 'react';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/preferences/actions.ts';

type PreferenceChanges = Parameters<typeof changePreferencesAction>[0];

/** Returns a function that changes preferences: they apply at once, and are undone if it fails. */
export function usePreferenceChange() {
  const portal = usePortal();
  const [failed, setFailed] = useState(false);
  const change = async (changes: PreferenceChanges) => {
    const before = portal.state.preferences;
    portal.setPreferences({ ...before, ...changes });
    const result = await changePreferencesAction(changes).catch(() => null);
    const stored = result !== null && 'value' in result;
    portal.setPreferences(stored ? result.value : before);
    setFailed(!stored);
  };
  return { change, failed };
}
