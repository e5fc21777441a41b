import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import {
  ALERT_LIMITS,
  type AlertCondition,
  type AlertRulePreview,
  type AlertRulePreviewRequest,
} from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { countWords } from './alert-words.ts';

const DELAY_MS = 600;
const SHOWN = 10;

/** How many devices match now, and how often the rule would have fired in the last days. */
export function RulePreview({
  evaluated,
}: {
  /** Null while the form is not complete. */
  readonly evaluated: AlertRulePreviewRequest | null;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const text = evaluated === null ? '' : JSON.stringify(evaluated);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const request = settled === '' ? undefined : (JSON.parse(settled) as AlertRulePreviewRequest);
  const preview = useQuery({
    ...api.alerts.previewRule.queryOptions(request ?? evaluatedNothing, {
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
    enabled: request !== undefined,
  });
  if (evaluated === null) {
    return <Box color="text-body-secondary">{t('alerts.preview.incomplete')}</Box>;
  }
  if (preview.isError) {
    return <ErrorView error={preview.error} place="alert" onRetry={() => void preview.refetch()} />;
  }
  const isOld = preview.isPlaceholderData || text !== settled;
  if (preview.data === undefined || isOld) {
    return <StatusIndicator type="loading">{t('alerts.preview.loading')}</StatusIndicator>;
  }
  return <PreviewWords preview={preview.data} kind={evaluated.condition.kind} />;
}

/** Never sent: the query is disabled without a request. */
const evaluatedNothing: AlertRulePreviewRequest = {
  filter: { text: '', tokens: [], operation: 'and', targetListId: null },
  condition: { kind: 'offline', minutes: 1 },
  ...{ unit: 'devices', above: 0, resolveAt: 0, holdMinutes: 0, resolveMinutes: 1 },
  ...{ excludesChanging: false, maintenance: [] },
};

function PreviewWords({
  preview: { now, history },
  kind,
}: {
  readonly preview: AlertRulePreview;
  readonly kind: AlertCondition['kind'];
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const days = ALERT_LIMITS.previewDays;
  const at = (time: string): string => format.absolute(Date.parse(time));
  return (
    <div role="status">
      <SpaceBetween size="xxs">
        <Box>{t('alerts.preview.now', { count: countWords(now, { t, format }) })}</Box>
        {history === null ? (
          <StatusIndicator type="info">{t('alerts.preview.tooLong', { days })}</StatusIndicator>
        ) : (
          <StatusIndicator type={history.firings.length === 0 ? 'success' : 'warning'}>
            {t('alerts.preview.fired', { count: history.firings.length, days })}
          </StatusIndicator>
        )}
        {history === null || history.firings.length === 0 ? null : (
          <ExpandableSection headerText={t('alerts.preview.times')}>
            <ul>
              {history.firings.slice(-SHOWN).map(({ startedAt, resolvedAt, peak }) => (
                <li key={startedAt}>
                  {t('alerts.preview.firing', {
                    from: at(startedAt),
                    to: resolvedAt === null ? 'none' : at(resolvedAt),
                    peak,
                  })}
                </li>
              ))}
            </ul>
          </ExpandableSection>
        )}
        <Box variant="small" color="text-body-secondary">
          {t(`alerts.preview.basis.${kind}`)}
        </Box>
      </SpaceBetween>
    </div>
  );
}
