import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { signOutEverywhere } from '../session/sign-out.ts';
import { ASK_FOR_ROLE_HREF } from '../ui/access-request-href.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { setPageTitle } from '../ui/page-title.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** The only page for users without a role. The server rejects all other requests of such users. */
export function NoRolePage(): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  const title = t('app.noRole.title');
  useEffect(() => setPageTitle(title), [title]);
  return (
    <main className="dp-alone">
      <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
        <SpaceBetween size="m">
          <h1 className="dp-error-title" tabIndex={-1}>
            {title}
          </h1>
          <Box variant="p">{t('app.noRole.body', { username: detail.username })}</Box>
          <Box display="inline-block">
            <SpaceBetween direction="horizontal" size="xs">
              {detail.admitted ? (
                <Button variant="primary" onClick={() => navigateTo(ASK_FOR_ROLE_HREF)}>
                  {t('app.noRole.request')}
                </Button>
              ) : null}
              <Button onClick={() => void signOutEverywhere()}>{t('app.noRole.signOut')}</Button>
            </SpaceBetween>
          </Box>
        </SpaceBetween>
      </Box>
    </main>
  );
}
