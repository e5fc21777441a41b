import { countryWords } from '../../locations/country-words.ts';
import { disconnectReasonWords } from '../../devices/disconnect-reason-words.ts';
import { selfCheckFactWords } from '../../devices/self-check-words.ts';
import { caseOutcome, statusDetails } from '../../states.ts';
import type { ReportLanguage } from '../report-options.ts';

type Data = Readonly<Record<string, unknown>>;
type Detail = (value: unknown, language: ReportLanguage) => string;

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const labeled =
  (english: string, chinese: string, unit = ''): Detail =>
  (value, language) => {
    const text = plain(value);
    if (text === '') return '';
    return language === 'en' ? `${english}: ${text}${unit}` : `${chinese}：${text}${unit}`;
  };

/** Details of events in the order in which they are shown. Other data is only in the JSON. */
const details: Readonly<Record<string, Detail>> = {
  command: plain,
  document: plain,
  documentVersion: labeled('document version', '文档版本'),
  statusDetails: (value, language) =>
    Object.entries(statusDetails).find(([state]) => state === value)?.[1][language] ?? plain(value),
  responseCode: exitCode,
  exitCode,
  reason: (value, language) => disconnectReasonWords(plain(value), language),
  failing: (value, language) =>
    recordsIn(value)
      .map(({ part, fact }) => partWords(plain(part), plain(fact), language))
      .join(language === 'en' ? '; ' : '；'),
  changes: (value, language) =>
    recordsIn(value)
      .map(changeWords)
      .join(language === 'en' ? '; ' : '；'),
  agentVersion: plain,
  component: plain,
  version: plain,
  service: plain,
  process: plain,
  mount: plain,
  key: plain,
  usedPercent: labeled('used', '已用', '%'),
  lossPercent: labeled('packets lost', '丢包率', '%'),
  offsetSeconds: labeled('offset', '偏差', ' s'),
  restarts: labeled('restarts', '重启次数'),
  serialNumber: plain,
  model: plain,
  country: (value, language) =>
    typeof value === 'string' && /^[A-Z]{2}$/.test(value)
      ? countryWords(value, language)
      : plain(value),
  outcome: (value, language) =>
    Object.entries(caseOutcome).find(([outcome]) => outcome === value)?.[1][language] ?? '',
  fileName: plain,
  username: plain,
  /** Text that the sender of a shared report included, or that it is hidden. */
  text: plain,
};

const parts: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  memory: ['memory', '内存'],
  disk: ['disk', '磁盘'],
  network: ['network', '网络'],
  clock: ['clock', '时钟'],
  service: ['service', '服务'],
  services: ['services', '服务'],
  software: ['software', '软件'],
  certificate: ['certificate', '证书'],
};
const LIMIT = 160;

/** Details of an event in words, on one line; empty if there are none. */
export function eventDetails(data: Data, language: ReportLanguage): string {
  const text = Object.entries(details)
    .map(([name, detail]) => (data[name] == null ? '' : detail(data[name], language)))
    .filter((detail) => detail !== '')
    .join(language === 'en' ? ', ' : '，');
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
}

function exitCode(value: unknown, language: ReportLanguage): string {
  return value === 0 || value === -1 ? '' : labeled('exit code', '退出码')(value, language);
}

function partWords(part: string, fact: string, language: ReportLanguage): string {
  const name = parts[part]?.[language === 'en' ? 0 : 1] ?? part;
  if (fact === '') return name;
  const words = selfCheckFactWords(fact, language);
  return language === 'en' ? `${name}: ${words}` : `${name}：${words}`;
}

function changeWords({ component, name, before, after }: Data): string {
  const [of, from, to] = [component ?? name, before, after].map(plain);
  if (to === '') return `${of} ${from} → -`;
  return from === '' ? `${of} ${to}` : `${of} ${from} → ${to}`;
}

function recordsIn(value: unknown): Data[] {
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown): Data =>
    typeof one === 'object' && one !== null ? (one as Data) : { part: one },
  );
}
