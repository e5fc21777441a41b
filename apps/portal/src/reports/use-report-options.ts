import { useMemo, useState } from 'react';
import {
  reportParts,
  type ReportLanguage,
  type ReportPaper,
  type ReportPart,
  type ReportVoice,
} from '@deviceportal/contract/reports';
import { useLanguage } from '../i18n/language-store.ts';

export interface ReportOptions {
  readonly language: ReportLanguage;
  readonly voice: ReportVoice;
  readonly paper: ReportPaper;
  readonly parts: readonly ReportPart[];
  readonly includePreciseLocation: boolean;
}

/**
 * The options of a report. By default, the viewer’s language, for technicians, and with all
 * sections.
 */
export function useReportOptions() {
  const own = useLanguage();
  const [chosen, setChosen] = useState<Partial<ReportOptions>>({});
  const options = useMemo(
    (): ReportOptions => ({
      language: own,
      voice: 'technical',
      paper: 'a4',
      parts: reportParts,
      includePreciseLocation: false,
      ...chosen,
    }),
    [chosen, own],
  );
  const change = (part: Partial<ReportOptions>): void => setChosen((old) => ({ ...old, ...part }));
  return { options, change };
}
