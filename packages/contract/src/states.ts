/**
 * The table of all states and their labels (docs/design/decisions.md, section 4). Screens, filters,
 * exports, and tests take a state's icon, label in each language, and finality only from here.
 */

export type StatusIcon =
  | 'success'
  | 'warning'
  | 'error'
  | 'info'
  | 'stopped'
  | 'pending'
  | 'in-progress'
  | 'not-started';

export interface StateEntry {
  readonly icon: StatusIcon;
  readonly en: string;
  readonly 'zh-CN': string;
  /** Whether the state no longer changes on its own. */
  readonly final: boolean;
}

const state = (icon: StatusIcon, en: string, zh: string, final = false): StateEntry => ({
  icon,
  en,
  'zh-CN': zh,
  final,
});

export const deviceLifecycle = {
  pending: state('not-started', 'Pending', '待注册'),
  active: state('success', 'Active', '已启用'),
  suspended: state('stopped', 'Suspended', '已停用'),
  retired: state('stopped', 'Retired', '已退役', true),
} as const;
export type DeviceLifecycle = keyof typeof deviceLifecycle;

export const connectivity = {
  online: state('success', 'Online', '在线'),
  degraded: state('warning', 'Degraded', '降级'),
  offline: state('stopped', 'Offline', '离线'),
  never: state('not-started', 'Never connected', '从未连接'),
  unknown: state('info', 'Unknown', '未知'),
} as const;
export type Connectivity = keyof typeof connectivity;

export const invocationState = {
  Pending: state('pending', 'Queued', '排队中'),
  InProgress: state('in-progress', 'Running', '执行中'),
  Delayed: state('pending', 'Delayed, retrying', '延迟重试中'),
  Success: state('success', 'Succeeded', '成功', true),
  Cancelled: state('stopped', 'Canceled', '已取消', true),
  TimedOut: state('error', 'Timed out', '超时', true),
  Failed: state('error', 'Failed', '失败', true),
  Cancelling: state('in-progress', 'Canceling', '正在取消'),
} as const;
export type InvocationState = keyof typeof invocationState;

export const runState = {
  Pending: invocationState.Pending,
  InProgress: invocationState.InProgress,
  Success: invocationState.Success,
  Cancelled: invocationState.Cancelled,
  TimedOut: invocationState.TimedOut,
  Failed: invocationState.Failed,
  Cancelling: invocationState.Cancelling,
  /** Nothing more is sent. Running invocations continue. */
  Paused: state('stopped', 'Paused', '已暂停'),
  /** Nothing is sent before a second user has approved it. */
  Approval: state('pending', 'Waiting for approval', '待审批'),
} as const;
export type RunState = keyof typeof runState;

/** SSM's status details; the state's own label if there is none. */
export const statusDetails = {
  Pending: state('pending', 'Queued', '排队中'),
  InProgress: state('in-progress', 'Running', '执行中'),
  Delayed: state('pending', 'Delayed, retrying', '延迟重试中'),
  Success: state('success', 'Succeeded', '成功', true),
  Cancelled: state('stopped', 'Canceled', '已取消', true),
  Cancelling: state('in-progress', 'Canceling', '正在取消'),
  Paused: state('stopped', 'Paused', '已暂停'),
  Approval: state('pending', 'Waiting for approval', '待审批'),
  Failed: state('error', 'Failed', '失败', true),
  'Delivery Timed Out': state('error', 'Delivery timed out', '下发超时', true),
  'Execution Timed Out': state('error', 'Execution timed out', '执行超时', true),
  Undeliverable: state('error', 'Undeliverable', '无法下发', true),
  Terminated: state('stopped', 'Terminated', '已终止', true),
  'Invalid Platform': state('error', 'Invalid platform', '平台不匹配', true),
  /** Not part of SSM: results of the document's pre-check and verification steps. */
  'Pre-check Failed': state('error', 'Pre-check failed', '预检未通过', true),
  'Verify Failed': state('error', 'Verification failed', '验证未通过', true),
  'Access Denied': state('error', 'Access denied', '拒绝访问', true),
  Incomplete: state('error', 'Incomplete', '未完成', true),
  'Rate Exceeded': state('error', 'Rate exceeded', '超出速率限制', true),
  'No Instances In Tag': state('stopped', 'No matching devices', '没有匹配的设备', true),
} as const;
export type StatusDetails = keyof typeof statusDetails;

export const stepState = {
  Pending: state('pending', 'Queued', '排队中'),
  InProgress: state('in-progress', 'Running', '执行中'),
  Success: state('success', 'Succeeded', '成功', true),
  Failed: state('error', 'Failed', '失败', true),
  TimedOut: state('error', 'Timed out', '超时', true),
  Cancelled: state('stopped', 'Canceled', '已取消', true),
  Skipped: state('stopped', 'Skipped', '已跳过', true),
} as const;
export type StepState = keyof typeof stepState;

export const documentState = {
  draft: state('pending', 'Draft', '草稿'),
  review: state('info', 'In review', '审核中'),
  active: state('success', 'Active', '生效中'),
  deprecated: state('stopped', 'Deprecated', '已弃用', true),
} as const;
export type DocumentState = keyof typeof documentState;

export const softwareVersionState = {
  draft: state('pending', 'Draft', '草稿'),
  approved: state('success', 'Approved', '已批准'),
  deprecated: state('warning', 'Deprecated', '已弃用'),
  blocked: state('error', 'Blocked', '已禁用', true),
} as const;
export type SoftwareVersionState = keyof typeof softwareVersionState;

/**
 * How a device's version compares with the approved version for its model and country; the worst of
 * its components.
 */
export const tavState = {
  current: state('success', 'Up to date', '与获批版本一致'),
  ahead: state('info', 'Newer than approved', '高于获批版本'),
  'not-approved': state('warning', 'No approved version', '无获批版本'),
  behind: state('warning', 'Older than approved', '低于获批版本'),
  blocked: state('error', 'Blocked version', '版本已禁用'),
} as const;
export type TavState = keyof typeof tavState;

export const instanceState = {
  current: state('success', 'Current', '当前'),
  superseded: state('stopped', 'Superseded', '已取代', true),
  revoked: state('error', 'Revoked', '已吊销', true),
} as const;
export type InstanceState = keyof typeof instanceState;

/** docs/design/decisions.md, section 4: paused, aborted, and failed can follow any other state. */
export const airBlastState = {
  planned: state('not-started', 'Planned', '已计划'),
  preflight: state('info', 'Preflight done', '预检完成'),
  canary: state('in-progress', 'Canary', '灰度验证中'),
  approval: state('pending', 'Waiting for approval', '待审批'),
  blasting: state('in-progress', 'Rolling out', '发布中'),
  verifying: state('in-progress', 'Verifying', '验证中'),
  done: state('success', 'Done', '已完成', true),
  paused: state('stopped', 'Paused', '已暂停'),
  aborted: state('stopped', 'Aborted', '已中止', true),
  failed: state('error', 'Failed', '失败'),
} as const;
export type AirBlastState = keyof typeof airBlastState;

export const airBlastStepState = {
  running: state('in-progress', 'Running', '运行中'),
  done: state('success', 'Done', '已完成', true),
  failed: state('error', 'Failed', '失败', true),
  aborted: state('stopped', 'Aborted', '已中止', true),
} as const;
export type AirBlastStepState = keyof typeof airBlastStepState;

/**
 * User statuses of docs/design/sign-in.md, section 3. Invited users are activated and have never
 * signed in.
 */
export const userStatus = {
  Activated: state('success', 'Activated', '已激活'),
  Suspended: state('stopped', 'Suspended', '已停用'),
  Resigned: state('stopped', 'Resigned', '已离职'),
  Archived: state('stopped', 'Archived', '已归档', true),
} as const;
export type UserStatus = keyof typeof userStatus;

export const scheduleState = {
  active: state('success', 'Active', '生效中'),
  paused: state('stopped', 'Paused', '已暂停'),
  done: state('stopped', 'Ended', '已结束', true),
} as const;
export type ScheduleState = keyof typeof scheduleState;

export const caseState = {
  open: state('in-progress', 'Open', '处理中'),
  closed: state('success', 'Closed', '已关闭', true),
} as const;
export type CaseState = keyof typeof caseState;

/** Priorities of a case, the most important first. */
export const casePriority = {
  urgent: state('error', 'Urgent', '紧急'),
  high: state('warning', 'High', '高'),
  normal: state('info', 'Normal', '普通'),
  low: state('not-started', 'Low', '低'),
} as const;
export type CasePriority = keyof typeof casePriority;

/** Outcomes of a case. */
export const caseOutcome = {
  resolved: state('success', 'Resolved', '已解决', true),
  'not-resolved': state('warning', 'Not resolved', '未解决', true),
  'handed-on': state('info', 'Handed over', '已转交', true),
} as const;
export type CaseOutcome = keyof typeof caseOutcome;

/** States of temporary access. */
export const accessGrantState = {
  waiting: state('pending', 'Waiting for approval', '待审批'),
  running: state('in-progress', 'Active', '生效中'),
  refused: state('stopped', 'Denied', '已拒绝', true),
  withdrawn: state('stopped', 'Withdrawn', '已撤回', true),
  lapsed: state('stopped', 'Expired without a decision', '未审批，已过期', true),
  ended: state('success', 'Ended', '已结束', true),
} as const;
export type AccessGrantState = keyof typeof accessGrantState;

/** States of data sources. */
export const dataSourceState = {
  embedded: state('info', 'Embedded', '内置'),
  working: state('success', 'Working', '正常'),
  reading: state('in-progress', 'Reading all items', '正在读取全部数据'),
  delayed: state('warning', 'Delayed', '延迟'),
  failing: state('error', 'Failing', '异常'),
  unused: state('not-started', 'Not used yet', '尚未使用'),
  unmonitored: state('stopped', 'Not monitored', '未监控'),
} as const;
export type DataSourceState = keyof typeof dataSourceState;

export const reportState = {
  queued: state('pending', 'Queued', '排队中'),
  running: state('in-progress', 'In progress', '正在生成'),
  ready: state('success', 'Ready', '已就绪', true),
  failed: state('error', 'Failed', '失败', true),
  cancelled: state('stopped', 'Canceled', '已取消', true),
} as const;
export type ReportState = keyof typeof reportState;

/** Whether the state of an invocation or run can no longer change on its own. */
export function isFinal(value: InvocationState | RunState): boolean {
  return { ...invocationState, ...runState }[value].final;
}
