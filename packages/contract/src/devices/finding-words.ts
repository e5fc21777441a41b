import type { FindingRule } from './finding-rules.ts';

type Language = 'en' | 'zh-CN';

/** Names of findings, as the screens show them. For texts that the server writes. */
export const findingWords: Readonly<Record<FindingRule, Readonly<Record<Language, string>>>> = {
  'crash-loop': { en: 'Crash loop', 'zh-CN': '反复崩溃' },
  'disk-full': { en: 'Disk full', 'zh-CN': '磁盘已满' },
  'certificate-ending': { en: 'Certificate expiring', 'zh-CN': '证书即将到期' },
  'agent-unsupported': { en: 'Unsupported agent', 'zh-CN': '设备代理程序版本不受支持' },
  'unusual-silence': { en: 'No recent contact', 'zh-CN': '异常离线' },
  'unstable-connection': { en: 'Unstable connection', 'zh-CN': '连接不稳定' },
  'repeated-failures': { en: 'Repeated failures', 'zh-CN': '多次失败' },
  'clock-wrong': { en: 'Incorrect clock', 'zh-CN': '时钟不准' },
  'outside-countries': { en: 'Outside supported countries', 'zh-CN': '位于支持的国家/地区之外' },
  'behind-approved': { en: 'Outdated version', 'zh-CN': '低于获批版本' },
};
