import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { PasskeysPanel } from '../profile/passkeys/passkeys-panel.tsx';
import { signOutEverywhere } from '../session/sign-out.ts';
import { setPageTitle } from '../ui/page-title.ts';

/** The only page for administrators who must add a passkey. The server rejects all their other requests. */
export function AddPasskeyPage({ onAdded }: { readonly onAdded: () => Promise<void> }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.passkeys.list.queryOptions());
  const [busy, setBusy] = useState(false);
  const title = t('profile.addPasskey.title');
  useEffect(() => setPageTitle(title), [title]);
  const hasPasskey = query.data !== undefined && query.data.passkeys.length > 0;
  return (
    <main className="dp-alone">
      <SpaceBetween size="l">
        <h1 className="dp-error-title" tabIndex={-1}>
          {title}
        </h1>
        <Box variant="p">{t('profile.addPasskey.body')}</Box>
        <PasskeysPanel />
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            disabled={!hasPasskey}
            loading={busy}
            onClick={() => {
              setBusy(true);
              void onAdded().finally(() => setBusy(false));
            }}
          >
            {t('profile.addPasskey.continue')}
          </Button>
          <Button onClick={() => void signOutEverywhere()}>
            {t('profile.addPasskey.signOut')}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </main>
  );
}
