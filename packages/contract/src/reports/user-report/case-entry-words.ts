import type { CaseEntryKind } from '../../people/cases.ts';
import type { ReportLanguage } from '../report-options.ts';

const words: Readonly<Record<CaseEntryKind, Readonly<Record<ReportLanguage, string>>>> = {
  opened: { en: 'Case opened', 'zh-CN': '服务单已创建' },
  joined: { en: 'Another user joined', 'zh-CN': '其他用户已加入' },
  updated: { en: 'Case details changed', 'zh-CN': '服务单信息已修改' },
  assigned: { en: 'Case assigned', 'zh-CN': '服务单已分配' },
  note: { en: 'Note', 'zh-CN': '备注' },
  'device-viewed': { en: 'Viewed the device', 'zh-CN': '查看了设备' },
  'person-viewed': { en: 'Viewed the person', 'zh-CN': '查看了客户' },
  'location-viewed': { en: 'Viewed the location', 'zh-CN': '查看了位置' },
  'result-viewed': { en: 'Viewed a result', 'zh-CN': '查看了结果' },
  'document-viewed': { en: 'Viewed a document', 'zh-CN': '查看了文档' },
  command: { en: 'Command', 'zh-CN': '命令' },
  act: { en: 'Action', 'zh-CN': '操作' },
  closed: { en: 'Case closed', 'zh-CN': '服务单已关闭' },
  reopened: { en: 'Case reopened', 'zh-CN': '服务单已重新打开' },
};

/** Short description of a case entry. */
export function caseEntryWords(kind: CaseEntryKind, language: ReportLanguage): string {
  return words[kind][language];
}
