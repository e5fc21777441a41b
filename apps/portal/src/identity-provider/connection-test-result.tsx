import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { ConnectionFinding, ConnectionTest } from '@deviceportal/contract/provider-admin';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';

/** The result of the last test of a connection, or that it was not tested. */
export function ConnectionTestResult({
  result,
  isRunning,
}: {
  readonly result: ConnectionTest | undefined;
  readonly isRunning: boolean;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  if (isRunning) {
    return (
      <StatusIndicator type="loading">{t('identityProvider.connection.testing')}</StatusIndicator>
    );
  }
  if (result === undefined) {
    return (
      <StatusIndicator type="info">{t('identityProvider.connection.untested')}</StatusIndicator>
    );
  }
  const duration = format.duration(result.durationMs);
  return (
    <div role="status">
      <StatusIndicator type={result.ok ? 'success' : 'error'}>
        {t(result.ok ? 'identityProvider.connection.works' : 'identityProvider.connection.fails', {
          duration,
        })}
      </StatusIndicator>
      <Box variant="small">{inWords(result.finding, t, format)}</Box>
    </div>
  );
}

function inWords(finding: ConnectionFinding, t: Translate, format: Formatters): string {
  switch (finding.kind) {
    case 'discovered':
      return t('identityProvider.connectionFinding.discovered', { origin: finding.origin });
    case 'answered':
      return t('identityProvider.connectionFinding.answered', { status: String(finding.status) });
    case 'searched':
      return t('identityProvider.connectionFinding.searched', { baseDn: finding.baseDn });
    case 'certificate-unreadable':
      return t('identityProvider.connectionFinding.certificate-unreadable');
    case 'certificate-ended':
    case 'certificate-not-begun':
      return t(`identityProvider.connectionFinding.${finding.kind}`, {
        at: format.absolute(Date.parse(finding.at)),
      });
    case 'wrong-answer':
    case 'no-cas-server':
      return t(`identityProvider.connectionFinding.${finding.kind}`, {
        address: finding.address,
        status: String(finding.status),
      });
    case 'failed':
      return t('identityProvider.connectionFinding.failed', { said: finding.said });
  }
}
