import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { occurredAt, type AuditEvent } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { invocationHref } from '../devices/invocation-href.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyableId } from '../ui/copyable-id.tsx';
import { copyText } from '../ui/copy-text.ts';
import { KeyValue, type KeyValueItem } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { auditDifference } from './audit-changes.ts';
import { AuditCorrelation } from './audit-correlation.tsx';
import { ChangesTable } from './changes-table.tsx';
import { describeAuditEvent } from './describe-audit-event.ts';
import { EventDevice } from './event-device.tsx';
import { useAuditWords } from './use-audit-words.ts';

/** Data that the facts of the event show. */
const shownAbove: ReadonlySet<string> = new Set(['runId', 'invocationId', 'occurredAt']);

export interface AuditEventPanelProps {
  readonly event: AuditEvent;
  readonly onOpen: (event: AuditEvent) => void;
}

/** One event with its sentence, data, related events, and links. */
export function AuditEventPanel({ event, onOpen }: AuditEventPanelProps): ReactNode {
  const t = useT();
  const words = useAuditWords();
  const difference = useMemo(() => auditDifference(event.data), [event]);
  const copy = (): void => {
    const text = describeAuditEvent(event, {
      sentence: words.sentence(event),
      actor: words.actor(event),
      url: location.href,
    });
    copyText(text, t);
  };
  return (
    <SpaceBetween size="l">
      <SpaceBetween direction="horizontal" size="m" alignItems="center">
        <Box variant="p" fontSize="heading-s">
          {words.sentence(event)}
        </Box>
        <Button iconName="copy" onClick={copy}>
          {t('auditTrail.detail.copyText')}
        </Button>
      </SpaceBetween>
      <EventFacts event={event} />
      {difference.changes.length === 0 ? null : <ChangesTable changes={difference.changes} />}
      <EventData event={event} coveredFields={difference.coveredFields} />
      <AuditCorrelation key={event.id} event={event} onOpen={onOpen} />
    </SpaceBetween>
  );
}

function EventFacts({ event }: { readonly event: AuditEvent }): ReactNode {
  const t = useT();
  const words = useAuditWords();
  const format = useFormat();
  const { may } = useViewer();
  const items: KeyValueItem[] = [
    { label: t('auditTrail.column.at'), value: <Time at={event.at} style="utc" /> },
    ...(occurredAt(event) === event.at
      ? []
      : [
          {
            label: t('auditTrail.detail.occurredAt'),
            value: <Time at={occurredAt(event)} style="utc" />,
          },
        ]),
    { label: t('auditTrail.detail.localTime'), value: format.absolute(Date.parse(event.at)) },
    {
      label: t('auditTrail.column.actor'),
      value: <Actor event={event} name={words.actor(event)} />,
    },
    { label: t('auditTrail.column.address'), value: event.actor.address },
    { label: t('auditTrail.column.device'), value: <EventDevice event={event} /> },
    ...linkedItems(event, t),
    {
      label: t('auditTrail.detail.request'),
      value:
        event.requestId === null ? null : (
          <SpaceBetween size="xxs">
            <CopyableId value={event.requestId} name={t('auditTrail.detail.request')} />
            {may('api-calls:read') ? (
              <PortalLink
                href={`/api-calls?q=${encodeURIComponent(`request=${event.requestId}`)}&t=30d`}
              >
                {t('auditTrail.detail.apiCalls')}
              </PortalLink>
            ) : null}
          </SpaceBetween>
        ),
    },
    {
      label: t('auditTrail.detail.id'),
      value: <CopyableId value={event.id} name={t('auditTrail.detail.id')} />,
    },
  ];
  return <KeyValue items={items} columns={3} />;
}

function linkedItems(event: AuditEvent, t: ReturnType<typeof useT>): KeyValueItem[] {
  const { runId, invocationId, document } = event.data;
  const items: KeyValueItem[] = [];
  if (typeof runId === 'string') {
    items.push({
      label: t('auditTrail.detail.run'),
      value: <CopyableId value={runId} name={t('auditTrail.detail.run')} />,
    });
  }
  if (typeof invocationId === 'string') {
    items.push({
      label: t('auditTrail.detail.invocation'),
      value: <InvocationLink invocationId={invocationId} />,
    });
  }
  if (typeof document === 'string' && document !== '') {
    const name = document.split(':')[0] ?? document;
    items.push({
      label: t('auditTrail.detail.document'),
      value: <PortalLink href={`/documents/${encodeURIComponent(name)}`}>{document}</PortalLink>,
    });
  }
  return items;
}

/**
 * Loads the command of the invocation, because the event contains only the ID of the invocation.
 */
function InvocationLink({ invocationId }: { readonly invocationId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const allowed = useViewer().may('commands:read');
  const found = useQuery(
    api.commands.getInvocation.queryOptions(
      { id: invocationId },
      { enabled: allowed, retry: false },
    ),
  ).data;
  if (found === undefined)
    return <CopyableId value={invocationId} name={t('auditTrail.detail.invocation')} />;
  return <PortalLink href={invocationHref(found)}>{t('auditTrail.detail.openRun')}</PortalLink>;
}

function Actor({ event, name }: { readonly event: AuditEvent; readonly name: string }): ReactNode {
  const { may } = useViewer();
  const { kind, id } = event.actor;
  if (kind === 'user' && id !== null && may('access:read')) {
    return <PortalLink href={`/uam/users/${id}`}>{name}</PortalLink>;
  }
  return name;
}

function EventData({
  event,
  coveredFields,
}: {
  readonly event: AuditEvent;
  /** Fields that the list of changes shows. */
  readonly coveredFields: readonly string[];
}): ReactNode {
  const t = useT();
  const entries = Object.entries(event.data).filter(
    ([name]) => !shownAbove.has(name) && !coveredFields.includes(name),
  );
  return (
    <SpaceBetween size="s">
      <Box variant="h3">{t('auditTrail.detail.data')}</Box>
      {entries.length === 0 ? (
        <Box color="text-body-secondary">{t('auditTrail.detail.noData')}</Box>
      ) : (
        <KeyValue
          items={entries.map(([name, value]) => ({
            label: name,
            value: typeof value === 'string' ? value : JSON.stringify(value),
          }))}
        />
      )}
      <ExpandableSection headerText={t('auditTrail.detail.raw')}>
        <CodeBlock text={JSON.stringify(event, null, 2)} label={t('auditTrail.detail.raw')} />
      </ExpandableSection>
    </SpaceBetween>
  );
}
