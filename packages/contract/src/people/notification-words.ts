/** The words of notifications and where they lead, the same under the bell and in messages. */

import { stopReasonWords } from '../air-blast/air-blast-words.ts';
import { errorCatalogue } from '../errors.ts';
import type { NotificationFacts, NotificationKind } from './notifications.ts';
import { airBlastState, statusDetails, type StateEntry } from '../states.ts';

export type NotificationLanguage = 'en' | 'zh-CN';

interface Words {
  readonly title: string;
  readonly body: string;
}

/** What happened, and its numbers. Texts of people stand as they were written. */
export function notificationWords(
  kind: NotificationKind,
  facts: NotificationFacts,
  language: NotificationLanguage,
): Words {
  return (language === 'en' ? english : chinese)(kind, factsOf(facts, language));
}

type Text = (name: string) => string;

interface ReadFacts {
  readonly text: Text;
  readonly count: (name: string) => number;
  /** A state in its word. */
  readonly state: string;
  /** Why an AirBlast was stopped. */
  readonly gate: string;
  /** Why a schedule was rejected. */
  readonly refusal: string;
}

function factsOf(facts: NotificationFacts, language: NotificationLanguage): ReadFacts {
  const text: Text = (name) => String(facts[name] ?? '');
  const wordOf = (table: Readonly<Record<string, StateEntry>>, value: string): string =>
    table[value]?.[language] ?? value;
  return {
    text,
    count: (name) => Number(facts[name] ?? 0),
    state: wordOf({ ...airBlastState, ...statusDetails }, text('statusDetails')),
    gate: stopReasonWords(text('reason'), language),
    refusal: refusalWords(text('error'), language),
  };
}

/** Refusals that a schedule can meet when its time comes; the catalogue has the others. */
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

/** Why nothing counts as a signature, as opposed to a signature of something else. */
const unsignedFaults = new Set(['unsigned', 'unknown-key']);

function refusalWords(error: string, language: NotificationLanguage): string {
  const entry = Object.hasOwn(errorCatalogue, error)
    ? errorCatalogue[error as keyof typeof errorCatalogue].message
    : (englishRefusals[error] ?? error);
  return language === 'en' ? entry : (chineseRefusals[error] ?? entry);
}

function english(kind: NotificationKind, { text, count, state, gate, refusal }: ReadFacts): Words {
  switch (kind) {
    case 'run-ended':
      return { title: `${text('command')}: ${state}`, body: enCounts(text, count) };
    case 'queued-ran':
      return {
        title: `${text('command')} ran on ${text('device')} after it came back online`,
        body: count('devices') > 1 ? `${count('devices')} devices so far` : state,
      };
    case 'schedule-ran':
      return { title: `${text('schedule')} ran: ${state}`, body: enCounts(text, count) };
    case 'schedule-failed':
      return {
        title: `${text('schedule')} did not run`,
        body: text('error') === 'missed' ? 'The scheduled run was missed' : `Rejected: ${refusal}`,
      };
    case 'schedule-paused':
      return {
        title: `${text('schedule')} was paused`,
        body: `${enDevices(count)} would be selected. The limit is ${count('limit')}.`,
      };
    case 'run-approval':
      return {
        title: `${text('command')} needs your approval`,
        body: `${enDevices(count)}, requested by ${text('by')}`,
      };
    case 'run-decided':
      return {
        title: `${text('command')} on ${enDevices(count)} was ${text('decision')}`,
        body: [text('by'), text('comment')].filter(Boolean).join(': '),
      };
    case 're-enrolment-asked':
      return {
        title: `A machine requests to become ${text('device')}`,
        body: `${text('hostName')}, at ${text('address')}`,
      };
    case 'air-blast-approval':
      return {
        title: `${text('name')} needs your approval`,
        body: `${enDevices(count)}, planned by ${text('by')}`,
      };
    case 'air-blast-stopped':
      return { title: `${text('name')} was stopped`, body: gate };
    case 'air-blast-ended':
      return { title: `${text('name')}: ${state}`, body: enDevices(count) };
    case 'document-review':
      return {
        title: `${text('document')} version ${text('version')} needs your review`,
        body: `Submitted by ${text('by')}`,
      };
    case 'document-reviewed':
      return {
        title: `${text('document')} version ${text('version')} was ${text('decision') === 'approved' ? 'approved' : 'rejected'}`,
        body: [text('by'), text('comment')].filter(Boolean).join(': '),
      };
    case 'device-back':
      return { title: `${text('device')} is back online`, body: 'The device is connected again' };
    case 'report-ready':
      return {
        title: 'A user report is ready',
        body: `${enDevices(count)}, ${count('findings')} findings`,
      };
    case 'report-failed':
      return { title: 'A user report could not be created', body: 'Open the report to try again' };
    case 'elevation-asked':
      return {
        title: `${text('by')} requests the role ${text('role')} for ${count('minutes')} minutes`,
        body: text('reason'),
      };
    case 'elevation-decided':
      return text('decision') === 'granted'
        ? {
            title: `You have temporary access to the role ${text('role')} for ${count('minutes')} minutes`,
            body: `Approved by ${text('by')}`,
          }
        : {
            title: `Your request for the role ${text('role')} was denied`,
            body: [text('by'), text('note')].filter(Boolean).join(': '),
          };
    case 'elevation-ended':
      return {
        title: `Your temporary access to the role ${text('role')} ended`,
        body: 'Ended early',
      };
    case 'account-locked':
      return {
        title: `The account ${text('by')} is locked`,
        body: 'Too many wrong codes or passwords in a row. An administrator can unlock it.',
      };
    case 'audit-seal-stopped':
      return {
        title: 'The audit trail is no longer sealed',
        body: `Block ${text('block')} could not be verified. Verify the audit trail, and contact the operator of the installation.`,
      };
    case 'authorization-mismatch':
      if (unsignedFaults.has(text('fault')))
        return {
          title: `${text('name')} is not signed`,
          body: 'Nothing was sent. It was created before signatures were introduced, its key was withdrawn, or its signature was removed in the database.',
        };
      return {
        title: `${text('name')} was changed in the database after it was authorized`,
        body: 'It was stopped, and nothing was sent. Check who has write access to the database.',
      };
  }
}

function enDevices(count: (name: string) => number): string {
  return count('devices') === 1 ? '1 device' : `${count('devices')} devices`;
}

function enCounts(text: Text, count: (name: string) => number): string {
  if (count('target') === 1 && text('device') !== '') return text('device');
  const parts = [`${count('success')} of ${count('target')} devices succeeded`];
  if (count('failed') > 0) parts.push(`${count('failed')} failed`);
  if (count('timedOut') > 0) parts.push(`${count('timedOut')} timed out`);
  if (count('cancelled') > 0) parts.push(`${count('cancelled')} canceled`);
  return parts.join(', ');
}

function chinese(kind: NotificationKind, { text, count, state, gate, refusal }: ReadFacts): Words {
  switch (kind) {
    case 'run-ended':
      return { title: `${text('command')}：${state}`, body: zhCounts(text, count) };
    case 'queued-ran':
      return {
        title: `${text('device')} 恢复在线后，已执行 ${text('command')}`,
        body: count('devices') > 1 ? `目前共 ${count('devices')} 台设备` : state,
      };
    case 'schedule-ran':
      return { title: `${text('schedule')} 已执行：${state}`, body: zhCounts(text, count) };
    case 'schedule-failed':
      return {
        title: `${text('schedule')} 未能执行`,
        body: text('error') === 'missed' ? '错过了执行时间' : `已拒绝：${refusal}`,
      };
    case 'schedule-paused':
      return {
        title: `${text('schedule')} 已暂停`,
        body: `将涉及 ${count('devices')} 台设备，超过上限 ${count('limit')} 台`,
      };
    case 'run-approval':
      return {
        title: `${text('command')} 待您审批`,
        body: `${count('devices')} 台设备，由 ${text('by')} 申请`,
      };
    case 'run-decided':
      return {
        title: `${text('command')}（${count('devices')} 台设备）${text('decision') === 'approved' ? '已批准' : '已拒绝'}`,
        body: [text('by'), text('comment')].filter(Boolean).join('：'),
      };
    case 're-enrolment-asked':
      return {
        title: `有机器申请注册为设备 ${text('device')}`,
        body: `${text('hostName')}，地址 ${text('address')}`,
      };
    case 'air-blast-approval':
      return {
        title: `${text('name')} 待您审批`,
        body: `${count('devices')} 台设备，创建人：${text('by')}`,
      };
    case 'air-blast-stopped':
      return { title: `${text('name')} 已停止`, body: gate };
    case 'air-blast-ended':
      return { title: `${text('name')}：${state}`, body: `${count('devices')} 台设备` };
    case 'document-review':
      return {
        title: `${text('document')} 版本 ${text('version')} 待您审核`,
        body: `由 ${text('by')} 提交`,
      };
    case 'document-reviewed':
      return {
        title: `${text('document')} 版本 ${text('version')} ${text('decision') === 'approved' ? '已批准' : '已驳回'}`,
        body: [text('by'), text('comment')].filter(Boolean).join('：'),
      };
    case 'device-back':
      return { title: `${text('device')} 已恢复在线`, body: '设备已重新连接' };
    case 'report-ready':
      return {
        title: '用户报告已就绪',
        body: `${count('devices')} 台设备，${count('findings')} 项检测结果`,
      };
    case 'report-failed':
      return { title: '用户报告生成失败', body: '打开报告后可重试' };
    case 'elevation-asked':
      return {
        title: `${text('by')} 申请角色 ${text('role')}，时长 ${count('minutes')} 分钟`,
        body: text('reason'),
      };
    case 'elevation-decided':
      return text('decision') === 'granted'
        ? {
            title: `您已获得临时权限 ${text('role')}，时长 ${count('minutes')} 分钟`,
            body: `由 ${text('by')} 批准`,
          }
        : {
            title: `角色 ${text('role')} 的申请已被拒绝`,
            body: [text('by'), text('note')].filter(Boolean).join('：'),
          };
    case 'elevation-ended':
      return { title: `您的临时权限 ${text('role')} 已结束`, body: '提前结束' };
    case 'account-locked':
      return {
        title: `账号 ${text('by')} 已锁定`,
        body: '验证码或密码连续错误次数过多。管理员可以解锁。',
      };
    case 'audit-seal-stopped':
      return {
        title: '审计日志已停止封存',
        body: `区块 ${text('block')} 未通过校验。请校验审计日志，并联系系统运维人员。`,
      };
    case 'authorization-mismatch':
      if (unsignedFaults.has(text('fault')))
        return {
          title: `${text('name')} 没有签名`,
          body: '未下发命令。原因可能是创建时尚不支持签名、签名密钥已停用，或签名在数据库中被删除。',
        };
      return {
        title: `${text('name')} 在授权后被直接修改了数据库记录`,
        body: '已停止，未下发命令。请排查数据库的写入权限。',
      };
  }
}

function zhCounts(text: Text, count: (name: string) => number): string {
  if (count('target') === 1 && text('device') !== '') return text('device');
  const parts = [`${count('target')} 台设备中 ${count('success')} 台成功`];
  if (count('failed') > 0) parts.push(`${count('failed')} 台失败`);
  if (count('timedOut') > 0) parts.push(`${count('timedOut')} 台超时`);
  if (count('cancelled') > 0) parts.push(`${count('cancelled')} 台取消`);
  return parts.join('，');
}

/** The page on which it can be looked at, or acted upon. */
export function notificationPath(kind: NotificationKind, facts: NotificationFacts): string {
  const of = (name: string): string => encodeURIComponent(String(facts[name] ?? ''));
  const command = String(facts['command'] ?? 'document');
  switch (kind) {
    case 'run-ended':
    case 'queued-ran':
    case 'schedule-ran':
      return facts['invocationId'] === null || facts['invocationId'] === undefined
        ? `/commands/${command}?run=${of('runId')}`
        : `/commands/${command}?device=${of('deviceId')}&invocation=${of('invocationId')}`;
    case 'run-approval':
    case 'run-decided':
      return `/commands/${command}?run=${of('runId')}`;
    case 'schedule-failed':
    case 'schedule-paused':
      return '/commands';
    case 'air-blast-approval':
    case 'air-blast-stopped':
    case 'air-blast-ended':
      return `/air-blast/${of('airBlastId')}`;
    case 'document-review':
    case 'document-reviewed':
      return `/documents/${of('document')}?v=${of('version')}`;
    case 'device-back':
    case 're-enrolment-asked':
      return `/devices/${of('deviceId')}`;
    case 'report-ready':
    case 'report-failed':
      return `/reports/user-report?report=${of('reportId')}`;
    case 'elevation-asked':
    case 'elevation-decided':
    case 'elevation-ended':
      return '/uam/elevations';
    case 'account-locked':
      return `/uam/users/${of('userId')}`;
    case 'audit-seal-stopped':
      return '/audit-trail/device';
    case 'authorization-mismatch':
      return `/audit-trail/device?q=${encodeURIComponent('event=command.authorization-mismatch')}&t=30d`;
  }
}
