import { useMemo, type ReactNode } from 'react';
import Link from '@cloudscape-design/components/link';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { EmptyWords } from '../ui/table/table-empty.tsx';
import type { TablePaging } from '../ui/table/table-pages.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import './audit-event-table.css';
import { auditTypeWords } from './audit-event-words.ts';
import { EventDevice } from './event-device.tsx';
import { countTypes, groupEvents, type AuditRow } from './group-events.ts';
import { useAuditWords, type AuditWords } from './use-audit-words.ts';

export interface AuditEventTableProps {
  /** The key under which columns and page size are stored. */
  readonly id: string;
  readonly events: readonly AuditEvent[] | undefined;
  readonly query: TableQuery;
  readonly paging?: TablePaging;
  /** Hides the device column, for the page of a single device. */
  readonly withoutDevice?: boolean;
  /** Hides the actor column, for the page of a single user. */
  readonly withoutActor?: boolean;
  readonly variant?: 'full-page' | 'container' | 'embedded';
  readonly header?: ReactNode;
  readonly filter?: ReactNode;
  readonly footer?: ReactNode;
  readonly empty?: EmptyWords;
  readonly withoutSettings?: boolean;
  /** Makes the time a link that opens the event in the split panel. */
  readonly onOpen?: (event: AuditEvent) => void;
  /** Groups repeated events into one expandable row. */
  readonly folds?: boolean;
}

/** Audit events as a table: time, type, actor, and subject. */
export function AuditEventTable(props: AuditEventTableProps): ReactNode {
  const { id, events, query, paging, variant = 'container', onOpen } = props;
  const { withoutDevice = false, withoutActor = false } = props;
  const t = useT();
  const words = useAuditWords();
  const columns = useMemo(
    () =>
      auditColumns({ t, words, onOpen }).filter(
        ({ id: column }) =>
          !(withoutDevice && column === 'device') && !(withoutActor && column === 'actor'),
      ),
    [t, words, onOpen, withoutDevice, withoutActor],
  );
  const { folds = false } = props;
  const rows = useMemo<readonly AuditRow[] | undefined>(
    () => (folds && events !== undefined ? groupEvents(events) : events),
    [folds, events],
  );
  return (
    <DataTable<AuditRow>
      id={id}
      label={t('auditTrail.table')}
      variant={variant}
      columns={columns}
      rows={rows}
      {...(folds
        ? {
            expandable: {
              childrenOf: ({ group = [] }) => group,
              label: (row, isOpen) =>
                t(isOpen ? 'auditTrail.fold.close' : 'auditTrail.fold.open', {
                  count: row.group?.length ?? 0,
                }),
            },
          }
        : {})}
      rowKey={(event) => event.id}
      query={query}
      empty={props.empty ?? { title: t('auditTrail.none') }}
      header={props.header}
      filter={props.filter}
      footer={props.footer}
      withoutSettings={props.withoutSettings ?? false}
      wrapLines={props.withoutSettings ?? false}
      {...(paging === undefined ? {} : { paging })}
    />
  );
}

interface ColumnWords {
  readonly t: Translate;
  readonly words: AuditWords;
  readonly onOpen?: ((event: AuditEvent) => void) | undefined;
}

function auditColumns({ t, words, onOpen }: ColumnWords): TableColumn<AuditRow>[] {
  return [
    {
      id: 'at',
      header: t('auditTrail.column.at'),
      cell: (event) =>
        onOpen === undefined || event.group !== undefined ? (
          <Time at={event.at} style="utc" />
        ) : (
          <Link
            ariaLabel={t('auditTrail.page.open', { type: words.type(event), time: event.at })}
            onFollow={() => onOpen(event)}
          >
            <Time at={event.at} style="utc" />
          </Link>
        ),
      rowHeader: true,
      always: true,
      width: 230,
    },
    {
      id: 'type',
      header: t('auditTrail.column.type'),
      cell: (row) => (
        <Summary
          sentence={
            row.group === undefined
              ? words.type(row)
              : t('auditTrail.fold.title', { count: row.group.length })
          }
        />
      ),
      width: 165,
    },
    {
      id: 'device',
      header: t('auditTrail.column.device'),
      cell: (event) => <EventDevice event={event} />,
      width: 130,
    },
    {
      id: 'actor',
      header: t('auditTrail.column.actor'),
      cell: (event) => <span title={words.actor(event)}>{words.actor(event)}</span>,
      width: 215,
    },
    {
      id: 'data',
      header: t('auditTrail.column.data'),
      cell: (row) =>
        row.group === undefined ? (
          <Summary sentence={words.sentence(row)} />
        ) : (
          <div className="dp-audit-summary">
            <GroupWords group={row.group} />
          </div>
        ),
      width: 370,
      minWidth: 240,
    },
    {
      id: 'address',
      header: t('auditTrail.column.address'),
      cell: (event) => event.actor.address ?? '-',
      width: 135,
    },
    {
      id: 'requestId',
      header: t('auditTrail.column.requestId'),
      cell: (event) => (
        <CopyableId value={event.requestId ?? event.id} name={t('auditTrail.column.requestId')} />
      ),
      width: 345,
    },
  ];
}

/** Wraps, except in the compact density, in which the rest of the sentence is a tooltip. */
function Summary({ sentence }: { readonly sentence: string }): ReactNode {
  return (
    <div className="dp-audit-summary" title={sentence}>
      {sentence}
    </div>
  );
}

/** The types of events in a group, and the time of the first one. */
function GroupWords({ group }: { readonly group: readonly AuditEvent[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const oldest = group.at(-1);
  return (
    <>
      {format.list(
        countTypes(group).map(([type, count]) => `${count} × ${auditTypeWords(type, t)}`),
      )}
      {oldest === undefined ? null : (
        <>
          {' '}
          {t('auditTrail.fold.since')} <Time at={oldest.at} style="utc" />
        </>
      )}
    </>
  );
}
