import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { AlertRuleRow } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { RuleDialogs } from './rule-dialogs.tsx';
import { ruleColumns, type RuleAct } from './rule-columns.tsx';
import { useManageAlertsReason } from './use-manage-alerts-reason.ts';
import { useUnmuteRule } from './use-unmute-rule.ts';

/** The rules that the viewer can see. */
export function RulesTable(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useManageAlertsReason();
  const [chosen, setChosen] = useState<{
    readonly act: 'mute' | 'delete';
    readonly rule: AlertRuleRow;
  }>();
  const query = useQuery(
    api.alerts.listRules.queryOptions(undefined, { refetchInterval: refreshMs.computed }),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const unmute = useUnmuteRule();
  const columns = useMemo(
    () =>
      ruleColumns({
        ...{ t, format, reason },
        onAct: (act: RuleAct, rule) => {
          if (act === 'edit') navigateTo(`/alerts?tab=rules&edit=${rule.id}`);
          else if (act === 'unmute') unmute(rule);
          else setChosen({ act, rule });
        },
      }),
    [t, format, reason, unmute],
  );
  return (
    <>
      <DataTable
        id="alert-rules"
        label={t('alerts.tab.rules')}
        variant="container"
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('alerts.noRules'), body: t('alerts.noRulesBody') }}
      />
      <RuleDialogs chosen={chosen} onClose={() => setChosen(undefined)} />
    </>
  );
}
