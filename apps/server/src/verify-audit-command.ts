import { fromBase64Url } from '@deviceportal/audit-proof/hashing';
import { auditSignerOf, rawPublicKey } from './audit-trail/audit-signer.ts';
import { coldDirOf } from './audit-trail/cold/cold-dir-of.ts';
import { openAnalytics } from './audit-trail/cold/open-analytics.ts';
import { chainFaultLines } from './audit-trail/chain-fault-lines.ts';
import { readCheckpoint } from './audit-trail/read-checkpoint.ts';
import { verifyAuditTrail, type AuditVerification } from './audit-trail/verify-audit-trail.ts';
import { openInstallationSecrets } from './platform/installation-secrets.ts';
import { openUnmigrated } from './platform/database/open-migrated.ts';
import { runOperatorCommand } from './platform/run-command.ts';
import { createFileSecrets } from './platform/secrets/file-secret-engine.ts';
import { StartError } from './platform/start-error.ts';

const PROGRESS_EVERY = 250_000;

await runOperatorCommand(
  { words: [0, 1], line: 'npm run verify-audit -- [CHECKPOINT] [--data-dir .data]' },
  async ({ words: [file], config, logger, resources }) => {
    const checkpoint = file === undefined ? undefined : await readCheckpoint(file);
    const { database } = await openUnmigrated(resources, config, { logger, exclusive: false });
    const secrets = await openInstallationSecrets(createFileSecrets(config.dataDir));
    const ring = secrets.signingKeys('audit');
    const own = auditSignerOf(ring).keyId;
    const trustedKeys = [
      ...ring.known.map(({ publicKey }) => rawPublicKey(publicKey)),
      ...(checkpoint?.keys ?? []).map(({ publicKey }) => fromBase64Url(publicKey)),
    ];
    let told = 0;
    const found = await verifyAuditTrail(
      {
        database,
        analytics: resources.use(openAnalytics()),
        coldDir: coldDirOf(config),
        trustedKeys,
      },
      {
        kept: checkpoint?.block,
        onProgress: (verified) => {
          if (verified - told < PROGRESS_EVERY) return;
          told = verified;
          process.stderr.write(`${verified} events …\n`);
        },
      },
    );
    const proven = [
      `${found.verified} audit events in ${found.blocks} blocks are as they were sealed. Head: ${found.head}`,
      ...signatureLines(found, own),
    ].join('\n');
    const faults = chainFaultLines(found);
    if (faults.length > 0) throw new StartError([proven, ...faults].join('\n'));
    return proven;
  },
);

function signatureLines({ keyIds, setBack, holdsKept }: AuditVerification, own: string): string[] {
  const others = keyIds.filter((id) => id !== own);
  return [
    ...(keyIds.includes(own) ? [`Signed by this installation (key ${own}).`] : []),
    ...(others.length > 0
      ? [
          `Signed by earlier keys of this installation or keys of the checkpoint: ${others.join(', ')}.`,
        ]
      : []),
    ...(setBack > 0 ? [`Note: ${setBack} blocks were sealed after a clock was set back.`] : []),
    ...(holdsKept === true ? ['The block of the checkpoint is in the chain.'] : []),
  ];
}
