import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { AuditChain } from '@deviceportal/contract/audit-trail';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import type { CheckedFiles } from './check-files.ts';

export interface FileFindingsProps {
  readonly checked: CheckedFiles;
  readonly installationKeys: AuditChain['keys'];
}

/** What an export proves, and what it does not. */
export function FileFindings({ checked, installationKeys }: FileFindingsProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { report, isExported, fileName } = checked;
  const { fault, manifest, unproven } = report;
  if (fault !== null) {
    return (
      <Alert type="error" header={t('auditTrail.proof.exportBroken', { line: fault.line })}>
        {t(`auditTrail.proof.exportFault.${fault.reason}`)}
      </Alert>
    );
  }
  const isOurs =
    report.signaturesChecked &&
    report.keys.every(({ id, publicKey }) =>
      installationKeys.some((key) => key.id === id && key.publicKey === publicKey),
    );
  const open = [
    isOurs ? null : t('auditTrail.proof.otherKey'),
    unproven.masked > 0 ? t('auditTrail.proof.masked', { count: unproven.masked }) : null,
    unproven.unsealed > 0 ? t('auditTrail.proof.unsealed', { count: unproven.unsealed }) : null,
    isExported === null ? t('auditTrail.proof.noExport') : null,
    t('auditTrail.proof.filterIsTheirs'),
  ].filter((text) => text !== null);
  return (
    <>
      {isExported === false ? (
        <Alert type="error" header={t('auditTrail.proof.otherFile', { file: fileName ?? '' })} />
      ) : null}
      <Alert type="success" header={t('auditTrail.proof.exportHolds')}>
        <ul>
          <li>
            {t('auditTrail.proof.exportEvents', {
              events: format.number(report.events),
              blocks: format.number(report.blocks),
            })}
          </li>
          {isOurs ? <li>{t('auditTrail.proof.ourKey')}</li> : null}
          {isExported === true ? (
            <li>{t('auditTrail.proof.sameFile', { file: fileName ?? '' })}</li>
          ) : null}
          {manifest === null ? null : (
            <li>
              {t('auditTrail.proof.exportedAt', {
                time: format.absolute(Date.parse(manifest.createdAt)),
              })}
            </li>
          )}
        </ul>
      </Alert>
      <Alert type="info" header={t('auditTrail.proof.notProven')}>
        <ul>
          {open.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Alert>
    </>
  );
}
