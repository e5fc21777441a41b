import { disconnectReasonWords } from '../../devices/disconnect-reason-words.ts';
import { selfCheckFactWords } from '../../devices/self-check-words.ts';
import { countryWords } from '../../locations/country-words.ts';
import type { ReportLanguage, ReportVoice } from '../report-options.ts';
import type { MomentWords } from './moment-words.ts';
import type { ReportFinding, ReportFindingCode } from './user-report-document.ts';

type Fact = (name: string) => string;
type Sentence = (device: string, fact: Fact) => string;
interface Voices {
  readonly technical: Sentence;
  readonly plain: Sentence;
}

/** Empty if the reader cannot see commands. */
const recently = (words: string, command: string): string =>
  command === '' ? '' : words + command;

const because = (reason: string): string => (reason === '' ? '' : ` (${reason})`);

const becauseInChinese = (reason: string): string => (reason === '' ? '' : `（${reason}）`);

const english: Readonly<Record<ReportFindingCode, Voices>> = {
  'crash-loop': {
    technical: (device, fact) => `${device}: ${fact('service') || 'a service'} keeps crashing`,
    plain: (device) => `An application on ${device} keeps stopping and restarting.`,
  },
  'disk-full': {
    technical: (device, fact) =>
      `${device}: the disk is ${fact('percent') === '' ? 'nearly full' : `${fact('percent')}% full`}${because(fact('fact'))}`,
    plain: (device) => `The storage of ${device} is nearly full.`,
  },
  'certificate-ending': {
    technical: (device, fact) => `${device}: the certificate expires ${fact('endsAt')}`,
    plain: (device) => `${device} has not renewed its security certificate yet.`,
  },
  'agent-unsupported': {
    technical: (device, fact) =>
      fact('state') === 'new'
        ? `${device}: the agent (${fact('version')}) is newer than the portal supports`
        : `${device}: the agent (${fact('version')}) must be updated`,
    plain: (device) => `The management software of ${device} is not up to date.`,
  },
  'unusual-silence': {
    technical: (device, fact) =>
      `${device}: no contact for longer than usual${because(fact('reason'))}`,
    plain: (device) => `${device} has been out of contact for an unusually long time.`,
  },
  'unstable-connection': {
    technical: (device, fact) =>
      `${device}: connected at least ${fact('count')} times within an hour${because(fact('reason'))}`,
    plain: (device) => `The connection of ${device} is unstable.`,
  },
  'repeated-failures': {
    technical: (device, fact) =>
      `${device}: the last ${fact('count')} commands failed${recently(', most recently ', fact('command'))}`,
    plain: (device) => `Several operations on ${device} failed.`,
  },
  'clock-wrong': {
    technical: (device, fact) => `${device}: incorrect clock${because(fact('fact'))}`,
    plain: (device) => `The clock of ${device} is incorrect.`,
  },
  'outside-countries': {
    technical: (device, fact) =>
      fact('source') === 'address'
        ? `${device}: probably in ${fact('country')}, which is not supported (based on the IP address only)`
        : `${device}: in ${fact('country')}, which is not supported`,
    plain: (device, fact) =>
      `${device} is${fact('source') === 'address' ? ' probably' : ''} in a country where the service is not available.`,
  },
  'behind-approved': {
    technical: (device, fact) =>
      `${device}: ${fact('component')} ${fact('version')} is not the approved version${fact('approved') === '' ? '' : ` (${fact('approved')})`}`,
    plain: (device) => `The software of ${device} is not up to date.`,
  },
  offline: {
    technical: (device, fact) => `${device}: offline${because(fact('reason'))}`,
    plain: (device) => `${device} is currently not connected.`,
  },
  'never-connected': {
    technical: (device) => `${device}: never connected`,
    plain: (device) => `${device} has not connected yet.`,
  },
  suspended: {
    technical: (device) => `${device}: suspended. Connections and commands are rejected`,
    plain: (device) => `${device} is currently suspended.`,
  },
  'command-failed': {
    technical: (device, fact) =>
      `${device}: ${fact('command')}, ${fact('statusDetails')}${fact('exitCode') === '' ? '' : `, exit code ${fact('exitCode')}`}`,
    plain: (device) => `An operation on ${device} failed.`,
  },
};

const chinese: Readonly<Record<ReportFindingCode, Voices>> = {
  'crash-loop': {
    technical: (device, fact) => `${device}：${fact('service') || '服务'}反复崩溃`,
    plain: (device) => `${device} 上的应用反复停止并重启。`,
  },
  'disk-full': {
    technical: (device, fact) =>
      `${device}：磁盘${fact('percent') === '' ? '将满' : `已用 ${fact('percent')}%`}${becauseInChinese(fact('fact'))}`,
    plain: (device) => `${device} 的存储空间即将用尽。`,
  },
  'certificate-ending': {
    technical: (device, fact) => `${device}：证书将于 ${fact('endsAt')} 到期`,
    plain: (device) => `${device} 的安全证书尚未续期。`,
  },
  'agent-unsupported': {
    technical: (device, fact) =>
      fact('state') === 'new'
        ? `${device}：设备代理程序（${fact('version')}）的版本高于门户支持的版本`
        : `${device}：需要更新设备代理程序（${fact('version')}）`,
    plain: (device) => `${device} 的管理程序不是最新版本。`,
  },
  'unusual-silence': {
    technical: (device, fact) =>
      `${device}：离线时长超出常见范围${becauseInChinese(fact('reason'))}`,
    plain: (device) => `${device} 已离线较长时间。`,
  },
  'unstable-connection': {
    technical: (device, fact) =>
      `${device}：一小时内至少连接 ${fact('count')} 次${becauseInChinese(fact('reason'))}`,
    plain: (device) => `${device} 的连接不稳定。`,
  },
  'repeated-failures': {
    technical: (device, fact) =>
      `${device}：最近 ${fact('count')} 条命令失败${recently('，最近一条是 ', fact('command'))}`,
    plain: (device) => `在 ${device} 上的多次操作均失败。`,
  },
  'clock-wrong': {
    technical: (device, fact) => `${device}：时钟不准${becauseInChinese(fact('fact'))}`,
    plain: (device) => `${device} 的时钟不准。`,
  },
  'outside-countries': {
    technical: (device, fact) =>
      fact('source') === 'address'
        ? `${device}：可能位于不支持的国家/地区 ${fact('country')}（仅根据 IP 地址）`
        : `${device}：位于不支持的国家/地区 ${fact('country')}`,
    plain: (device, fact) =>
      `${device} ${fact('source') === 'address' ? '可能' : ''}位于不提供服务的国家/地区。`,
  },
  'behind-approved': {
    technical: (device, fact) =>
      `${device}：${fact('component')} ${fact('version')} 不是获批版本${fact('approved') === '' ? '' : `（${fact('approved')}）`}`,
    plain: (device) => `${device} 的软件不是最新版本。`,
  },
  offline: {
    technical: (device, fact) => `${device}：离线${becauseInChinese(fact('reason'))}`,
    plain: (device) => `${device} 目前未连接。`,
  },
  'never-connected': {
    technical: (device) => `${device}：从未连接`,
    plain: (device) => `${device} 从未连接。`,
  },
  suspended: {
    technical: (device) => `${device}：已停用，系统会拒绝其连接和命令`,
    plain: (device) => `${device} 目前已停用。`,
  },
  'command-failed': {
    technical: (device, fact) =>
      `${device}：${fact('command')}，${fact('statusDetails')}${fact('exitCode') === '' ? '' : `，退出码 ${fact('exitCode')}`}`,
    plain: (device) => `在 ${device} 上执行的操作失败。`,
  },
};

/** A finding as one sentence. */
export function findingSentence(
  { code, device, facts }: ReportFinding,
  { language, voice }: { readonly language: ReportLanguage; readonly voice: ReportVoice },
  moment: MomentWords,
): string {
  const fact: Fact = (name) => {
    const value = String(facts[name] ?? '');
    if (name === 'reason') return disconnectReasonWords(value, language);
    if (name === 'fact') return selfCheckFactWords(value, language);
    if (name === 'endsAt' && !Number.isNaN(Date.parse(value))) return moment(value);
    return name === 'country' && /^[A-Z]{2}$/.test(value) ? countryWords(value, language) : value;
  };
  return (language === 'en' ? english : chinese)[code][voice](device, fact);
}
