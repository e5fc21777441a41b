import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ApiCall } from '@deviceportal/contract/api-calls';
import { errorNameOf } from '@deviceportal/contract/errors';
import type { ReactNode } from 'react';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

interface CallWords {
  readonly t: Translate;
  readonly format: Formatters;
  readonly hasAccess: boolean;
}

export function callColumns(words: CallWords): TableColumn<ApiCall>[] {
  const { t, format, hasAccess } = words;
  return [
    {
      id: 'time',
      header: t('apiCalls.column.time'),
      cell: (call) => <Time at={call.at} style="utc" />,
      rowHeader: true,
      always: true,
      width: 215,
    },
    {
      id: 'result',
      header: t('apiCalls.column.result'),
      cell: (call) => <Result call={call} t={t} />,
      width: 125,
    },
    {
      id: 'path',
      header: t('apiCalls.column.path'),
      cell: (call) => <span className="dp-id">{call.path}</span>,
      width: 240,
    },
    {
      id: 'user',
      header: t('apiCalls.column.user'),
      cell: (call) => userCell(call, t, hasAccess),
      width: 215,
    },
    {
      id: 'duration',
      header: t('apiCalls.column.duration'),
      cell: (call) => format.duration(call.durationMs),
      numeric: true,
      width: 125,
    },
    {
      id: 'batch',
      header: t('apiCalls.column.batch'),
      cell: (call) => format.number(call.batchSize),
      numeric: true,
      width: 85,
    },
    {
      id: 'request',
      header: t('apiCalls.column.request'),
      cell: (call) => requestCell(call, words),
      width: 330,
    },
    {
      id: 'kind',
      header: t('apiCalls.column.kind'),
      cell: (call) => t(`apiCalls.kind.${call.kind}`),
      optional: true,
      width: 100,
    },
    {
      id: 'address',
      header: t('apiCalls.column.address'),
      cell: (call) => call.address,
      optional: true,
      width: 150,
    },
    {
      id: 'apiToken',
      header: t('apiCalls.column.apiToken'),
      cell: (call) => call.apiToken ?? '-',
      optional: true,
      width: 180,
    },
    {
      id: 'input',
      header: t('apiCalls.column.input'),
      cell: (call) => (call.input === null ? '-' : <span className="dp-id">{call.input}</span>),
      optional: true,
      width: 360,
    },
  ];
}

function Result({ call, t }: { readonly call: ApiCall; readonly t: Translate }): ReactNode {
  if (call.errorCode === null)
    return <StatusIndicator type="success">{t('apiCalls.ok')}</StatusIndicator>;
  return (
    <StatusIndicator type="error">
      {t(`apiCalls.code.${errorNameOf(call.errorCode)}`)} ({call.errorCode})
      {call.refusal === null ? null : <Box>{t(`apiCalls.refusal.${call.refusal}`)}</Box>}
    </StatusIndicator>
  );
}

function userCell(call: ApiCall, t: Translate, hasAccess: boolean): ReactNode {
  if (call.username === null) return t('apiCalls.nobody');
  if (call.userId === null || !hasAccess) return call.username;
  return <PortalLink href={`/uam/users/${call.userId}`}>{call.username}</PortalLink>;
}

/** Links to everything the request caused. All calls of one batch share the request ID. */
function requestCell({ requestId }: ApiCall, { t }: CallWords): ReactNode {
  const q = encodeURIComponent(`request=${requestId}`);
  return (
    <span className="dp-id">
      <PortalLink
        href={`/api-calls?q=${q}&t=30d`}
        ariaLabel={t('apiCalls.follow', { request: requestId })}
      >
        {requestId}
      </PortalLink>
    </span>
  );
}
