import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { HeldSubject, LegalHoldRow } from '@deviceportal/contract/legal-holds';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';
import { RowMenu } from '../identity-provider/row-menu.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

export type HoldAct = 'request' | 'approve' | 'reject';

export interface HoldColumnsProps {
  readonly t: Translate;
  readonly format: Formatters;
  /** The reason for which the viewer cannot change holds. */
  readonly reason: string | undefined;
  readonly onAct: (act: HoldAct, hold: LegalHoldRow) => void;
}

const states = {
  active: 'success',
  'release-requested': 'pending',
  released: 'stopped',
  expired: 'stopped',
} as const;

export function holdColumns(props: HoldColumnsProps): TableColumn<LegalHoldRow>[] {
  const { t, format } = props;
  return [
    {
      id: 'name',
      header: t('legalHolds.name'),
      cell: ({ name, reason }) => (
        <>
          {name}
          <div className="dp-age">{reason}</div>
        </>
      ),
      rowHeader: true,
      always: true,
      minWidth: 130,
    },
    {
      id: 'state',
      header: t('legalHolds.state'),
      cell: (hold) => <State hold={hold} t={t} />,
      minWidth: 150,
    },
    {
      id: 'subjects',
      header: t('legalHolds.subjects'),
      cell: ({ subjects }) => <Subjects subjects={subjects} t={t} />,
      minWidth: 190,
    },
    {
      id: 'range',
      header: t('legalHolds.range'),
      cell: ({ from, to }) => rangeWords(from, to, { t, format }),
      minWidth: 105,
    },
    {
      id: 'until',
      header: t('legalHolds.until'),
      cell: ({ until }) =>
        until === null ? t('legalHolds.untilReleased') : <Time at={until} style="exact" />,
      minWidth: 100,
    },
    {
      id: 'set',
      header: t('legalHolds.setBy'),
      cell: ({ setBy, setAt }) => (
        <>
          {setBy ?? '-'} <Time at={setAt} />
        </>
      ),
      minWidth: 190,
    },
    {
      id: 'acts',
      header: t('legalHolds.acts'),
      cell: (hold) => <Acts hold={hold} {...props} />,
      minWidth: 80,
    },
  ];
}

function State({ hold, t }: { readonly hold: LegalHoldRow; readonly t: Translate }): ReactNode {
  const { state, releaseRequestedBy, releaseReason, endedBy } = hold;
  const who = state === 'released' ? endedBy : releaseRequestedBy;
  return (
    <>
      <StatusIndicator type={states[state]}>{t(`legalHolds.state.${state}`)}</StatusIndicator>
      {state === 'release-requested' || state === 'released' ? (
        <div>{t('legalHolds.whoAndWhy', { who: who ?? '-', reason: releaseReason })}</div>
      ) : null}
    </>
  );
}

function Subjects({
  subjects,
  t,
}: {
  readonly subjects: readonly HeldSubject[];
  readonly t: Translate;
}): ReactNode {
  if (subjects.length === 0) return t('legalHolds.everything');
  return subjects.map(({ kind, id, label }) => (
    <div key={`${kind} ${id}`}>
      <PortalLink href={hrefOf(kind, id)}>{label}</PortalLink> {t(`legalHolds.kind.${kind}`)}
    </div>
  ));
}

function hrefOf(kind: HeldSubject['kind'], id: string): string {
  if (kind === 'device') return `/devices/${id}`;
  if (kind === 'case') return `/cases/${id}`;
  return kind === 'user' ? `/uam/users/${id}` : `/people/${id}`;
}

function rangeWords(
  from: string | null,
  to: string | null,
  { t, format }: Pick<HoldColumnsProps, 't' | 'format'>,
): string {
  if (from === null && to === null) return t('legalHolds.anyTime');
  const words = (moment: string | null): string =>
    moment === null ? '…' : format.absolute(Date.parse(moment));
  return `${words(from)} – ${words(to)}`;
}

function Acts({
  hold,
  t,
  reason,
  onAct,
}: HoldColumnsProps & { readonly hold: LegalHoldRow }): ReactNode {
  if (hold.state === 'released' || hold.state === 'expired') return '-';
  const isRequested = hold.state === 'release-requested';
  const acts: readonly HoldAct[] = isRequested ? ['approve', 'reject'] : ['request'];
  return (
    <RowMenu
      label={t('legalHolds.actsOf', { name: hold.name })}
      acts={acts.map((id) => ({
        id,
        text: t(`legalHolds.act.${id}`),
        reason:
          reason ?? (id === 'approve' && !hold.canApprove ? t('legalHolds.ownRequest') : undefined),
        onAct: () => onAct(id, hold),
      }))}
    />
  );
}
