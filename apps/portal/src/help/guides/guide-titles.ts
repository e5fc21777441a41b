import type { Language } from '../../i18n/languages.ts';

/** "Support cases" for the file support-cases.md. In English if the guide is not translated. */
export function guideTitle(name: string, language: Language): string {
  const translated = language === 'zh-CN' ? chinese[name] : undefined;
  return translated ?? english[name] ?? sentence(name);
}

/** Titles that are not the words of the file name. */
const english: Readonly<Record<string, string>> = {
  'audit-proof': 'Audit trail verification',
  aws: 'AWS services',
  'aws-deployment': 'Deployment on AWS',
  scim: 'Users from a directory (SCIM)',
  siem: 'Audit trail in a SIEM',
  ssm: 'Commands on EC2 (SSM)',
};

/** Titles of the guides in docs/guides/zh. */
const chinese: Readonly<Record<string, string>> = {
  access: '访问控制：角色与用户',
  'audit-proof': '审计日志校验',
  backups: '定时备份',
  'changing-many-devices': '变更多台设备',
  'search-and-findings': '搜索与异常',
  'second-steps-and-qr-codes': '/idp 的二次验证、二维码、设备和事件',
  'signing-in': '登录',
  'support-cases': '服务单',
  'user-report': '用户报告',
};

function sentence(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
