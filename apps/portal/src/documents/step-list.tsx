import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { stepActions, type DocumentStep } from '@deviceportal/contract/ssm-document';
import { useT, type Translate } from '../i18n/use-t.ts';
import { CodeBlock } from '../ui/code-block.tsx';

/** The steps of a document as text, with their scripts. */
export function StepList({ steps }: { readonly steps: readonly DocumentStep[] }): ReactNode {
  const t = useT();
  if (steps.length === 0) return <Box color="text-body-secondary">{t('commands.steps.none')}</Box>;
  return (
    <ol className="dp-document-list">
      {steps.map((step) => (
        <li key={step.name}>
          <SpaceBetween size="xs">
            <Box>
              <Box variant="strong">{step.name}</Box>
              {' — '}
              {actionWords(step, t)}
            </Box>
            {conditionsOf(step, t).map((condition) => (
              <Box key={condition} color="text-body-secondary" fontSize="body-s">
                {condition}
              </Box>
            ))}
            <Script step={step} />
          </SpaceBetween>
        </li>
      ))}
    </ol>
  );
}

function actionWords({ action }: DocumentStep, t: Translate): string {
  return stepActions.includes(action)
    ? t(`documents.action.${action.slice('aws:'.length) as 'runShellScript'}`)
    : action;
}

function conditionsOf(step: DocumentStep, t: Translate): readonly string[] {
  const [left, right] = step.precondition?.StringEquals ?? [];
  const timeout = step.inputs['timeoutSeconds'];
  return [
    left === undefined ? '' : t('documents.steps.only', { left, right: right ?? '' }),
    step.onFailure === undefined ? '' : t(`documents.steps.onFailure.${step.onFailure}`),
    step.onSuccess === undefined ? '' : t('documents.steps.onSuccess'),
    step.finallyStep === true ? t('documents.steps.finally') : '',
    step.maxAttempts === undefined
      ? ''
      : t('documents.steps.attempts', { count: step.maxAttempts }),
    typeof timeout === 'string' || typeof timeout === 'number'
      ? t('documents.steps.timeout', { seconds: String(timeout) })
      : '',
  ].filter((condition) => condition !== '');
}

function Script({ step }: { readonly step: DocumentStep }): ReactNode {
  const { runCommand, timeoutSeconds: _shownAbove, ...rest } = step.inputs;
  const text = Array.isArray(runCommand)
    ? runCommand.join('\n')
    : Object.keys(rest).length === 0
      ? ''
      : JSON.stringify(rest, null, 2);
  if (text === '') return null;
  return <CodeBlock text={text} label={step.name} maxHeightPx={240} />;
}
