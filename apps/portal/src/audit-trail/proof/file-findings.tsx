import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import type { CheckedFiles, ComparedFile } from './check-files.ts';

/** What an export proves, and what it does not prove. */
export function FileFindings({ checked }: { readonly checked: CheckedFiles }): ReactNode {
  const t = useT();
  const { report, exported, manifest } = checked;
  const { fault } = report;
  const { proven, open } = useFindings(checked);
  if (fault !== null) {
    return (
      <Alert type="error" header={t('auditTrail.proof.exportBroken', { line: fault.line })}>
        {t(`auditTrail.proof.exportFault.${fault.reason}`)} <TrustedKeysText checked={checked} />
      </Alert>
    );
  }
  const different = [exported, manifest].filter((file) => file?.state === 'different');
  return (
    <SpaceBetween size="s">
      {different.map((file) => (
        <Alert
          key={file?.name}
          type="error"
          header={t('auditTrail.proof.otherFile', { file: file?.name ?? '' })}
        />
      ))}
      {different.length > 0 ? null : (
        <Alert type="success" header={t('auditTrail.proof.exportHolds')}>
          <ul className="dp-proof-list">
            {proven.map((text) => (
              <li key={text}>{text}</li>
            ))}
            <li>
              <TrustedKeysText checked={checked} />
            </li>
          </ul>
        </Alert>
      )}
      <Alert type="info" header={t('auditTrail.proof.notProven')}>
        <ul className="dp-proof-list">
          {open.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Alert>
    </SpaceBetween>
  );
}

/** The trusted keys and their origin. */
function TrustedKeysText({ checked }: { readonly checked: CheckedFiles }): ReactNode {
  const t = useT();
  const format = useFormat();
  const { trusted } = checked;
  if (trusted === null) return t('auditTrail.proof.trustedNone');
  const keys = format.list(trusted.keys.map(({ id }) => id));
  return trusted.file === null
    ? t('auditTrail.proof.trustedOurs', { keys })
    : t('auditTrail.proof.trustedFile', { keys, file: trusted.file });
}

function useFindings({ report, exported, manifest, trusted }: CheckedFiles): {
  readonly proven: readonly string[];
  readonly open: readonly string[];
} {
  const t = useT();
  const format = useFormat();
  const { unproven } = report;
  const same = (file: ComparedFile | null): string | null =>
    file?.state === 'same' ? t('auditTrail.proof.sameFile', { file: file.name }) : null;
  const proven = [
    t('auditTrail.proof.exportEvents', {
      events: format.number(report.events),
      blocks: format.number(report.blocks),
    }),
    same(exported),
    same(manifest),
    report.manifest === null
      ? null
      : t('auditTrail.proof.exportedAt', {
          time: format.absolute(Date.parse(report.manifest.createdAt)),
        }),
  ];
  const open = [
    report.signaturesChecked ? null : t('auditTrail.proof.noSignatures'),
    trusted === null ? t('auditTrail.proof.otherKey') : null,
    unproven.masked > 0 ? t('auditTrail.proof.masked', { count: unproven.masked }) : null,
    unproven.unsealed > 0 ? t('auditTrail.proof.unsealed', { count: unproven.unsealed }) : null,
    exported === null ? t('auditTrail.proof.noExport') : null,
    manifest === null ? t('auditTrail.proof.noManifest') : null,
    manifest?.state === 'not-signed' ? t('auditTrail.proof.manifestNotSigned') : null,
    t('auditTrail.proof.filterIsTheirs'),
  ];
  return { proven: proven.filter(isText), open: open.filter(isText) };
}

const isText = (text: string | null): text is string => text !== null;
