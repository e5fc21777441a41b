import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation, useRouterState } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { openPalette } from '../ui/palette-store.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { setPageTitle } from '../ui/page-title.ts';

/** An unknown route: shows the path, a search for its last segment, and a link to the home page. */
export function NotFoundPage(): ReactNode {
  const t = useT();
  const path = useArrivedPath();
  const title = t('app.notFound.title');
  useEffect(() => setPageTitle(title), [title]);
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <h1 className="dp-error-title" tabIndex={-1}>
          {title}
        </h1>
        <Box variant="p">{t('app.notFound.body', { path })}</Box>
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              iconName="search"
              onClick={() => openPalette(decodeURIComponent(path.split('/').at(-1) ?? ''))}
            >
              {t('app.notFound.search')}
            </Button>
            <Button onClick={() => navigateTo('/')}>{t('app.notFound.home')}</Button>
          </SpaceBetween>
        </Box>
      </SpaceBetween>
    </Box>
  );
}

/** The path of this page, also while the next page is loading. */
function useArrivedPath(): string {
  const latest = useLocation({ select: ({ pathname }) => pathname });
  const isArrived = useRouterState({ select: ({ status }) => status === 'idle' });
  const [path, setPath] = useState(latest);
  if (isArrived && path !== latest) setPath(latest);
  return path;
}
