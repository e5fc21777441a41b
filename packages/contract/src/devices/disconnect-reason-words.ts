type Words = Readonly<Record<'en' | 'zh-CN', string>>;

const words: Readonly<Record<string, Words>> = {
  shutdown: { en: 'shut down', 'zh-CN': '已关机' },
  'connection-lost': { en: 'connection lost', 'zh-CN': '连接中断' },
  upgrade: { en: 'agent upgrade', 'zh-CN': '设备代理程序升级' },
  timeout: { en: 'no response in time', 'zh-CN': '响应超时' },
  'not-managed': {
    en: 'no longer listed by AWS Systems Manager',
    'zh-CN': '已不在 AWS Systems Manager 中',
  },
  suspended: { en: 'suspended', 'zh-CN': '已停用' },
  retired: { en: 'retired', 'zh-CN': '已退役' },
};

/** Why a device disconnected. An unknown reason of another agent version is returned unchanged. */
export function disconnectReasonWords(reason: string, language: keyof Words): string {
  return Object.hasOwn(words, reason) ? (words[reason]?.[language] ?? reason) : reason;
}
