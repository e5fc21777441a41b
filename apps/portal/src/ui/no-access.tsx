import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, type ReactNode } from 'react';
import type { Permission } from '@deviceportal/contract/permissions';
import { useT } from '../i18n/use-t.ts';
import { ASK_FOR_ROLE_HREF } from './access-request-href.ts';
import { copyText } from './copy-text.ts';
import { navigateTo } from './navigate-to.ts';
import { setPageTitle } from './page-title.ts';

/** A page that the viewer cannot read, with the missing permission and the users to ask. */
export function NoAccess({
  area,
  permission,
}: {
  readonly area: string;
  readonly permission: Permission;
}): ReactNode {
  const t = useT();
  const title = t('app.noAccess.title', { area });
  useEffect(() => setPageTitle(title), [title]);
  const copyRequest = (): void => {
    const text = t('app.error.accessRequest', { permission, url: location.href });
    copyText(text, t);
  };
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <h1 className="dp-error-title" tabIndex={-1}>
          {title}
        </h1>
        <Box variant="p">{t('app.noAccess.body', { permission })}</Box>
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={() => navigateTo(ASK_FOR_ROLE_HREF)}>{t('app.top.elevate')}</Button>
            <Button iconName="copy" onClick={copyRequest}>
              {t('app.error.action.request-access')}
            </Button>
            <Button onClick={() => navigateTo('/')}>{t('app.error.action.go-home')}</Button>
          </SpaceBetween>
        </Box>
      </SpaceBetween>
    </Box>
  );
}
