import { createHmac, hash, randomBytes } from 'node:crypto';
import type { RunRule } from '@deviceportal/contract/run-rules';
import type { AuditSigner } from '../../../src/audit-trail/audit-signer.ts';
import {
  createNextStepTokens,
  type NextStepTokens,
} from '../../../src/air-blast/steps/next-step-token.ts';
import {
  createParameterVault,
  type ParameterVault,
} from '../../../src/commands/parameters/parameter-vault.ts';
import type { RunKeys } from '../../../src/commands/signing/run-signing.ts';
import type { DeviceKeys } from '../../../src/gateway/certificates/announce-keys.ts';
import { testSigner } from '../audit/audit-signer.ts';
import { testDeviceKeys, testRunKeys } from '../run-signing.ts';

/** What the servers of an installation share in addition to their database. */
export interface Installation {
  readonly runKeys: RunKeys;
  readonly deviceKeys: DeviceKeys;
  readonly vault: ParameterVault;
  readonly tokens: NextStepTokens;
  readonly signApproval: (text: string) => string;
  readonly auditSigner: AuditSigner;
  /** Number of devices from which approval is required. */
  readonly approvalDevices: number;
  /** Requirements of runs without a rollout. */
  readonly runRules: readonly RunRule[];
}

export function createInstallation(): Installation {
  const key = randomBytes(32);
  const runKeys = testRunKeys();
  return {
    runKeys,
    deviceKeys: testDeviceKeys(runKeys),
    vault: createParameterVault(hash('sha256', 'test', 'buffer')),
    tokens: createNextStepTokens(key),
    signApproval: (text) => createHmac('sha256', key).update(text).digest('hex'),
    auditSigner: testSigner,
    approvalDevices: 3,
    runRules: [
      { consequence: 'changes', approvalFrom: 3, airBlastFrom: null },
      { consequence: 'disrupts', approvalFrom: 4, airBlastFrom: null },
      { consequence: 'destroys', approvalFrom: 2, airBlastFrom: null },
    ],
  };
}
