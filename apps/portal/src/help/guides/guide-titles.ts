/** "Support cases" for the file support-cases.md. */
export function guideTitle(name: string): string {
  return titles[name] ?? sentence(name);
}

/** Titles that are not the words of the file name. */
const titles: Readonly<Record<string, string>> = {
  'audit-proof': 'Audit trail verification',
  aws: 'AWS services',
  'aws-deployment': 'Deployment on AWS',
  scim: 'Users from a directory (SCIM)',
  siem: 'Audit trail in a SIEM',
  ssm: 'Commands on EC2 (SSM)',
};

function sentence(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
