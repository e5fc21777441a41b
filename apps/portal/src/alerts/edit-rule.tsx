import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { draftOfRule } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleNotFound } from './rule-not-found.tsx';
import { useSavedRule } from './use-saved-rule.tsx';

/** Changes an own rule. */
export function EditRule({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  // What is typed must not be replaced by a newer version.
  const rules = useQuery(
    api.alerts.listRules.queryOptions(undefined, {
      staleTime: Infinity,
      gcTime: 0,
      refetchOnMount: 'always',
      refetchOnWindowFocus: false,
    }),
  );
  useBreadcrumbs([
    { text: t('app.nav.alerts'), href: '/alerts' },
    { text: t('alerts.tab.rules'), href: '/alerts?tab=rules' },
  ]);
  const saved = useSavedRule();
  const change = useMutation(
    api.alerts.changeRule.mutationOptions({
      onSuccess: (made, { name }) => saved.show(made, t('alerts.rule.changed', { name })),
    }),
  );
  if (rules.isError) return <ErrorView error={rules.error} place="page" />;
  if (rules.data === undefined || rules.isFetching) return <PendingPage />;
  const rule = rules.data.find((each) => each.id === id && each.isOwn);
  if (rule === undefined) return <RuleNotFound />;
  return (
    <>
      <RuleForm
        header={<PageHeader title={rule.name} description={t('alerts.rule.editDescription')} />}
        start={draftOfRule(rule)}
        submitLabel={t('alerts.rule.save')}
        busy={change.isPending}
        error={change.error}
        onSubmit={(changed) => change.mutate({ ...changed, id, revision: rule.revision })}
        onCancel={saved.leave}
      />
      {saved.dialog}
    </>
  );
}
