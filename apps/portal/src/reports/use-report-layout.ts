import { useMemo } from 'react';
import { momentWordsIn } from '@deviceportal/contract/moment-words';
import type { ReportLayout } from '@deviceportal/contract/report-blocks';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { layOutReport } from '@deviceportal/contract/user-report-layout';

/** A report as sections, with times in the time zone of the browser. */
export function useReportLayout(report: UserReportDocument | undefined): ReportLayout | undefined {
  return useMemo(() => {
    if (report === undefined) return undefined;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const layout = layOutReport(report, { moment: momentWordsIn(timeZone) });
    return { ...layout, subtitle: [...layout.subtitle, layout.zoneWords(timeZone)] };
  }, [report]);
}
