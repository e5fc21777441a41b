import Spinner from '@cloudscape-design/components/spinner';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import type { AirBlastDetail, AirBlastTargetGroup } from '@deviceportal/contract/air-blast';
import { useApi } from '../api/use-api.ts';
import { WhyPanel } from '../explanations/why-panel.tsx';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { AirBlastFacts } from './air-blast-facts.tsx';
import { AirBlastStatus } from './air-blast-status.tsx';
import { AirBlastTargets } from './air-blast-targets.tsx';
import { ApprovalPanel } from './approval-panel.tsx';
import { FailurePanel } from './progress/failure-panel.tsx';
import { NextStepPanel } from './progress/next-step-panel.tsx';
import { PlanWarnings } from './plan/plan-warnings.tsx';
import { ProgressPanel } from './progress/progress-panel.tsx';
import { RunActions } from './run-actions.tsx';
import { stateDetail } from './state-detail.ts';
import { StepRail } from './progress/step-rail.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

export const Route = createLazyRoute('/air-blast/$id')({ component: AirBlastPage });

const route = getRouteApi('/air-blast/$id');
const EditPlan = lazy(() =>
  import('./plan/edit-plan.tsx').then((module) => ({ default: module.EditPlan })),
);

function AirBlastPage(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const api = useApi();
  const { id } = route.useParams();
  const [editing, setEditing] = useState(false);
  const [chosen, setChosen] = useState<AirBlastTargetGroup | null>(null);
  const targets = useRef<HTMLDivElement>(null);
  const showUnchecked = (): void => {
    setChosen('unchecked');
    targets.current?.scrollIntoView({ block: 'nearest' });
  };
  const query = useQuery(
    api.airBlast.get.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) => {
          if (state.data !== undefined && state.data.endedAt !== null) return false;
          return state.data?.stepState === 'running' ? refreshMs.soon : refreshMs.work;
        },
      },
    ),
  );
  const run = query.data;
  useBreadcrumbs([
    { text: t('app.nav.airBlast'), href: '/air-blast' },
    { text: run?.name ?? id, href: `/air-blast/${id}` },
  ]);
  if (query.isError && run === undefined) {
    return (
      <ErrorView
        error={query.error}
        subject={{ kind: t('app.nav.airBlast'), id }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (run === undefined) return <PageHeader title={t('app.nav.airBlast')} />;
  if (editing && run.may.edit) {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('airBlast.editTitle', { name: run.name })} />
        <Suspense fallback={<Spinner />}>
          <EditPlan id={run.id} onClose={() => setEditing(false)} />
        </Suspense>
      </SpaceBetween>
    );
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={run.name}
        description={<AirBlastStatus run={run} detail={stateDetail(run.stateReason, language)} />}
        actions={<RunActions run={run} onEdit={() => setEditing(true)} />}
      />
      <PlanWarnings run={run} onShowUnchecked={showUnchecked} />
      <WhyPanel
        of={{ kind: 'air-blast', id: run.id }}
        revision={`${run.updatedAt} ${run.roleExpiresAt ?? ''}`}
        isSettled={run.endedAt !== null}
      />
      <StepRail run={run} />
      <ApprovalPanel run={run} />
      <FailurePanel run={run} />
      <NextStepPanel run={run} />
      <ProgressPanel run={run} />
      <AirBlastFacts run={run} />
      <div ref={targets}>
        <AirBlastTargets run={run} group={chosen ?? groupOf(run)} onGroup={setChosen} />
      </div>
    </SpaceBetween>
  );
}

/** The group of devices that is shown before one is selected. */
const groupOf = ({ step, state }: AirBlastDetail): AirBlastTargetGroup =>
  step === 'preflight' && state === 'failed' ? 'no-go' : 'all';
