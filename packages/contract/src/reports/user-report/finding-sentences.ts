import type { ReportLanguage, ReportVoice } from '../reports.ts';
import type { ReportFinding, ReportFindingCode } from './user-report-document.ts';

type Fact = (name: string) => string;
type Sentence = (device: string, fact: Fact) => string;
interface Voices {
  readonly technical: Sentence;
  readonly plain: Sentence;
}

/** Empty where the reader may not see commands. */
const recently = (words: string, command: string): string =>
  command === '' ? '' : words + command;

const because = (reason: string): string => (reason === '' ? '' : ` (${reason})`);

const english: Readonly<Record<ReportFindingCode, Voices>> = {
  'crash-loop': {
    technical: (device, fact) => `${device}: ${fact('service') || 'a service'} keeps crashing`,
    plain: (device) => `A program on ${device} keeps stopping and starting again.`,
  },
  'disk-full': {
    technical: (device, fact) =>
      `${device}: the disk is ${fact('percent') === '' ? 'nearly full' : `${fact('percent')}% full`}${because(fact('fact'))}`,
    plain: (device) => `The storage of ${device} is nearly full.`,
  },
  'certificate-ending': {
    technical: (device, fact) => `${device}: its certificate ends ${fact('endsAt')}`,
    plain: (device) => `${device} could not renew its security certificate yet.`,
  },
  'unusual-silence': {
    technical: (device, fact) =>
      `${device}: silent for longer than is usual for it${because(fact('reason'))}`,
    plain: (device) => `${device} has not been in contact for unusually long.`,
  },
  'unstable-connection': {
    technical: (device, fact) =>
      `${device}: connected ${fact('count')} times or more within an hour${because(fact('reason'))}`,
    plain: (device) => `The connection of ${device} breaks off again and again.`,
  },
  'repeated-failures': {
    technical: (device, fact) =>
      `${device}: the last ${fact('count')} commands failed${recently(', most recently ', fact('command'))}`,
    plain: (device) => `Several attempts to work on ${device} did not succeed.`,
  },
  'clock-wrong': {
    technical: (device, fact) => `${device}: its clock is wrong${because(fact('fact'))}`,
    plain: (device) => `The clock of ${device} is wrong.`,
  },
  'outside-countries': {
    technical: (device, fact) =>
      fact('source') === 'address'
        ? `${device}: probably in ${fact('country')}, which is not supported (by its IP address only)`
        : `${device}: in ${fact('country')}, which is not supported`,
    plain: (device, fact) =>
      `${device} is${fact('source') === 'address' ? ' probably' : ''} in a country in which the service is not offered.`,
  },
  'behind-approved': {
    technical: (device, fact) =>
      `${device}: ${fact('component')} ${fact('version')} is not the approved version${fact('approved') === '' ? '' : ` (${fact('approved')})`}`,
    plain: (device) => `The software of ${device} is not up to date.`,
  },
  offline: {
    technical: (device, fact) => `${device}: offline${because(fact('reason'))}`,
    plain: (device) => `${device} is not connected at the moment.`,
  },
  'never-connected': {
    technical: (device) => `${device}: never connected`,
    plain: (device) => `${device} has not been connected yet.`,
  },
  suspended: {
    technical: (device) => `${device}: suspended, its connections and commands are refused`,
    plain: (device) => `${device} is blocked at the moment.`,
  },
  'command-failed': {
    technical: (device, fact) =>
      `${device}: ${fact('command')} failed, ${fact('statusDetails')}${fact('exitCode') === '' ? '' : `, exit code ${fact('exitCode')}`}`,
    plain: (device) => `Something that we ran on ${device} did not succeed.`,
  },
};

const chinese: Readonly<Record<ReportFindingCode, Voices>> = {
  'crash-loop': {
    technical: (device, fact) => `${device}：${fact('service') || '某个服务'}反复崩溃`,
    plain: (device) => `${device} 上的一个程序反复停止并重新启动。`,
  },
  'disk-full': {
    technical: (device, fact) =>
      `${device}：磁盘${fact('percent') === '' ? '将满' : `已用 ${fact('percent')}%`}${because(fact('fact'))}`,
    plain: (device) => `${device} 的存储空间快满了。`,
  },
  'certificate-ending': {
    technical: (device, fact) => `${device}：证书将于 ${fact('endsAt')} 到期`,
    plain: (device) => `${device} 尚未更新其安全证书。`,
  },
  'unusual-silence': {
    technical: (device, fact) => `${device}：离线时间超出其常规${because(fact('reason'))}`,
    plain: (device) => `${device} 已经异常长时间没有联系。`,
  },
  'unstable-connection': {
    technical: (device, fact) =>
      `${device}：一小时内连接 ${fact('count')} 次以上${because(fact('reason'))}`,
    plain: (device) => `${device} 的连接反复中断。`,
  },
  'repeated-failures': {
    technical: (device, fact) =>
      `${device}：最近 ${fact('count')} 个命令失败${recently('，最近一个是 ', fact('command'))}`,
    plain: (device) => `多次处理 ${device} 均未成功。`,
  },
  'clock-wrong': {
    technical: (device, fact) => `${device}：时钟不准${because(fact('fact'))}`,
    plain: (device) => `${device} 的时钟不准。`,
  },
  'outside-countries': {
    technical: (device, fact) =>
      fact('source') === 'address'
        ? `${device}：可能位于不受支持的国家/地区 ${fact('country')}（仅根据 IP 地址）`
        : `${device}：位于不受支持的国家/地区 ${fact('country')}`,
    plain: (device, fact) =>
      `${device} ${fact('source') === 'address' ? '可能' : ''}位于未提供服务的国家/地区。`,
  },
  'behind-approved': {
    technical: (device, fact) =>
      `${device}：${fact('component')} ${fact('version')} 不是已批准的版本${fact('approved') === '' ? '' : `（${fact('approved')}）`}`,
    plain: (device) => `${device} 的软件不是最新版本。`,
  },
  offline: {
    technical: (device, fact) => `${device}：离线${because(fact('reason'))}`,
    plain: (device) => `${device} 目前未连接。`,
  },
  'never-connected': {
    technical: (device) => `${device}：从未连接`,
    plain: (device) => `${device} 尚未连接过。`,
  },
  suspended: {
    technical: (device) => `${device}：已停用，连接和命令均被拒绝`,
    plain: (device) => `${device} 目前已被停用。`,
  },
  'command-failed': {
    technical: (device, fact) =>
      `${device}：${fact('command')} 失败，${fact('statusDetails')}${fact('exitCode') === '' ? '' : `，退出码 ${fact('exitCode')}`}`,
    plain: (device) => `我们在 ${device} 上执行的一项操作没有成功。`,
  },
};

/** What was found, as one sentence. */
export function findingSentence(
  { code, device, facts }: ReportFinding,
  { language, voice }: { readonly language: ReportLanguage; readonly voice: ReportVoice },
): string {
  const fact: Fact = (name) => String(facts[name] ?? '');
  return (language === 'en' ? english : chinese)[code][voice](device, fact);
}
