import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, type ReactNode } from 'react';
import type { Permission } from '@deviceportal/contract/permissions';
import type { UserReport } from '@deviceportal/contract/reports';
import { AuditEventTable } from '../audit-trail/audit-event-table.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue } from '../shell/key-value.tsx';
import { DataTable, type TableQuery } from '../shell/table/data-table.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import { commandColumns, deviceColumns } from './report-columns.tsx';
import { isFailed } from './report-findings.ts';
import { ReportFindings } from './report-findings-list.tsx';
import { usePersonFacts } from './use-person-facts.ts';

const done: TableQuery = { isPending: false, error: null, refetch: () => undefined };
/** The server cuts each list there. */
export const LIST_LIMIT = 500;

/** The report on the screen: what stands out first, then what it rests on. */
export function ReportSections({ report }: { readonly report: UserReport }): ReactNode {
  const t = useT();
  const format = useFormat();
  const deviceCells = useMemo(() => deviceColumns(t, format), [t, format]);
  const commandCells = useMemo(() => commandColumns(t, format), [t, format]);
  return (
    <SpaceBetween size="l">
      <Summary report={report} />
      <DataTable
        id="report-devices"
        label={t('reports.section.devices')}
        variant="container"
        withoutSettings
        columns={deviceCells}
        rows={report.devices}
        rowKey={(row) => row.id}
        query={done}
        empty={{ title: t('reports.none.devices') }}
        header={
          <SectionHeader
            title={t('reports.section.devices')}
            count={report.devices.length}
            needs="devices:read"
          />
        }
      />
      <DataTable
        id="report-commands"
        label={t('reports.section.commands')}
        variant="container"
        withoutSettings
        columns={commandCells}
        rows={report.invocations}
        rowKey={(row) => row.id}
        query={done}
        empty={{ title: t('reports.none.commands') }}
        header={
          <SectionHeader
            title={t('reports.section.commands')}
            count={report.invocations.length}
            needs="commands:read"
          />
        }
      />
      <AuditEventTable
        id="report-events"
        withoutSettings
        events={report.events}
        query={done}
        empty={{ title: t('reports.none.events') }}
        header={
          <SectionHeader
            title={t('reports.section.events')}
            count={report.events.length}
            needs="audit-trail:read"
          />
        }
      />
    </SpaceBetween>
  );
}

function SectionHeader(props: {
  readonly title: string;
  readonly count: number;
  readonly needs: Permission;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const description = may(props.needs)
    ? props.count >= LIST_LIMIT
      ? t('reports.cut', { count: format.number(LIST_LIMIT) })
      : undefined
    : t('reports.needs', { permission: props.needs });
  return (
    <Header
      variant="h2"
      counter={`(${format.number(props.count)})`}
      {...(description === undefined ? {} : { description })}
    >
      {props.title}
    </Header>
  );
}

function Summary({ report }: { readonly report: UserReport }): ReactNode {
  const t = useT();
  const facts = usePersonFacts(report.person);
  const { devices, invocations, events } = report;
  const failed = invocations.filter(isFailed).length;
  const online = devices.filter(({ connectivity }) => connectivity === 'online').length;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={`${t('reports.span', { from: report.from, to: report.to })} · ${t('reports.made', { by: report.createdBy, at: report.createdAt })}`}
        >
          {report.person.name}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <KeyValue columns={4} items={facts} />
        <KeyValue
          columns={4}
          items={[
            {
              label: t('reports.section.devices'),
              value: t('reports.summary.devices', { online, count: devices.length }),
            },
            {
              label: t('reports.section.commands'),
              value: (
                <StatusIndicator type={failed > 0 ? 'error' : 'success'}>
                  {t('reports.summary.commands', { count: invocations.length, failed })}
                </StatusIndicator>
              ),
            },
            {
              label: t('reports.section.events'),
              value: t('reports.summary.events', { count: events.length }),
            },
          ]}
        />
        <div>
          <Box variant="h3">{t('reports.summary.findings')}</Box>
          <ReportFindings report={report} />
        </div>
      </SpaceBetween>
    </Container>
  );
}
