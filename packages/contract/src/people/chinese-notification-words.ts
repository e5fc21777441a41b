import { unsignedFaults, type NotificationTexts, type ReadFacts } from './notification-facts.ts';

const chineseWebhookPauses: Readonly<Record<string, string>> = {
  'owner-not-permitted': '您不再具有管理 Webhook 的权限。',
  failing: '连续多次请求失败。请检查接收端，然后恢复该 Webhook。',
  behind: '最早的事件等待时间过长。请检查接收端，然后恢复该 Webhook。',
};

/** Each notification in Chinese. */
export const chineseTexts: NotificationTexts = {
  'run-ended': ({ text, count, state }) => ({
    title: `${text('command')}：${state}`,
    body: zhCounts(text, count),
  }),
  'queued-ran': ({ text, count, state }) => ({
    title: `${text('device')} 恢复在线后，已执行 ${text('command')}`,
    body: count('devices') > 1 ? `目前共 ${count('devices')} 台设备` : state,
  }),
  'schedule-ran': ({ text, count, state }) => ({
    title: `${text('schedule')} 已执行：${state}`,
    body: zhCounts(text, count),
  }),
  'schedule-failed': ({ text, refusal }) => ({
    title: `${text('schedule')} 未能执行`,
    body: text('error') === 'missed' ? '错过了执行时间' : `已拒绝：${refusal}`,
  }),
  'schedule-paused': ({ text, count }) => ({
    title: `${text('schedule')} 已暂停`,
    body: `将涉及 ${count('devices')} 台设备，超过上限 ${count('limit')} 台`,
  }),
  'run-approval': ({ text, count }) => ({
    title: `${text('command')} 待您审批`,
    body: `${count('devices')} 台设备，由 ${text('by')} 申请`,
  }),
  'run-decided': ({ text, count }) => ({
    title: `${text('command')}（${count('devices')} 台设备）${text('decision') === 'approved' ? '已批准' : '已拒绝'}`,
    body: [text('by'), text('comment')].filter(Boolean).join('：'),
  }),
  're-enrolment-asked': ({ text }) => ({
    title: `有机器申请注册为设备 ${text('device')}`,
    body: `${text('hostName')}，地址 ${text('address')}`,
  }),
  'air-blast-approval': ({ text, count }) => ({
    title: `${text('name')} 待您审批`,
    body: `${count('devices')} 台设备，创建人：${text('by')}`,
  }),
  'air-blast-stopped': ({ text, gate }) => ({ title: `${text('name')} 已停止`, body: gate }),
  'air-blast-ended': ({ text, count, state }) => ({
    title: `${text('name')}：${state}`,
    body: `${count('devices')} 台设备`,
  }),
  'document-review': ({ text }) => ({
    title: `${text('document')} 版本 ${text('version')} 待您审核`,
    body: `由 ${text('by')} 提交`,
  }),
  'document-reviewed': ({ text }) => ({
    title: `${text('document')} 版本 ${text('version')} ${text('decision') === 'approved' ? '已批准' : '已驳回'}`,
    body: [text('by'), text('comment')].filter(Boolean).join('：'),
  }),
  'device-back': ({ text }) => ({ title: `${text('device')} 已恢复在线`, body: '设备已重新连接' }),
  'report-ready': ({ count }) => ({
    title: '用户报告已就绪',
    body: `${count('devices')} 台设备，${count('findings')} 项检测结果`,
  }),
  'report-failed': () => ({ title: '用户报告生成失败', body: '打开报告后可重试' }),
  'case-assigned': ({ text, priority }) => ({
    title: `${text('by')} 将一个服务单分配给您`,
    body: `优先级：${priority}`,
  }),
  'elevation-asked': ({ text, count }) => ({
    title: `${text('by')} 申请角色 ${text('role')}，时长 ${count('minutes')} 分钟`,
    body: text('reason'),
  }),
  'elevation-decided': ({ text, count }) =>
    text('decision') === 'granted'
      ? {
          title: `您已获得临时权限 ${text('role')}，时长 ${count('minutes')} 分钟`,
          body: `由 ${text('by')} 批准`,
        }
      : {
          title: `角色 ${text('role')} 的申请已被拒绝`,
          body: [text('by'), text('note')].filter(Boolean).join('：'),
        },
  'elevation-ended': ({ text }) => ({
    title: `您的临时权限 ${text('role')} 已结束`,
    body: '提前结束',
  }),
  'account-locked': ({ text }) => ({
    title: `账号 ${text('by')} 已锁定`,
    body: '验证码或密码连续错误次数过多。管理员可以解锁。',
  }),
  'user-left': ({ text, count }) => ({
    title: `${text('by')} 的访问权限已终止`,
    body: `由 ${text('connection')} 终止。排队中的运行已取消。已暂停的计划任务：${count('schedules')} 个。需要更换操作人的发布：${count('rollouts')} 个。`,
  }),
  'access-review': ({ text, count }) => ({
    title:
      text('stage') === 'started'
        ? '访问权限审查已开始'
        : text('stage') === 'soon'
          ? '访问权限审查即将到期'
          : '访问权限审查已逾期',
    body: `${count('lines')} 个角色待处理。截止日期：${text('due')}。`,
  }),
  'legal-hold-release': ({ text }) => ({
    title: `法律保留 ${text('hold')} 的解除需要审批`,
    body: `申请人：${text('by')}`,
  }),
  'audit-seal-stopped': ({ text }) => ({
    title: '审计日志已停止封存',
    body: `区块 ${text('block')} 未通过校验。请校验审计日志，并联系系统运维人员。`,
  }),
  'backup-failed': () => ({
    title: '定时备份需要处理',
    body: '最近一次备份失败，或备份已超出计划时间。请联系系统运维人员。',
  }),
  'webhook-paused': ({ text }) => ({
    title: `Webhook ${text('webhook')} 已暂停`,
    body: chineseWebhookPauses[text('reason')] ?? '',
  }),
  'authorization-mismatch': ({ text }) =>
    unsignedFaults.has(text('fault'))
      ? {
          title: `${text('name')} 没有签名`,
          body: '未下发命令。原因可能是创建时尚不支持签名、签名密钥已停用，或签名在数据库中被删除。',
        }
      : {
          title: `${text('name')} 在授权后被直接修改了数据库记录`,
          body: '已停止，未下发命令。请排查数据库的写入权限。',
        },
};

function zhCounts(text: ReadFacts['text'], count: ReadFacts['count']): string {
  if (count('target') === 1 && text('device') !== '') return text('device');
  const parts = [`${count('target')} 台设备中 ${count('success')} 台成功`];
  if (count('failed') > 0) parts.push(`${count('failed')} 台失败`);
  if (count('timedOut') > 0) parts.push(`${count('timedOut')} 台超时`);
  if (count('cancelled') > 0) parts.push(`${count('cancelled')} 台取消`);
  return parts.join('，');
}
