import type { ReportLanguage } from '../report-options.ts';
import { chineseReportWords } from './chinese-report-words.ts';
import { englishReportWords } from './english-report-words.ts';
import type { ReportWords } from './report-vocabulary.ts';

const words: Readonly<Record<ReportLanguage, ReportWords>> = {
  en: englishReportWords,
  'zh-CN': chineseReportWords,
};

export function reportWords(language: ReportLanguage): ReportWords {
  return words[language];
}
