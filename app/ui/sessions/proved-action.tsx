'use client';

import { type ReactNode, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

const ProveDialog = whenNeeded(() =>
  import('#app/ui/sessions/prove-dialog.tsx').then(({ ProveDialog }) => ProveDialog),
);

/**
 * As `useAction`, for actions that want a fresh proof of who is there (`provedOwnerAction`): when
 * one is missing, `dialog` asks for the password and then does what was asked. Render `dialog`
 * somewhere outside of any form.
 */
export function useProvedAction<Input, Value>(
  action: (input: Input) => Promise<Result<Value>>,
  onDone: (value: Value) => void,
  sentences: Record<string, string> = {},
): ReturnType<typeof useAction<Input, Value>> & { dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ input: Input }>();
  const asking = async (input: Input) => {
    const result = await action(input);
    const missing = 'problems' in result && result.problems.form === 'prove-again';
    setWaiting(missing ? { input } : undefined);
    return missing ? { problems: {} } : result;
  };
  const state = useAction(asking, onDone, sentences);
  const dialog = waiting && (
    <ProveDialog onClose={() => setWaiting(undefined)} onProved={() => void state.run(waiting.input)} />
  );
  return { ...state, dialog };
}
