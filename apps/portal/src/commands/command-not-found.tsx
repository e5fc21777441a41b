import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode } from 'react';
import { portalErrorOf } from '../api/portal-error-of.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { commandHref, targetLink } from './command-href.ts';
import type { CommandSearch } from './catalog/command-search.ts';

export interface CommandNotFoundProps {
  readonly command: string;
  readonly search: CommandSearch;
  readonly error: unknown;
}

/** Error 4002, with the most similar names. The chosen devices are kept. */
export function CommandNotFound({ command, search, error }: CommandNotFoundProps): ReactNode {
  const t = useT();
  const nearest = String(portalErrorOf(error).facts['nearest'] ?? '')
    .split(', ')
    .filter((name) => name !== '');
  return (
    <SpaceBetween size="m">
      <ErrorView error={error} place="page" subject={{ id: command }} />
      {nearest.length === 0 ? null : (
        <Box textAlign="center">
          <Box variant="p">{t('commands.notFound.nearest')}</Box>
          <ul className="dp-command-nearest">
            {nearest.map((name) => (
              <li key={name}>
                <PortalLink href={commandHref(name, targetLink(search))}>{name}</PortalLink>
              </li>
            ))}
            <li>
              <PortalLink href="/commands">{t('commands.notFound.catalog')}</PortalLink>
            </li>
          </ul>
        </Box>
      )}
    </SpaceBetween>
  );
}
