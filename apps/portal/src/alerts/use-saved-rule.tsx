import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SavedAlertRule } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { NewSecretDialog } from '../identity-provider/new-secret-dialog.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { navigateTo } from '../ui/navigate-to.ts';

/** What follows a saved rule: the secrets of new webhooks, once, and then the list of rules. */
export function useSavedRule(): {
  readonly show: (saved: SavedAlertRule, words: string) => void;
  readonly leave: () => void;
  readonly dialog: ReactNode;
} {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const [secrets, setSecrets] = useState<SavedAlertRule['secrets']>([]);
  const leave = (): void => navigateTo('/alerts?tab=rules');
  const [next, ...others] = secrets;
  return {
    show: (saved, words) => {
      flash.add({ type: 'success', content: words });
      void queryClient.invalidateQueries(api.alerts.pathFilter());
      if (saved.secrets.length === 0) leave();
      else setSecrets(saved.secrets);
    },
    leave,
    dialog:
      next === undefined ? null : (
        <NewSecretDialog
          key={next.secret}
          made={{
            title: t('alerts.secret.title'),
            idLabel: t('alerts.secret.webhook'),
            id: next.label,
            secretLabel: t('alerts.secret.label'),
            secret: next.secret,
          }}
          onClose={() => {
            setSecrets(others);
            if (others.length === 0) leave();
          }}
        />
      ),
  };
}
