import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { serverNowMs } from '../shell/server-clock.ts';
import { devicesOfflineOverADay, devicesWith } from './device-links.ts';
import type { FleetQuery } from './fleet-card.tsx';

/** What somebody should look at, worst first, each with its number and the devices behind it. */
export function AttentionCard({ query }: { readonly query: FleetQuery }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { data } = query;
  const all =
    data === undefined
      ? []
      : [
          {
            words: t('home.attention.offline'),
            type: 'error' as const,
            count: data.offlineOverADay,
            href: devicesOfflineOverADay(serverNowMs()),
          },
          {
            words: t('home.attention.degraded'),
            type: 'warning' as const,
            count: data.connectivity.degraded,
            href: devicesWith('connectivity', '=', 'degraded'),
          },
          {
            words: t('home.attention.never'),
            type: 'not-started' as const,
            count: data.connectivity.never,
            href: devicesWith('connectivity', '=', 'never'),
          },
          {
            words: t('home.attention.suspended'),
            type: 'stopped' as const,
            count: data.lifecycle.suspended,
            href: devicesWith('lifecycle', '=', 'suspended'),
          },
        ].filter(({ count }) => count > 0);
  return (
    <Container header={<Header variant="h2">{t('home.attention.title')}</Header>}>
      {data !== undefined && all.length === 0 ? (
        <StatusIndicator>{t('home.attention.none')}</StatusIndicator>
      ) : (
        <ul className="home-list">
          {all.map(({ words, type, count, href }) => (
            <li key={href}>
              <StatusIndicator type={type}>{words}</StatusIndicator>
              <Box variant="strong">
                <PortalLink href={href} ariaLabel={`${words}: ${format.number(count)}`}>
                  {format.number(count)}
                </PortalLink>
              </Box>
            </li>
          ))}
        </ul>
      )}
    </Container>
  );
}
