import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { devicesWith } from './device-links.ts';
import { RunBars } from './run-bars.tsx';
import { TrendLine } from './trend-line.tsx';
import { useTrends } from './use-trends.ts';

const TrendTable = lazy(async () => ({
  default: (await import('./trend-table.tsx')).TrendTable,
}));

/** Connectivity, findings, and runs of the last 30 days. Absent until there is any history. */
export function TrendsCard(): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  const { online, withFindings, days } = useTrends();
  const hasRuns = days.some(({ succeeded, failed }) => succeeded + failed > 0);
  if (online.length < 2 && !hasRuns) return null;
  return (
    <Container header={<Header variant="h2">{t('home.trend.title')}</Header>}>
      <SpaceBetween size="m">
        <ColumnLayout columns={3} minColumnWidth={220}>
          <Trend
            title={t('home.trend.online')}
            href={devicesWith('connectivity', '=', 'online')}
            isKnown={online.length > 1}
          >
            <TrendLine label={t('home.trend.online')} points={online} />
          </Trend>
          <Trend
            title={t('home.trend.findings')}
            href={devicesWith('finding', '=', 'any')}
            isKnown={withFindings.length > 1}
          >
            <TrendLine label={t('home.trend.findings')} points={withFindings} />
          </Trend>
          <Trend title={t('home.trend.runs')} href="/commands" isKnown={hasRuns}>
            <RunBars days={days} />
          </Trend>
        </ColumnLayout>
        <ExpandableSection
          headerText={t('home.trend.values')}
          expanded={open}
          onChange={({ detail }) => setOpen(detail.expanded)}
        >
          {open ? (
            <Suspense fallback={<Spinner />}>
              <TrendTable days={days} />
            </Suspense>
          ) : null}
        </ExpandableSection>
      </SpaceBetween>
    </Container>
  );
}

function Trend(props: {
  readonly title: string;
  readonly href: string;
  readonly isKnown: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const t = useT();
  return (
    <section>
      <Box variant="h3" fontSize="heading-xs" padding={{ bottom: 'xs' }}>
        <PortalLink href={props.href}>{props.title}</PortalLink>
      </Box>
      {props.isKnown ? (
        props.children
      ) : (
        <Box color="text-body-secondary">{t('home.trend.none')}</Box>
      )}
    </section>
  );
}
