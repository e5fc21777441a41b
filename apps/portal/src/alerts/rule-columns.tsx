import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { AlertRuleRow } from '@deviceportal/contract/alerts';
import { RowMenu } from '../identity-provider/row-menu.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useServerNow } from '../ui/time/server-clock.ts';
import { AlertSeverity } from './alert-severity.tsx';
import { conditionWords, countWords, devicesHref, type Words } from './alert-words.ts';

export type RuleAct = 'edit' | 'mute' | 'unmute' | 'delete';

export interface RuleColumnsProps extends Words {
  /** The reason for which the viewer cannot change rules. */
  readonly reason: string | undefined;
  readonly onAct: (act: RuleAct, rule: AlertRuleRow) => void;
}

export function ruleColumns(words: RuleColumnsProps): TableColumn<AlertRuleRow>[] {
  const { t, format } = words;
  return [
    {
      id: 'name',
      header: t('alerts.column.rule'),
      cell: ({ name }) => name,
      rowHeader: true,
      always: true,
      minWidth: 180,
    },
    {
      id: 'state',
      header: t('alerts.column.state'),
      cell: (rule) => <RuleState rule={rule} words={words} />,
      minWidth: 200,
    },
    {
      id: 'condition',
      header: t('alerts.column.condition'),
      cell: (rule) => conditionWords(rule, words),
      minWidth: 220,
    },
    {
      id: 'devices',
      header: t('alerts.column.devices'),
      cell: ({ filter, matching, total }) => (
        <PortalLink href={devicesHref(filter, null)}>
          {matching === null || total === null
            ? t('alerts.viewDevices')
            : countWords({ matching, total }, words)}
        </PortalLink>
      ),
      minWidth: 140,
    },
    {
      id: 'severity',
      header: t('alerts.column.severity'),
      cell: ({ severity }) => <AlertSeverity severity={severity} />,
      minWidth: 120,
    },
    {
      id: 'destinations',
      header: t('alerts.column.destinations'),
      cell: ({ destinations }) =>
        destinations.length === 0
          ? t('alerts.portalOnly')
          : format.list(
              destinations.map(({ kind, label }) =>
                t('alerts.destinationAt', { kind: t(`alerts.destination.${kind}`), label }),
              ),
            ),
      minWidth: 200,
    },
    {
      id: 'owner',
      header: t('alerts.column.owner'),
      cell: ({ owner }) => owner ?? '-',
      minWidth: 150,
    },
    { ...actColumn(words), minWidth: 90 },
  ];
}

function actColumn({ t, reason, onAct }: RuleColumnsProps): TableColumn<AlertRuleRow> {
  return {
    id: 'acts',
    header: t('alerts.column.actions'),
    cell: (rule) => (
      <RowMenu
        label={t('alerts.actsOf', { name: rule.name })}
        acts={[
          {
            id: 'edit',
            text: t('alerts.act.edit'),
            reason: reason ?? (rule.isOwn ? undefined : t('alerts.onlyOwner')),
            onAct: () => onAct('edit', rule),
          },
          {
            id: 'mute',
            text: t('alerts.act.mute'),
            reason,
            onAct: () => onAct('mute', rule),
          },
          ...(rule.mutedUntil === null
            ? []
            : [
                {
                  id: 'unmute',
                  text: t('alerts.act.unmute'),
                  reason,
                  onAct: () => onAct('unmute', rule),
                },
              ]),
          {
            id: 'delete',
            text: t('alerts.act.delete'),
            reason,
            onAct: () => onAct('delete', rule),
          },
        ]}
      />
    ),
  };
}

const phaseTypes = {
  ok: 'success',
  pending: 'pending',
  firing: 'error',
  recovering: 'pending',
} as const;

function RuleState({
  rule: { enabled, problem, phase, mutedUntil, maintenanceUntil, noticesPausedUntil, evaluatedAt },
  words: { t, format },
}: {
  readonly rule: AlertRuleRow;
  readonly words: Words;
}): ReactNode {
  const now = useServerNow();
  if (!enabled) {
    return <StatusIndicator type="stopped">{t('alerts.state.disabled')}</StatusIndicator>;
  }
  if (problem !== null) {
    return <StatusIndicator type="warning">{t(`alerts.problem.${problem}`)}</StatusIndicator>;
  }
  const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > now;
  const until = (at: string) => ({ at: format.absolute(Date.parse(at)) });
  if (isAhead(noticesPausedUntil)) {
    return (
      <StatusIndicator type="warning">
        {t('alerts.state.noticesPaused', until(noticesPausedUntil))}
      </StatusIndicator>
    );
  }
  const isOpen = phase === 'firing' || phase === 'recovering';
  if (!isOpen && isAhead(mutedUntil)) {
    return (
      <StatusIndicator type="stopped">
        {t('alerts.state.mutedUntil', until(mutedUntil))}
      </StatusIndicator>
    );
  }
  if (!isOpen && isAhead(maintenanceUntil)) {
    return (
      <StatusIndicator type="stopped">
        {t('alerts.state.maintenanceUntil', until(maintenanceUntil))}
      </StatusIndicator>
    );
  }
  if (evaluatedAt === null) {
    return <StatusIndicator type="pending">{t('alerts.state.new')}</StatusIndicator>;
  }
  return <StatusIndicator type={phaseTypes[phase]}>{t(`alerts.state.${phase}`)}</StatusIndicator>;
}
