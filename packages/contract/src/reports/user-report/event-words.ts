import type { ReportLanguage } from '../report-options.ts';

/** Short descriptions of events. Unknown types of devices are not translated. */
const words: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  'device.created': ['Added', '已添加'],
  'device.updated': ['Edited', '已修改'],
  'device.labels-changed': ['Labels changed', '标签已修改'],
  'device.suspended': ['Suspended', '已停用'],
  'device.resumed': ['Resumed', '已恢复'],
  'device.retired': ['Retired', '已退役'],
  'device.note-added': ['Note added', '已添加备注'],
  'device.note-removed': ['Note removed', '已删除备注'],
  'device.enrolled': ['Enrolled', '已注册'],
  'device.re-enrolled': ['Enrolled again', '已重新注册'],
  'device.claim-ended': ['Claim ended', '注册令牌已失效'],
  'device.re-enrolment-requested': ['Re-enrollment requested', '已申请重新注册'],
  'device.re-enrolment-approved': ['Re-enrollment approved', '已批准重新注册'],
  'device.re-enrolment-rejected': ['Re-enrollment rejected', '已拒绝重新注册'],
  'device.certificate-renewed': ['Certificate renewed', '证书已续期'],
  'device.connected': ['Connected', '已连接'],
  'device.disconnected': ['Disconnected', '已断开连接'],
  'device.degraded': ['Problem reported', '上报异常'],
  'device.recovered': ['Recovered', '已恢复正常'],
  'device.inventory-changed': ['Inventory changed', '资产清单变化'],
  'device.software-changed': ['Software changed', '软件变化'],
  'device.packages-changed': ['Packages changed', '软件包变化'],
  'device.refused': ['Rejected by the portal', '门户已拒绝'],
  'device.journal-gap': ['Journal entries missing', '日志条目缺失'],
  'device.over-limit': ['Device over its limits', '设备超出限制'],
  'device.location-viewed': ['Precise location viewed', '查看精确位置'],
  'device.claim-created': ['Claim created', '注册令牌已创建'],
  'device.claim-revoked': ['Claim revoked', '注册令牌已吊销'],
  'device.location-set': ['Location set manually', '已手动设置位置'],
  'device.list-exported': ['Device list exported', '设备列表已导出'],
  'command.requested': ['Command requested', '命令已提交'],
  'command.sent': ['Command sent', '命令已下发'],
  'command.started': ['Command started', '命令已开始执行'],
  'command.finished': ['Command finished', '命令已结束'],
  'command.paused': ['Command paused', '命令已暂停'],
  'command.resumed': ['Command resumed', '命令已恢复'],
  'command.approved': ['Command approved', '命令已批准'],
  'command.cancel-requested': ['Cancellation requested', '已请求取消'],
  'command.cancelled': ['Command canceled', '命令已取消'],
  'command.timed-out': ['Command timed out', '命令超时'],
  'command.terminated': ['Command terminated', '命令已终止'],
  'command.artefact-collected': ['File collected', '文件已收集'],
  'command.rejected': ['Run rejected', '执行任务已拒绝'],
  'command.results-exported': ['Results exported', '结果已导出'],
  'command.authorization-mismatch': ['Authorization mismatch', '与授权内容不符'],
  'access.signed-in': ['Signed in', '已登录'],
  'access.signed-out': ['Signed out', '已退出登录'],
  'access.wrong-code': ['Wrong sign-in code', '验证码错误'],
  'case.opened': ['Case opened', '服务单已创建'],
  'case.closed': ['Case closed', '服务单已关闭'],
  'case.note-added': ['Note added', '已添加备注'],
  'case.joined': ['Case joined', '已加入服务单'],
  'case.updated': ['Case changed', '服务单已修改'],
  'case.reopened': ['Case reopened', '服务单已重新打开'],
  'device-event.agent-started': ['Agent started', '设备代理程序已启动'],
  'device-event.agent-stopped': ['Agent stopped', '设备代理程序已停止'],
  'device-event.service-crashed': ['Service crashed', '服务崩溃'],
  'device-event.journal-lost': ['Journal entries lost', '日志条目丢失'],
  'device-event.command-refused': ['Command rejected by the device', '设备已拒绝命令'],
  'device-event.device-restarted': ['Restarted', '已重启'],
  'device-event.device-restarting': ['Restarting', '正在重启'],
  'device-event.config-changed': ['Setting changed', '设置已修改'],
  'device-event.disk-full': ['Disk full', '磁盘已满'],
  'device-event.certificate-renewed': ['Renewed certificate in use', '续期后的证书已启用'],
  'device-event.network-degraded': ['Network degraded', '网络质量下降'],
  'device-event.clock-stepped': ['Clock incorrect', '时钟跳变'],
  'device-event.memory-low': ['Low memory', '内存不足'],
  'device-event.software-outdated': ['Software outdated', '软件版本过旧'],
  'device-event.software-installed': ['Software installed', '软件已安装'],
  'device-event.software-removed': ['Software removed', '软件已卸载'],
  'device-event.disk-recovered': ['Disk space recovered', '磁盘空间已恢复'],
  'device-event.network-recovered': ['Network recovered', '网络已恢复'],
  'device-event.service-recovered': ['Service recovered', '服务已恢复'],
  'device-event.clock-corrected': ['Clock corrected', '时钟已校准'],
  'device-event.memory-recovered': ['Memory recovered', '内存已恢复'],
  'device-event.software-current': ['Software up to date', '软件版本符合要求'],
};

export function eventWords(type: string, language: ReportLanguage): string {
  const found = words[type];
  if (found === undefined) return type.replace(/^device-event\./, '');
  return found[language === 'en' ? 0 : 1];
}

/** Numbers and IDs that link an event to its records. */
const bookkeeping: ReadonlySet<string> = new Set([
  'seq',
  'instanceId',
  'deviceTime',
  'occurredAt',
  'runId',
  'invocationId',
  'personId',
  'caseId',
  'connectionId',
  'claimId',
  'count',
]);
const LIMIT = 160;

/** Details of an event, on one line. */
export function eventDetails(data: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(data)
    .filter(([name, value]) => value !== null && value !== '' && !bookkeeping.has(name))
    .map(([name, value]) => `${name}: ${valueWords(value)}`)
    .join(', ');
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

/** Changes as before and after, other values unchanged. */
function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join('; ');
  if (typeof value !== 'object' || value === null) return String(value);
  if (!('before' in value) || !('after' in value)) return JSON.stringify(value);
  const name = 'component' in value ? value.component : 'name' in value ? value.name : '';
  const { before, after } = value;
  const change = before === null ? String(after) : `${String(before)} > ${String(after ?? '-')}`;
  return `${String(name)} ${change}`.trim();
}
