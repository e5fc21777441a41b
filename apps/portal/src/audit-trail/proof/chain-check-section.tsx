import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { ChainFindings } from './chain-findings.tsx';
import { saveCheckpoint } from './save-checkpoint.ts';
import { useChainCheck } from './use-chain-check.ts';

/** Recomputes the chain in this browser, independent of the server. */
export function ChainCheckSection({ range }: { readonly range: AuditFilter['range'] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const check = useChainCheck();
  const { phase, progress, head, start } = check;
  const last = head === null ? 0 : head.firstSequence + head.count - 1;
  const done = (progress?.verified ?? start) - start;
  const isRunning = phase === 'running';
  return (
    <SpaceBetween size="m">
      <Box variant="p">{t('auditTrail.proof.chainBody')}</Box>
      <SpaceBetween direction="horizontal" size="xs">
        <Button disabled={isRunning} onClick={() => check.begin(null)}>
          {t('auditTrail.proof.checkAll')}
        </Button>
        {range.from === null ? null : (
          <Button disabled={isRunning} onClick={() => check.begin(range.from)}>
            {t('auditTrail.proof.checkPeriod')}
          </Button>
        )}
        {isRunning ? <Button onClick={check.cancel}>{t('app.cancel')}</Button> : null}
        {phase === 'done' && head !== null ? (
          <Button iconName="download" onClick={() => saveCheckpoint(head, check.keys)}>
            {t('auditTrail.proof.saveCheckpoint')}
          </Button>
        ) : null}
      </SpaceBetween>
      {isRunning ? (
        <ProgressBar
          label={t('auditTrail.proof.checking')}
          value={last === start ? 0 : (100 * done) / (last - start)}
          additionalInfo={t('auditTrail.proof.checkedOf', {
            done: format.number(done),
            all: format.number(last - start),
          })}
        />
      ) : null}
      {phase === 'failed' ? (
        <ErrorView error={check.error} place="alert" onRetry={() => check.begin(null)} />
      ) : null}
      {phase === 'done' && progress === null ? (
        <Alert type="info">{t('auditTrail.proof.nothingSealed')}</Alert>
      ) : null}
      {phase === 'done' && progress !== null ? (
        <ChainFindings check={{ ...check, progress }} />
      ) : null}
    </SpaceBetween>
  );
}
