import { type ReactNode, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

const ReauthenticateDialog = whenNeeded(
  () => import('#app/ui/sessions/reauthenticate-dialog.tsx'),
  'ReauthenticateDialog',
);

/**
 * Like `useAction`, for actions made by `reauthenticatedOwnerAction`. When such an action asks for the
 * password, `dialog` asks the person and then runs the action again. Render `dialog` outside of any
 * form.
 */
export function useReauthenticatedAction<Input, Value>(
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
    <ReauthenticateDialog
      onClose={() => setWaiting(undefined)}
      onReauthenticated={() => void state.run(waiting.input)}
    />
  );
  return { ...state, dialog };
}
