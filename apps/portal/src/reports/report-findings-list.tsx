import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { UserReport } from '@deviceportal/contract/reports';
import { invocationHref } from '../devices/invocation-href.ts';
import { selfCheckFactWords } from '../devices/self-check-words.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { wordOf } from '../shell/status-of.tsx';
import { reportFindings, type ReportFinding } from './report-findings.ts';

/** Sentences, each linked to what it rests on. */
export function ReportFindings({ report }: { readonly report: UserReport }): ReactNode {
  const t = useT();
  const findings = reportFindings(report);
  if (findings.length === 0) {
    return <Box color="text-body-secondary">{t('reports.summary.fine')}</Box>;
  }
  return (
    <ul className="dp-report-findings">
      {findings.map((finding) => (
        <Finding key={keyOf(finding)} finding={finding} />
      ))}
    </ul>
  );
}

const keyOf = (finding: ReportFinding): string =>
  finding.kind === 'device' ? finding.device.id : finding.invocation.id;

function Finding({ finding }: { readonly finding: ReportFinding }): ReactNode {
  const t = useT();
  const language = useLanguage();
  if (finding.kind === 'command') {
    const { invocation } = finding;
    return (
      <li>
        <StatusIndicator type="error">
          <PortalLink href={invocationHref(invocation)}>
            {t('reports.summary.commandFailed', {
              command: invocation.command,
              serial: invocation.serialNumber ?? invocation.deviceName,
              time: invocation.queuedAt,
            })}
          </PortalLink>
        </StatusIndicator>
      </li>
    );
  }
  const { device, failing } = finding;
  const problem =
    device.lifecycle === 'suspended'
      ? wordOf('deviceLifecycle', device.lifecycle, language)
      : [
          wordOf('connectivity', device.connectivity, language),
          ...failing.map(({ fact }) => selfCheckFactWords(fact, t)),
        ].join(' · ');
  return (
    <li>
      <StatusIndicator type="warning">
        <PortalLink href={`/devices/${device.id}`}>
          {t('reports.summary.attention', { serial: device.serialNumber ?? device.name, problem })}
        </PortalLink>
      </StatusIndicator>
    </li>
  );
}
