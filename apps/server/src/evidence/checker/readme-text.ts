import type { EvidenceKind } from '@deviceportal/contract/evidence';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { kindWords } from '../layouts/evidence-words.ts';

interface ArchiveFacts {
  readonly fileName: string;
  readonly count: number;
  readonly kind: EvidenceKind;
  readonly id: string;
}

const english = ({ fileName, count, kind, id }: ArchiveFacts): string => `Proof from Device Portal

About: ${kindWords(kind, 'en')} ${id}
Audit events: ${count}

FILES
  ${fileName}                the audit events
  ${fileName}.manifest.json  filter, count, time, and exporter
  ${fileName}.proof.jsonl    the events as sealed, with their paths to signed blocks
  checker.mjs                checks the three files; needs Node.js 20 or newer, no network, and no portal

CHECK
  node checker.mjs --keys checkpoint.json

  A checkpoint is a file with the public keys of the installation. Get it from an auditor of the installation or from a
  copy that was kept elsewhere, not from the sender of this archive. Without --keys, the checker only shows that the files
  are consistent with each other.

EXIT CODES
  0  everything was compared and matches
  1  a file was changed, or the proof belongs to another export
  2  no fault, but something was not compared (for example, no keys were given)
  3  signed by a key that is not among the given ones
`;

const chinese = ({ fileName, count, kind, id }: ArchiveFacts): string => `Device Portal 证明文件

对象：${kindWords(kind, 'zh-CN')} ${id}
审计事件：${count} 条

文件
  ${fileName}                审计事件
  ${fileName}.manifest.json  筛选条件、条数、时间和导出人
  ${fileName}.proof.jsonl    已封存的事件，以及到已签名区块的路径
  checker.mjs                校验以上三个文件；需要 Node.js 20 或更高版本，无需网络和门户

校验方法
  node checker.mjs --keys checkpoint.json

  检查点文件包含本系统的公钥。请向本系统的审计人员索取，或使用另行保存的副本，不要使用发送者提供的文件。
  如不指定 --keys，校验程序仅能说明这些文件彼此一致。

退出码
  0  全部内容均已比对且一致
  1  文件已被修改，或证明不属于该导出文件
  2  未发现问题，但有内容未比对（例如未提供公钥）
  3  签名密钥不在提供的密钥之中
`;

/** How to check the archive, in the language of its reader. */
export const readmeText = (language: ReportLanguage, facts: ArchiveFacts): string =>
  (language === 'en' ? english : chinese)(facts);
