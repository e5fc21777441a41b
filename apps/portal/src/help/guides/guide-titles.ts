import type { Language } from '../../i18n/languages.ts';

/** "Support cases" for the file support-cases.md. In English if the guide is not translated. */
export function guideTitle(name: string, language: Language): string {
  const translated = language === 'zh-CN' ? chinese[name] : undefined;
  return translated ?? english[name] ?? sentence(name);
}

/** Titles that are not the words of the file name. */
const english: Readonly<Record<string, string>> = {
  api: 'API and API tokens',
  'audit-proof': 'Audit trail verification',
  aws: 'AWS services',
  'aws-deployment': 'Deployment on AWS',
  'device-files': 'Files of devices',
  'device-web-pages': 'Web pages of devices',
  scim: 'Users from a directory (SCIM)',
  siem: 'Audit trail in a SIEM',
  ssm: 'Commands on EC2 (SSM)',
  webhooks: 'Webhooks for changes',
};

/** Titles of the guides in docs/guides/zh. */
const chinese: Readonly<Record<string, string>> = {
  access: '访问控制：角色与用户',
  'adding-devices': '添加设备',
  alerts: '告警',
  'ticket-systems': 'Jira 和 ServiceNow',
  importing: '导入设备和客户',
  api: 'API 与 API 令牌',
  'archived-months': '查询归档月份',
  'audit-proof': '审计日志校验',
  aws: 'AWS',
  'aws-deployment': '在 AWS 上部署',
  backups: '定时备份',
  'changing-many-devices': '变更多台设备',
  'device-files': '设备文件',
  'device-web-pages': '设备网页',
  files: '文件',
  hardening: '安全加固',
  'hosted-user-pool': '托管用户池的登录验证码',
  identity: '用户管理 API',
  'identity-provider': '/idp 的身份提供商',
  'legal-holds': '法律保留',
  locations: '位置',
  metrics: '监控指标',
  operating: '部署与运维',
  'personal-data': '个人数据',
  'provider-for-applications': '通过 /idp 登录您的应用',
  scim: '使用 SCIM 同步目录',
  'search-and-findings': '搜索与异常',
  'second-steps-and-qr-codes': '/idp 的二次验证、二维码、设备和事件',
  secrets: '系统密钥',
  'several-servers': '多台服务器',
  siem: '将审计日志发送到 SIEM',
  'signed-commands': '命令签名',
  'signing-in': '登录',
  'software-versions': '软件版本',
  ssm: '通过 AWS Systems Manager 执行命令',
  'support-cases': '服务单',
  tables: '供其他程序使用的表',
  terminals: '终端',
  'token-check': '令牌校验',
  webhooks: '变更 Webhook',
  upgrading: '升级',
  'user-report': '用户报告',
  'writing-documents': '编写文档',
};

function sentence(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
