import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DeclaredPhase, DocumentPhases } from '@deviceportal/contract/document-phases';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { useT } from '../i18n/use-t.ts';
import { flowModel } from './flow-model.ts';
import { FlowPicture } from './flow-picture.tsx';
import { StepList } from './step-list.tsx';

/** The steps as text, and a diagram if the flow is not linear. */
export function StepsTab({
  steps,
  phases,
}: {
  readonly steps: readonly DocumentStep[];
  readonly phases: DocumentPhases;
}): ReactNode {
  const t = useT();
  const flow = flowModel(steps);
  return (
    <SpaceBetween size="l">
      <Phase phase="preCheck" steps={phases.preCheck} />
      <StepList steps={steps} />
      {flow === null ? null : (
        <div>
          <Box variant="h3" tagOverride="h2" padding={{ bottom: 's' }}>
            {t('documents.flow.title')}
          </Box>
          <FlowPicture steps={flow} />
        </div>
      )}
      <Phase phase="verify" steps={phases.verify} />
      <Phase phase="undo" steps={phases.undo} />
    </SpaceBetween>
  );
}

/** Additional steps of a phase, with their purpose. */
function Phase({
  phase,
  steps,
}: {
  readonly phase: DeclaredPhase;
  readonly steps: readonly DocumentStep[] | undefined;
}): ReactNode {
  const t = useT();
  if (steps === undefined) return null;
  return (
    <div>
      <Box variant="h3" tagOverride="h2">
        {t(`documents.phases.${phase}.title`)}
      </Box>
      <Box color="text-body-secondary" padding={{ bottom: 's' }}>
        {t(`documents.phases.${phase}.about`)}
      </Box>
      <StepList steps={steps} />
    </div>
  );
}
