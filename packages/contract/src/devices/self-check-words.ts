type Facts = Readonly<Record<string, string>>;
type Sentence = (facts: Facts) => string;

interface Words {
  readonly pattern: RegExp;
  readonly en: Sentence;
  readonly 'zh-CN': Sentence;
}

/** The English texts that an agent reports for failing parts, in each language. */
const sentences: readonly Words[] = [
  {
    pattern: /^(?<percent>\d+) % used$/,
    en: ({ percent }) => `${percent}% used`,
    'zh-CN': ({ percent }) => `已用 ${percent}%`,
  },
  {
    pattern: /^(?<percent>\d+) % of \/ used$/,
    en: ({ percent }) => `${percent}% of / used`,
    'zh-CN': ({ percent }) => `/ 已用 ${percent}%`,
  },
  {
    pattern: /^(?<percent>\d+) % used where the agent keeps its state$/,
    en: ({ percent }) => `${percent}% of the agent’s data directory used`,
    'zh-CN': ({ percent }) => `设备代理程序数据目录已用 ${percent}%`,
  },
  {
    pattern: /^(?<percent>\d+) % used, most of it by (?<name>.+)$/,
    en: ({ percent, name }) => `${percent}% used, mostly by ${name}`,
    'zh-CN': ({ percent, name }) => `已用 ${percent}%，主要由 ${name} 占用`,
  },
  {
    pattern: /^(?<size>\d+) (?<unit>min|s) (?<direction>behind|ahead)$/,
    en: ({ size, unit, direction }) => `${size} ${unit} ${direction}`,
    'zh-CN': ({ size, unit, direction }) =>
      `${direction === 'behind' ? '慢' : '快'} ${size} ${unit === 'min' ? '分钟' : '秒'}`,
  },
  {
    pattern: /^(?<percent>\d+) % of packets lost$/,
    en: ({ percent }) => `${percent}% of packets lost`,
    'zh-CN': ({ percent }) => `丢包率 ${percent}%`,
  },
  {
    pattern: /^(?<name>.+) keeps crashing$/,
    en: ({ name }) => `${name} keeps crashing`,
    'zh-CN': ({ name }) => `${name} 反复崩溃`,
  },
  {
    pattern: /^(?<name>\S+) (?<version>\S+) is too old for its settings, needs (?<needed>\S+)$/,
    en: ({ name, version, needed }) =>
      `${name} ${version} is too old for its settings, which require ${needed}`,
    'zh-CN': ({ name, version, needed }) => `${name} ${version} 版本过旧，当前设置需要 ${needed}`,
  },
  {
    pattern: /^the certificate ends in (?<days>\d+) days$/,
    en: ({ days }) => `expires in ${days === '1' ? '1 day' : `${days} days`}`,
    'zh-CN': ({ days }) => `证书将在 ${days} 天后到期`,
  },
];

/**
 * A fact of a self-check in a language. An unknown text of another agent version is returned
 * unchanged.
 */
export function selfCheckFactWords(fact: string, language: 'en' | 'zh-CN'): string {
  for (const { pattern, [language]: words } of sentences) {
    const found = pattern.exec(fact)?.groups;
    if (found !== undefined) return words(found);
  }
  return fact;
}
