import type { DeviceFilterToken } from '@deviceportal/contract/devices';

type Words = Readonly<Record<string, string>>;

const connectivityWords: Words = {
  online: 'online, connected, 在线, 已连接',
  offline:
    'offline, disconnected, down, unreachable, not connected, not online, dead, 离线, 断开, 掉线, 断线, 不在线, 未连接, 失联',
  degraded: 'degraded, unhealthy, 降级, 异常',
  never: 'never connected, never seen, never online, 从未连接, 从未上线',
};
const lifecycleWords: Words = {
  pending: 'pending, 待注册',
  suspended: 'suspended, 已停用, 停用',
  retired: 'retired, decommissioned, 已退役, 退役',
};
const findingWords: Words = {
  'crash-loop': 'crash loop, crash loops, crashing, crashes, 反复崩溃, 崩溃',
  'disk-full':
    'disk full, full disk, full disks, low disk space, low disk, out of space, out of disk space, no space left, 磁盘已满, 磁盘满, 磁盘空间不足, 空间不足',
  'certificate-ending':
    'expiring certificate, expiring certificates, certificate expiring, certificate ending, certificate expires, 证书即将过期, 证书到期, 证书过期',
  'unstable-connection':
    'unstable, unstable connection, flapping, connection drops, 连接不稳定, 网络不稳定, 频繁掉线',
  'unusual-silence': 'unusual silence, silent, 异常静默, 长时间离线',
  'repeated-failures': 'repeated failures, failing commands, 反复失败, 连续失败',
  'clock-wrong': 'wrong clock, clock wrong, wrong time, clock skew, 时钟错误, 时间错误, 时间不准',
  'behind-approved': 'outdated, out of date, old version, old versions, 版本过旧, 过期版本, 旧版本',
  'outside-countries': 'abroad, outside countries, 境外',
};

type FleetPhrase = readonly [string, DeviceFilterToken];

const tokensOf = (key: DeviceFilterToken['key'], words: Words): FleetPhrase[] =>
  Object.entries(words).flatMap(([value, phrases]) =>
    phrases
      .split(', ')
      .map((phrase): FleetPhrase => [phrase, { key, operator: '=', values: [value] }]),
  );

/** Each word or phrase for a state or a finding, with its filter. */
export const fleetPhrases: readonly FleetPhrase[] = [
  ...tokensOf('connectivity', connectivityWords),
  ...tokensOf('lifecycle', lifecycleWords),
  ...tokensOf('finding', findingWords),
  ...tokensOf('finding', { any: 'with findings, findings, problems, 有问题, 故障' }),
];

/** Words of a request without a meaning of their own. */
export const emptyWords: readonly string[] =
  'device devices the a an in on at of for with from and or is are that which my all any every show list find get me please to 设备 终端 的 在 上 里 所有 全部 台 个 列出 显示 查找 查看 请 把 给 帮我 哪些 有'.split(
    ' ',
  );
