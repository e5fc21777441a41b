import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { copyText } from '../ui/copy-text.ts';

/** Shown when a page throws. The layout stays, and the error details can be copied. */
export function RouteError({ error: thrown }: ErrorComponentProps): ReactNode {
  const t = useT();
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const copy = (): void => {
    const details = [
      `${error.name}: ${error.message}`,
      error.stack ?? '',
      `page: ${location.href}`,
      `at: ${new Date().toISOString()}`,
    ].join('\n');
    copyText(details, t);
  };
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <h1 className="dp-error-title" tabIndex={-1} role="alert">
          {t('app.crash.title')}
        </h1>
        <Box variant="p">{t('app.crash.body')}</Box>
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="primary" onClick={() => location.reload()}>
              {t('app.crash.reload')}
            </Button>
            <Button iconName="copy" onClick={copy}>
              {t('app.crash.copy')}
            </Button>
          </SpaceBetween>
        </Box>
      </SpaceBetween>
    </Box>
  );
}
