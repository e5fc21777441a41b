import { stopReasonWords } from '../air-blast/air-blast-words.ts';
import { errorCatalog } from '../error-catalog.ts';
import { airBlastState, casePriority, statusDetails, type StateEntry } from '../states.ts';
import type { NotificationFacts, NotificationKind } from './notifications.ts';

export type NotificationLanguage = 'en' | 'zh-CN';

export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

type Text = (name: string) => string;

/** A notification's facts, with states and reasons in words. */
export interface ReadFacts {
  readonly text: Text;
  readonly count: (name: string) => number;
  /** A state in its word. */
  readonly state: string;
  /** The priority of a case. */
  readonly priority: string;
  /** Why an AirBlast was stopped. */
  readonly gate: string;
  /** Why a schedule was rejected. */
  readonly refusal: string;
}

/** How each kind of notification reads, in one language. Names and comments stay as they were written. */
export type NotificationTexts = Readonly<
  Record<NotificationKind, (facts: ReadFacts) => NotificationText>
>;

export function readFacts(facts: NotificationFacts, language: NotificationLanguage): ReadFacts {
  const text: Text = (name) => String(facts[name] ?? '');
  const wordOf = (table: Readonly<Record<string, StateEntry>>, value: string): string =>
    table[value]?.[language] ?? value;
  return {
    text,
    count: (name) => Number(facts[name] ?? 0),
    state: wordOf({ ...airBlastState, ...statusDetails }, text('statusDetails')),
    priority: wordOf(casePriority, text('priority')),
    gate: stopReasonWords(text('reason'), language),
    refusal: refusalWords(text('error'), language),
  };
}

/** Refusals that a schedule can meet when its time comes; the catalog has the others. */
const chineseRefusals: Readonly<Record<string, string>> = {
  noPermission: '没有权限',
  invalidSession: '创建人已无法登录',
  commandHasNoDevice: '没有目标设备',
  commandNotFound: '命令不存在',
  commandHasNoSerialNumber: '设备没有序列号',
  deviceNotFound: '设备不存在',
  deviceInstanceNotFound: '设备未注册',
  invalidParameters: '参数无效',
  'air-blast-needed': '策略要求使用 AirBlast 发布',
  'authorization-mismatch': '创建后数据库记录被修改',
  'authorization-missing': '没有签名',
};

const englishRefusals: Readonly<Record<string, string>> = {
  'air-blast-needed': 'the policy requires an AirBlast rollout',
  'authorization-mismatch': 'it was changed in the database after it was created',
  'authorization-missing': 'it is not signed',
};

function refusalWords(error: string, language: NotificationLanguage): string {
  const entry = Object.hasOwn(errorCatalog, error)
    ? errorCatalog[error as keyof typeof errorCatalog].message
    : (englishRefusals[error] ?? error);
  return language === 'en' ? entry : (chineseRefusals[error] ?? entry);
}

/** Why nothing counts as a signature, as opposed to a signature of something else. */
export const unsignedFaults = new Set(['unsigned', 'unknown-key']);
