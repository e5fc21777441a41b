import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import type { NeedsActionPart } from './use-needs-action.tsx';

/** Items that need the viewer’s action; one line if there are none. */
export function NeedsActionCard({
  parts,
}: {
  readonly parts: readonly NeedsActionPart[];
}): ReactNode {
  const t = useT();
  const isEmpty = parts.every(({ query, items }) => query.data !== undefined && items.length === 0);
  return (
    <Container fitHeight header={<Header variant="h2">{t('home.waiting.title')}</Header>}>
      {isEmpty ? (
        <StatusIndicator>{t('home.waiting.none')}</StatusIndicator>
      ) : (
        <div className="home-waiting">
          {parts.map((part) => (
            <Part key={part.all} {...part} />
          ))}
        </div>
      )}
    </Container>
  );
}

function Part({ title, all, none, query, items }: NeedsActionPart): ReactNode {
  return (
    <section>
      <Box variant="h3" fontSize="heading-xs">
        <PortalLink href={all}>{title}</PortalLink>
      </Box>
      {query.error !== null && query.data === undefined ? (
        <ErrorView error={query.error} place="inline" onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? null : items.length === 0 ? (
        <StatusIndicator>{none}</StatusIndicator>
      ) : (
        <ul className="home-list">{items}</ul>
      )}
    </section>
  );
}
