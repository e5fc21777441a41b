import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { useT } from '../i18n/use-t.ts';
import { ReportBody } from './report-body.tsx';
import { ReportText } from './report-text.tsx';
import { useReportLayout } from './use-report-layout.ts';

/** @param props.isStale Whether the redactions have changed and the new preview is loading. */
export function SharePreview({
  report,
  isStale,
}: {
  readonly report: UserReportDocument | undefined;
  readonly isStale: boolean;
}): ReactNode {
  const t = useT();
  const layout = useReportLayout(report);
  if (layout === undefined)
    return <StatusIndicator type="loading">{t('reports.opening')}</StatusIndicator>;
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      className="dp-share-preview"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={t('reports.share.preview')}
      aria-busy={isStale}
    >
      <div lang={layout.language}>
        <Box variant="h4">{layout.title}</Box>
        {layout.subtitle.map((line) => (
          <div key={line}>
            <ReportText text={line} />
          </div>
        ))}
      </div>
      <ReportBody layout={layout} withLinks={false} within={t('reports.share.preview')} />
    </div>
  );
}
