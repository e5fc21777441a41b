import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AirBlastDetail, ReasonCount } from '@deviceportal/contract/air-blast';
import { useFormat } from '../i18n/format-values.ts';
import type { MessageKey } from '../i18n/message-key.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { ChangeParameters } from './change-facts.tsx';
import { PlanStrategyFacts } from './plan-strategy-facts.tsx';
import { radiusWords } from './radius-words.ts';
import { reportWords } from './report-words.ts';

/** The plan, targets, and result of a rollout. */
export function AirBlastFacts({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { radius } = run;
  const reasons = (counts: readonly ReasonCount[]): string =>
    format.list(
      counts.map(
        ({ reason, count }) =>
          `${t(`airBlast.reasonOf.${reason}` as MessageKey)} ${format.number(count)}`,
      ),
    );
  const approvals = format.list(
    run.approvals.map(
      (one) => `${t(one.valid ? `airBlast.${one.decision}` : 'airBlast.void')} · ${one.by}`,
    ),
  );
  return (
    <Container header={<Header variant="h2">{t('airBlast.plan')}</Header>}>
      <SpaceBetween size="s">
        <KeyValue
          hasLongValues
          items={[
            { label: t('airBlast.change'), value: run.change },
            { label: t('airBlast.operator'), value: run.operator },
            { label: t('airBlast.reason'), value: run.reason },
            {
              label: t('airBlast.radius'),
              value: radiusWords(t, radius),
            },
            {
              label: t('airBlast.predicted'),
              value:
                run.predictedDurationMs === null ? null : format.duration(run.predictedDurationMs),
            },
            {
              label: t('airBlast.targetSet'),
              value: <CopyableId value={run.targetSha256} name={t('airBlast.targetSet')} />,
            },
            { label: t('airBlast.excluded'), value: reasons(run.excluded) },
            { label: t('airBlast.noGo'), value: reasons(run.noGo) },
            {
              label: t('airBlast.approval'),
              value: approvals || t(run.needsApproval ? 'airBlast.needed' : 'airBlast.notNeeded'),
            },
            {
              label: t('airBlast.report'),
              value: (
                <PortalLink href={`/air-blast/${run.id}/report`}>
                  {reportWords(run, { t, format })}
                </PortalLink>
              ),
            },
          ]}
        />
        <ChangeParameters run={run} />
        <ExpandableSection headerText={t('airBlast.care')}>
          <PlanStrategyFacts run={run} />
        </ExpandableSection>
      </SpaceBetween>
    </Container>
  );
}
