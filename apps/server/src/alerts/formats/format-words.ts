import type {
  AlertCondition,
  AlertEndReason,
  AlertEvent,
  AlertSeverity,
} from '@deviceportal/contract/alerts';
import { findingWords } from '@deviceportal/contract/finding-words';
import { metricValueText, metricWords } from '@deviceportal/contract/metric-words';
import type { MessageLanguage } from '../../messages/message-words.ts';
import type { AlertNotice } from '../alert-notice.ts';

/** The texts of notices in one language. */
export interface FormatWords {
  readonly titles: Readonly<Record<AlertEvent, (rule: string) => string>>;
  readonly severity: string;
  readonly severities: Readonly<Record<AlertSeverity, string>>;
  readonly condition: string;
  readonly conditionOf: (notice: Pick<AlertNotice, 'condition' | 'unit' | 'above'>) => string;
  readonly devices: string;
  readonly count: (notice: Pick<AlertNotice, 'matching' | 'total'>) => string;
  readonly since: string;
  readonly resolved: string;
  readonly reason: string;
  readonly reasons: Readonly<Record<AlertEndReason, string>>;
  readonly examples: string;
  readonly open: string;
}

const comparisons = { atLeast: '≥', atMost: '≤' } as const;

/** "Disk used ≥ 90%". */
const limitOf = (
  {
    metric,
    comparison,
    value,
  }: Pick<Extract<AlertCondition, { readonly kind: 'metric' }>, 'metric' | 'comparison' | 'value'>,
  language: MessageLanguage,
): string =>
  `${metricWords[metric][language]} ${comparisons[comparison]} ${metricValueText(metric, value, language)}`;

const english: FormatWords = {
  titles: {
    firing: (rule) => `Alert: ${rule}`,
    resolved: (rule) => `Resolved: ${rule}`,
    test: (rule) => `Test of the alert rule: ${rule}`,
  },
  severity: 'Severity',
  severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
  condition: 'Condition',
  conditionOf: ({ condition, unit, above }) => {
    const amount = unit === 'percent' ? `${above}% of the devices` : `${above} devices`;
    switch (condition.kind) {
      case 'offline':
        return `More than ${amount} offline for ${condition.minutes} min`;
      case 'finding':
        return `More than ${amount} with ${condition.rule === 'any' ? 'a finding' : `the finding “${findingWords[condition.rule].en}”`}`;
      case 'metric':
        return `More than ${amount} with ${limitOf(condition, 'en')}`;
    }
  },
  devices: 'Devices',
  count: ({ matching, total }) => `${matching} of ${total}`,
  since: 'Firing since',
  resolved: 'Resolved at',
  reason: 'Reason',
  reasons: {
    recovered: 'The condition no longer applies.',
    'rule-changed': 'The rule was changed.',
    'rule-disabled': 'The rule was turned off.',
    'rule-deleted': 'The rule was deleted.',
    'owner-lost-access': 'The owner of the rule no longer has the necessary permissions.',
  },
  examples: 'Examples',
  open: 'Open Device Portal',
};

const chinese: FormatWords = {
  titles: {
    firing: (rule) => `告警：${rule}`,
    resolved: (rule) => `已恢复：${rule}`,
    test: (rule) => `告警规则测试：${rule}`,
  },
  severity: '严重级别',
  severities: { critical: '严重', warning: '警告', info: '提示' },
  condition: '条件',
  conditionOf: ({ condition, unit, above }) => {
    const amount = unit === 'percent' ? `超过 ${above}% 的设备` : `超过 ${above} 台设备`;
    switch (condition.kind) {
      case 'offline':
        return `${amount}离线达 ${condition.minutes} 分钟`;
      case 'finding':
        return `${amount}存在${condition.rule === 'any' ? '任意异常' : `异常“${findingWords[condition.rule]['zh-CN']}”`}`;
      case 'metric':
        return `${amount}的${limitOf(condition, 'zh-CN')}`;
    }
  },
  devices: '设备',
  count: ({ matching, total }) => `${matching}/${total}`,
  since: '开始时间',
  resolved: '恢复时间',
  reason: '原因',
  reasons: {
    recovered: '条件不再满足。',
    'rule-changed': '规则已修改。',
    'rule-disabled': '规则已停用。',
    'rule-deleted': '规则已删除。',
    'owner-lost-access': '规则所有者不再具有所需权限。',
  },
  examples: '示例设备',
  open: '打开 Device Portal',
};

export const formatWords: Readonly<Record<MessageLanguage, FormatWords>> = {
  en: english,
  'zh-CN': chinese,
};
