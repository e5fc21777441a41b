import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { decodeDeviceFilter } from '../devices/list/filter/device-filter.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { metricLimitWords, type Words } from './alert-words.ts';
import { emptyRule, type RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { startOfRule, type RuleStart } from './start-of-rule.ts';
import { useSavedRule } from './use-saved-rule.tsx';

const route = getRouteApi('/alerts');

/** Creates a rule, for the devices of a filter if the address has one. */
export function NewRule(): ReactNode {
  const t = useT();
  const api = useApi();
  const { detail } = useViewer();
  const format = useFormat();
  const { q, op, targets, metric } = route.useSearch();
  useBreadcrumbs([
    { text: t('app.nav.alerts'), href: '/alerts' },
    { text: t('alerts.rule.new'), href: '/alerts?create=true' },
  ]);
  const saved = useSavedRule();
  const create = useMutation(
    api.alerts.createRule.mutationOptions({
      onSuccess: (made, { name }) => saved.show(made, t('alerts.rule.created', { name })),
    }),
  );
  const condition = startOfRule(decodeDeviceFilter({ q, op, targets }).query, metric);
  const start: RuleDraft = {
    ...emptyRule,
    ...condition,
    name: defaultName(condition, { t, format }),
    targets,
    destinations: detail.email === null ? [] : [{ key: 'own', kind: 'email', value: detail.email }],
  };
  return (
    <>
      <RuleForm
        header={
          <PageHeader title={t('alerts.rule.new')} description={t('alerts.rule.description')} />
        }
        start={start}
        submitLabel={t('alerts.rule.create')}
        busy={create.isPending}
        error={create.error}
        onSubmit={(rule) => create.mutate(rule)}
        onCancel={saved.leave}
      />
      {saved.dialog}
    </>
  );
}

const defaultName = (start: RuleStart, words: Words): string =>
  start.kind === 'metric'
    ? metricLimitWords({ ...start, value: Number(start.metricValue) }, words)
    : words.t('alerts.rule.defaultName');
