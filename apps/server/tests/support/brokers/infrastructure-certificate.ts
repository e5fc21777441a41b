import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const script = new URL('../../../../../deploy/certificates/create-certificate.sh', import.meta.url)
  .pathname;

export interface InfrastructureCertificate {
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/**
 * A certificate of a private authority in this folder, by the script that is shipped. Without hosts, it is for a client.
 */
export function createInfrastructureCertificate(
  folder: string,
  name: string,
  ...hosts: readonly string[]
): InfrastructureCertificate {
  const { status, stderr } = spawnSync(script, [folder, name, ...hosts], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`create-certificate.sh: ${stderr}`);
  return {
    authorityFile: join(folder, 'authority.crt'),
    certificateFile: join(folder, `${name}.crt`),
    keyFile: join(folder, `${name}.key`),
  };
}
