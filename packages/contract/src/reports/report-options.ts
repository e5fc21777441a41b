export const reportLanguages = ['en', 'zh-CN'] as const;
export type ReportLanguage = (typeof reportLanguages)[number];

/** For technicians, or for the owner of the devices. */
export const reportVoices = ['technical', 'plain'] as const;
export type ReportVoice = (typeof reportVoices)[number];

export const reportPapers = ['a4', 'letter'] as const;
export type ReportPaper = (typeof reportPapers)[number];

/** What a report may hold; the request leaves out what its reader does not need. */
export const reportParts = [
  'account',
  'devices',
  'connectivity',
  'commands',
  'timeline',
  'versions',
  'locations',
  'case',
] as const;
export type ReportPart = (typeof reportParts)[number];
